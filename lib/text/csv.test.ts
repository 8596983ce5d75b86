import * as fc from "fast-check";
import { expect, it } from "vitest";
import { type Cell, csvDecimal, csvLine, hasColumns, readCsv } from "./csv";

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
])("%j stays text in a spreadsheet, never a formula", (payload) => {
  expect(cellsOf(csvLine([payload, "x"]))).toEqual([`'${payload}`, "x"]);
});

it.each(["\t", "\r", "\n", "\r\n"])("neutralises a formula after a leading %j", (start) => {
  expect(cellsOf(csvLine([`${start}=1+1`, "x"]))).toEqual([`'${start}'=1+1`, "x"]);
});

it.each(["-12.50", "-12,50", "0,07", "0", "150.00", "7", "999999999999999,99"])("keeps %j a number", (text) => {
  expect(csvLine([text])).toBe(`${text}\r\n`);
});

it.each(["0001", "0000", "12345678901234567890"])("keeps the id %j as searchable text", (text) => {
  expect(csvLine([text, "x"])).toBe(`"${text}";"x"\r\n`);
});

it.each(["R$ 5", "a=b", "ana-maria", "2026-11-21", '{"amounts":[1,-2,-3.5],"n":-4}', "7, -5", "a; b, c"])(
  "quotes the text %j and leaves it unchanged",
  (text) => {
    expect(csvLine([text])).toBe(`"${text.replaceAll('"', '""')}"\r\n`);
  },
);

it.each([";", ",", "\t", "|", "\n", "\r\n"])("neutralises a formula after %j in every delimiter", (delimiter) => {
  for (const formula of ["=1+1", " =1+1", '"=1+1"', "+1+1", "-1+1", "@SUM(A1)", "＝1+1", "\u200b=1+1"]) {
    const line = csvLine([`pep${delimiter}${formula}`, "x"]);
    const cells = line.split(/[;,|\t\r\n]+/).map((cell) => cell.replace(/^[\s"\u200b]+/, ""));
    expect(cells.filter((cell) => /^[=+\-@＝]/.test(cell))).toEqual([]);
    expect(cellsOf(line)[0]).toBe(`pep${delimiter}'${formula}`);
  }
});

it("keeps separators, quotes and line ends inside their cell", () => {
  const cells = ["a;b", 'say "no"', "two\r\nlines", ""];
  expect(cellsOf(csvLine([...cells, "end"]))).toEqual([...cells, "end"]);
});

it("writes numbers plainly and absent values as empty", () => {
  const cells: Cell[] = [3, null, -4.5];
  expect(csvLine(cells)).toBe("3;;-4.5\r\n");
});

it("separates cells by a comma, and cents by a point, in English", () => {
  expect(csvLine(["a", csvDecimal("-1.50", "en"), "1,5"], "en")).toBe('"a",-1.50,"1,5"\r\n');
  expect(csvLine(["a", csvDecimal("-1.50", "pt-BR")], "pt-BR")).toBe('"a";-1,50\r\n');
});

it.each(["pt-BR", "en"] as const)("reads back any text that it wrote, in %s", (locale) => {
  const sign = fc.constantFrom(...Array.from("=+-@'\"\t\r\n;,| 1aé\u00a0\u200b\uff1d"));
  const text = fc.oneof(fc.string({ unit: sign }), fc.string({ unit: "grapheme" }));
  fc.assert(
    fc.property(text, text, (one, other) => {
      const { rows } = readCsv(csvLine(["x", one, other, "x"], locale));
      expect(rows.map(({ cells }) => cells)).toEqual([["x", one.trim(), other.trim(), "x"]]);
    }),
  );
});

it("finds the delimiter behind a quoted line break", () => {
  expect(readCsv('"a,b\nc";x\nd;y').rows.map(({ cells }) => cells)).toEqual([
    ["a,b\nc", "x"],
    ["d", "y"],
  ]);
});

it("detects the delimiter, parses quotes and line breaks, and numbers each row", () => {
  expect(readCsv('\uFEFFa,own,"Caixa, ""frio"""\n\n"b","","line\nbreak"\nc,other').rows).toEqual([
    { line: 1, cells: ["a", "own", 'Caixa, "frio"'] },
    { line: 3, cells: ["b", "", "line\nbreak"] },
    { line: 5, cells: ["c", "other"] },
  ]);
});

it.each([
  ["of Windows", "a;b\r\nc;d\r\n"],
  ["of the Mac", "a;b\rc;d\r"],
  ["of all kinds", "a;b\r\r\nc;d\n\r"],
])("reads line ends %s", (_, text) => {
  expect(readCsv(text).rows.map(({ cells }) => cells)).toEqual([
    ["a", "b"],
    ["c", "d"],
  ]);
});

it("reads the delimiter that the file declares, and counts that line", () => {
  expect(readCsv("sep=|\r\na;1|b,2|c").rows).toEqual([{ line: 2, cells: ["a;1", "b,2", "c"] }]);
});

it("takes no comma of a number for a delimiter beside another one", () => {
  expect(readCsv("PED-1;1,234,567.89").rows[0]?.cells).toEqual(["PED-1", "1,234,567.89"]);
  expect(readCsv("10,20,30").rows[0]?.cells).toEqual(["10", "20", "30"]);
});

it("counts no delimiter inside quotes", () => {
  expect(readCsv('"a,b,c,d";own;x').rows).toEqual([{ line: 1, cells: ["a,b,c,d", "own", "x"] }]);
});

it("gives the line of an unclosed quotation mark", () => {
  expect(readCsv('a;b\nc;"d\ne;f').open).toBe(2);
  expect(readCsv('a;"b"').open).toBeNull();
});

it("detects rows with too few or too many columns, ignoring empty trailing ones", () => {
  const rows = [
    ["a", "b", "c"],
    ["a", "b", "c", "", ""],
    ["a", "b"],
    ["a", "b", "c", "d"],
  ];
  expect(rows.map((cells) => hasColumns({ line: 1, cells }, 3, 3))).toEqual([true, true, false, false]);
});
