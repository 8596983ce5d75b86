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

test("a bare clone has everything to install", () => {
  locked(next);
  expect(whyInstall(clone)).toBe("nothing is installed yet");
});

test("an installation that was cut short is done again", () => {
  locked(next);
  write("node_modules/next/package.json", {});
  expect(whyInstall(clone)).toBe("nothing is installed yet");
});

test("nothing is installed when every package is there in its version", () => {
  locked({ ...next, "node_modules/fsevents": { version: "2.0.0", optional: true } });
  installed(next);
  write("node_modules/next/package.json", {});
  expect(whyInstall(clone)).toBeUndefined();
});

test("another version in the lock file is installed", () => {
  locked({ "node_modules/next": { version: "16.4.7" } });
  installed(next);
  write("node_modules/next/package.json", {});
  expect(whyInstall(clone)).toBe("next is out of date");
});

test("a package that the lock file gained is installed", () => {
  locked({ ...next, "node_modules/next/node_modules/postcss": { version: "8.0.0" } });
  installed(next);
  write("node_modules/next/package.json", {});
  expect(whyInstall(clone)).toBe("postcss is missing");
});

test("a package whose folder was deleted is installed", () => {
  locked(next);
  installed(next);
  expect(whyInstall(clone)).toBe("next is gone");
});
