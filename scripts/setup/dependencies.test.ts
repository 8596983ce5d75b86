import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { whyInstall } from "./dependencies.mjs";

let clone = "";
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), "retaguarda-clone-"));
});
afterEach(() => rmSync(clone, { recursive: true }));

function write(path: string, content: unknown) {
  mkdirSync(dirname(join(clone, path)), { recursive: true });
  writeFileSync(join(clone, path), JSON.stringify(content));
}

const locked = (packages: Record<string, object>) =>
  write("package-lock.json", { packages: { "": { dependencies: { next: "^16.0.0" } }, ...packages } });
const installed = (packages: Record<string, object>) => write("node_modules/.package-lock.json", { packages });
const next = { "node_modules/next": { version: "16.4.6" } };

test("installs everything in a bare clone", () => {
  locked(next);
  expect(whyInstall(clone)).toBe("nothing is installed yet");
});

test("repeats an interrupted installation", () => {
  locked(next);
  write("node_modules/next/package.json", {});
  expect(whyInstall(clone)).toBe("nothing is installed yet");
});

test("installs nothing when every package is there in its version", () => {
  locked({ ...next, "node_modules/fsevents": { version: "2.0.0", optional: true } });
  installed(next);
  write("node_modules/next/package.json", {});
  expect(whyInstall(clone)).toBeUndefined();
});

test("installs another version from the lock file", () => {
  locked({ "node_modules/next": { version: "16.4.7" } });
  installed(next);
  write("node_modules/next/package.json", {});
  expect(whyInstall(clone)).toBe("next is out of date");
});

test("installs a package that the lock file gained", () => {
  locked({ ...next, "node_modules/next/node_modules/postcss": { version: "8.0.0" } });
  installed(next);
  write("node_modules/next/package.json", {});
  expect(whyInstall(clone)).toBe("postcss is missing");
});

test("installs a package whose folder was deleted", () => {
  locked(next);
  installed(next);
  expect(whyInstall(clone)).toBe("next is gone");
});
