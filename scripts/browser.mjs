import { existsSync } from "node:fs";
import { join } from "node:path";
import { findInPath, isExecutable, Refusal, root, run, runProgram, say } from "./program.mjs";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const STALLED_MS = 60_000;

export const NO_BROWSER =
  "No Chromium was found and none could be installed. Run `sudo apt-get install chromium` or " +
  "`npx playwright install --with-deps chromium`, or set CHROMIUM_PATH to one.";

async function playwrightsOwn() {
  if (!existsSync(join(root, "node_modules/playwright/package.json"))) return undefined;
  const { chromium } = await import("playwright");
  return chromium.executablePath();
}

/** A file can be there and yet not run: a stub that points to another package manager, a missing system library. */
async function runs(path) {
  if (!isExecutable(path)) return false;
  const { ok, output } = await run(path, ["--version"], { quiet: true, timeoutMs: 20_000 });
  return ok && /Chrom/i.test(output);
}

/** The path of a Chromium that runs, or undefined. A CHROMIUM_PATH that does not is refused. */
export async function findBrowser() {
  const chosen = process.env.CHROMIUM_PATH;
  if (chosen) {
    if (await runs(chosen)) return chosen;
    throw new Refusal(`CHROMIUM_PATH names ${chosen}, which is not a Chromium that runs.`);
  }
  for (const path of [await playwrightsOwn(), ...NAMES.map((name) => findInPath(name))]) {
    if (path && (await runs(path))) return path;
  }
  return undefined;
}

/** Playwright's download, given up when it has not moved for a minute. */
async function download() {
  const stalled = new AbortController();
  const giveUp = () => stalled.abort();
  let timer = setTimeout(giveUp, STALLED_MS);
  const onLine = (line) => {
    if (!/\d+%/.test(line)) return;
    clearTimeout(timer);
    timer = setTimeout(giveUp, STALLED_MS);
  };
  const cli = join(root, "node_modules/playwright/cli.js");
  const { ok } = await run(process.execPath, [cli, "install", "chromium"], { onLine, signal: stalled.signal });
  clearTimeout(timer);
  return ok;
}

async function installFromDebian() {
  const options = { quiet: true, timeoutMs: 600_000, env: { DEBIAN_FRONTEND: "noninteractive" } };
  await run("apt-get", ["update"], options);
  return (await run("apt-get", ["install", "-y", "--no-install-recommends", "chromium"], options)).ok;
}

const canUseApt = () => process.getuid?.() === 0 && findInPath("apt-get") !== undefined;

/** A Chromium that runs: one already there, else Playwright's download, else Debian's package. Answers its path. */
export async function setUpBrowser() {
  const present = await findBrowser();
  if (present) return present;

  say("No browser yet: downloading Playwright's Chromium.");
  if (!(await download())) say("The download did not succeed.");
  const downloaded = await findBrowser();
  if (downloaded) return downloaded;

  if (canUseApt()) {
    say("Installing Debian's chromium with apt-get.");
    await installFromDebian();
    const installed = await findBrowser();
    if (installed) return installed;
  }
  throw new Refusal(NO_BROWSER);
}

await runProgram(import.meta.url, async () => say(`Browser: ${await setUpBrowser()}`));
