import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import configured from "@/next.config";
import { buildIsStale, hashSources } from "./build.mjs";

let clone = "";
const built = () => join(clone, ".next");

function write(path: string, text: string) {
  mkdirSync(dirname(join(clone, path)), { recursive: true });
  writeFileSync(join(clone, path), text);
}

beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), "retaguarda-sources-"));
  write("app/page.tsx", "page");
  write("lib/text/format.ts", "format");
  write("next.config.ts", "config");
  write(".next/sources.sha256", hashSources(clone));
});
afterEach(() => rmSync(clone, { recursive: true }));

test("keeps a build of the same sources, whatever their dates", () => {
  utimesSync(join(clone, "app/page.tsx"), new Date(), new Date());
  expect(buildIsStale(clone, built())).toBe(false);
});

test.each([
  ["a changed screen", "app/page.tsx"],
  ["a new file", "components/table/money.tsx"],
  ["a changed setting of the build", "next.config.ts"],
  ["another lock file", "package-lock.json"],
])("%s makes the build stale", (_, path) => {
  write(path, "changed");
  expect(buildIsStale(clone, built())).toBe(true);
});

test("a removed file makes the build stale", () => {
  rmSync(join(clone, "lib/text/format.ts"));
  expect(buildIsStale(clone, built())).toBe(true);
});

test.each(["lib/text/format.test.ts", "service/main.ts", "vitest.config.ts", "README.md"])(
  "leaves %s out of the build",
  (path) => {
    write(path, "changed");
    expect(buildIsStale(clone, built())).toBe(false);
  },
);

test("calls an interrupted build stale", () => {
  rmSync(join(built(), "sources.sha256"));
  expect(buildIsStale(clone, built())).toBe(true);
});

test("is built from its own folder, whatever lock file lies above", async () => {
  const { turbopack } = await configured("phase-production-server");
  expect(turbopack?.root).toBe(process.cwd());
});
