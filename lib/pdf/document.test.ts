import * as fc from "fast-check";
import { expect, it } from "vitest";
import { rowsOf } from "@/test/support/pdf";
import { Paper } from "./document";

const backwards = (text: string) => Array.from(text).toReversed().join("");

async function rowsWith(texts: readonly string[], title = "Papel"): Promise<string[]> {
  const printedAt = new Date("2026-03-10T12:00:00Z");
  const paper = await Paper.open({ title, language: "pt-BR", printedAt, footer: () => "fim" });
  for (const text of texts) paper.paragraph(text);
  return rowsOf(await paper.end()).filter((row) => row !== "fim");
}

const printed = async (text: string): Promise<string> => (await rowsWith([text]))[0] ?? "";

it.each(["שלום עולם טוב", "محمد عبد الله", "שלום (א) עולם"])(
  "prints %s from right to left with its spaces",
  async (name) => {
    const lines = await printed(name);
    expect(lines.split(" ").map((word) => word.length)).toEqual(
      backwards(name)
        .split(" ")
        .map((word) => word.length),
    );
  },
);

it("keeps the spaces on both sides of right-to-left words", async () => {
  expect(await printed("Pagador שלום עולם R$ 10,00")).toMatch(/^Pagador +םלוע םולש R\$ 10,00$/);
});

it("mirrors brackets among right-to-left words", async () => {
  expect(await printed("שלום (א) עולם")).toBe("םלוע (א) םולש");
});

it("continues right-to-left words on the next page", async () => {
  const rows = await rowsWith([Array.from({ length: 1_500 }, () => "שלום").join(" ")]);
  expect(rows.flatMap((row) => row.split(" ")).filter((word) => word === "םולש")).toHaveLength(1_500);
});

it("breaks a right-to-left word that is too long by itself", async () => {
  const letters = "אבגדהוזחטיכל".repeat(30);
  const rows = await rowsWith([letters]);
  expect(rows.length).toBeGreaterThan(2);
  expect(rows.length).toBeLessThan(10);
  expect(rows.map(backwards).join("")).toBe(letters);
});

type Way = "right" | "left" | "number";
type Word = { text: string; way: Way };

const word = (way: Way, letters: string): fc.Arbitrary<Word> =>
  fc
    .array(fc.constantFrom(...Array.from(letters)), { minLength: 2, maxLength: 9, size: "max" })
    .map((signs) => ({ text: signs.join(""), way }));

const Words = fc.array(
  fc.oneof(word("right", "אבגדהוז"), word("right", "بتثجح"), word("left", "abcXY"), word("number", "123456789")),
  { minLength: 1, maxLength: 60, size: "max" },
);

/** A number follows the direction of the letters before it. */
function waysOf(words: readonly Word[]): { base: Way; words: Word[] } {
  const base = words.find(({ way }) => way !== "number")?.way ?? "left";
  let strong = base;
  return {
    base,
    words: words.map(({ text, way }) => {
      if (way !== "number") strong = way;
      return { text, way: way === "number" && strong === "left" ? "left" : way };
    }),
  };
}

/** A line as the eye sees it, with the opposite-direction parts reversed. */
function seen(line: readonly Word[], base: Way): string {
  const stretches: Word[][] = [];
  for (const one of line) {
    const last = stretches.at(-1);
    const isOther = (one.way === "left") !== (base === "left");
    if (last?.[0] !== undefined && isOther && (last[0].way === "left") !== (base === "left")) last.push(one);
    else stretches.push([one]);
  }
  const inOrder = base === "left" ? stretches.map((words) => words.toReversed()) : stretches.toReversed();
  return inOrder
    .flat()
    .map(({ text, way }) => (way === "right" ? backwards(text) : text))
    .join(" ");
}

it("reads back in order when mixed and wrapped", async () => {
  const paragraphs = fc.array(Words, { minLength: 5, maxLength: 20, size: "max" });
  await fc.assert(
    fc.asyncProperty(paragraphs, async (all) => {
      const rows = await rowsWith(all.map((words) => words.map(({ text }) => text).join(" ")));
      for (const { base, words } of all.map(waysOf)) {
        let at = 0;
        while (at < words.length) {
          const row = rows.shift()?.trimEnd() ?? "";
          const line = words.slice(at, at + row.split(" ").length);
          expect(row).toBe(seen(line, base));
          at += line.length;
        }
      }
      expect(rows).toEqual([]);
    }),
    { numRuns: 5 },
  );
});
