import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const screens = ["app", "components"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".tsx"))
    .map((path) => join(folder, path)),
);

// The table's own rule keeps each cell on one line and outweighs a class.
const IN_VAIN = /<t[dh]\b[^>]*?\bwhitespace-normal(?!!)/g;

it("a cell that wraps says so louder than its table", () => {
  expect(screens.length).toBeGreaterThan(100);
  const found = screens.flatMap((path) =>
    [...readFileSync(path, "utf8").matchAll(IN_VAIN)].map(([cell]) => `${path}: ${cell}`),
  );
  expect(found).toEqual([]);
});
