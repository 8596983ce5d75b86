import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { findBrowser, setUpBrowser } from "./browser.mjs";

const CHROMIUM = "echo Chromium 150.0";

let folder: string;

/** A program that is installed beside the shell that runs it. */
function given(name: string, script: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "retaguarda-browser-"));
  vi.stubEnv("PATH", folder);
  vi.stubEnv("CHROMIUM_PATH", "");
});

afterEach(() => {
  // The next file of this worker looks for programs while it loads.
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

test("prefers the headless shell to a whole browser", async () => {
  given("chromium", CHROMIUM);
  const shell = given("chromium-headless-shell", CHROMIUM);
  expect(await findBrowser()).toBe(shell);
});

test("uses a chosen browser, and refuses by name one that does not run", async () => {
  given("chromium-headless-shell", CHROMIUM);
  const chosen = given("mine", CHROMIUM);
  vi.stubEnv("CHROMIUM_PATH", chosen);
  expect(await setUpBrowser()).toBe(chosen);
  vi.stubEnv("CHROMIUM_PATH", given("broken", "exit 1"));
  await expect(setUpBrowser()).rejects.toThrow(`${join(folder, "broken")}, which is not a Chromium that runs`);
});

test("installs the shell beside an existing Chromium as root on Debian", async () => {
  vi.spyOn(process, "getuid").mockReturnValue(0);
  given("chromium", CHROMIUM);
  const shell = join(folder, "chromium-headless-shell");
  given("apt-get", `[ "$4" = chromium-headless-shell ] && /bin/cp ${join(folder, "chromium")} ${shell}`);
  expect(await setUpBrowser()).toBe(shell);
});

test("installs nothing without root while a browser is there", async () => {
  vi.spyOn(process, "getuid").mockReturnValue(1000);
  given("chromium", CHROMIUM);
  given("apt-get", `echo asked > ${join(folder, "asked")}`);
  await setUpBrowser();
  expect(() => rmSync(join(folder, "asked"))).toThrow("ENOENT");
});
