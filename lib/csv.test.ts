import { expect, it } from "vitest";
import { type Cell, csvLine } from "./csv";

/** Reads one line back as a spreadsheet would. */
function cellsOf(line: string): string[] {
  const cells = line.slice(0, -2).match(/("([^"]|"")*"|[^;]*)(;|$)/g) ?? [];
  return cells
    .slice(0, line.slice(0, -2).endsWith(";") ? undefined : -1)
    .map((cell) => cell.replace(/;$/, ""))
    .map((cell) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell));
}

it.each([
  "=1+1",
  "+1+1",
  "-1+1",
  "@SUM(A1)",
  "\t=1+1",
  "\r=1+1",
  "\n=1+1",
  "\0=1+1",
  " =1+1",
  "\u00a0=1+1",
  "＝1+1",
  "＋1",
  "－1",
  "＠SUM(A1)",
  '=HYPERLINK("https://evil.example";"here")',
  "=cmd|' /C calc'!A0",
  "\u200b=1+1",
])("%j is a text to a spreadsheet, never a formula", (payload) => {
  expect(cellsOf(csvLine([payload, "x"]))).toEqual([`'${payload}`, "x"]);
});

it.each(["-12.50", "-12,50", "150.00", "7", "R$ 5", "a=b", "ana-maria", "2026-11-21"])("%j stays as it is", (text) => {
  expect(csvLine([text])).toBe(`${text}\r\n`);
});

it("separators, quotes and line ends stay inside their cell", () => {
  const cells = ["a;b", 'say "no"', "two\r\nlines", ""];
  expect(cellsOf(csvLine([...cells, "end"]))).toEqual([...cells, "end"]);
});

it("numbers are written plain, and what is not there is empty", () => {
  const cells: Cell[] = [3, null, -4.5];
  expect(csvLine(cells)).toBe("3;;-4.5\r\n");
});
