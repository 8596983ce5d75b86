import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { z } from "zod";
import english from "@/messages/en.json";
import portuguese from "@/messages/pt-BR.json";

const rows = readFileSync("docs/words.md", "utf8")
  .split("\n")
  .filter((line) => line.includes("| `") && line.startsWith("|"))
  .map((line) => line.split("|").map((cell) => cell.trim()));

const said = (catalogue: unknown, key: string): unknown =>
  key
    .split(".")
    .reduce((part: unknown, name) => z.record(z.string(), z.unknown()).catch({}).parse(part)[name], catalogue);

it("says every listed word on some screen", () => {
  expect(rows.length).toBeGreaterThan(30);
  for (const [, , inPortuguese, inEnglish, cell = ""] of rows) {
    const key = cell.replaceAll("`", "");
    expect([key, inPortuguese, inEnglish]).toEqual([key, said(portuguese, key), said(english, key)]);
  }
});
