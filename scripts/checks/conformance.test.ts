import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { conformancePage, PAGE } from "./conformance";

const page = conformancePage();

it("keeps the page as `npm run conformance` writes it", () => {
  expect(readFileSync(join(resolve(import.meta.dirname, "../.."), PAGE), "utf8")).toBe(page);
});

it("finds a test for each operation, event, gateway error and control route", () => {
  const untested = page.split(/\n(?=### |- )/).filter((part) => part.includes("Shown by no test."));
  expect(untested).toEqual([]);
});
