import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const text = readFileSync(join(root, "docs/security.md"), "utf8");

type Row = { id: string; shownBy: string[]; result: string };

/** The table's rows: `| 1.2.3 | in short | files | result |`. */
const rows: Row[] = [...text.matchAll(/^\| (\d+\.\d+\.\d+) +\|([^|]*)\|([^|]*)\|([^|]*)\|$/gm)].map(
  ([, id = "", , files = "", result = ""]) => ({
    id,
    shownBy: [...files.matchAll(/`([^`]+)`/g)].map(([, file = ""]) => file),
    result: result.trim(),
  }),
);

/** How many requirements of levels 1 and 2 each chapter of ASVS 5.0.0 has. */
const CHAPTERS = [27, 11, 19, 10, 9, 35, 18, 7, 7, 29, 14, 9, 13, 9, 13, 16, 7];

const RESULTS = ["pass", "n/a", "partly", "operator", "fails"] as const;

test("lists every requirement of levels 1 and 2 once", () => {
  const inChapter = CHAPTERS.map((_, index) => rows.filter(({ id }) => id.startsWith(`${index + 1}.`)).length);
  expect(inChapter).toEqual(CHAPTERS);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(253);
});

test("names only existing files in its rows", () => {
  const missing = rows.flatMap(({ id, shownBy }) =>
    shownBy.filter((file) => !existsSync(join(root, file))).map((file) => `${id}: ${file}`),
  );
  expect(missing).toEqual([]);
});

test("gives every row a result, and each partial one a reason", () => {
  const unsaid = rows.filter(({ shownBy, result }) => {
    const kind = RESULTS.find((one) => result.startsWith(one));
    return kind === undefined || (result === kind && (kind !== "pass" || shownBy.length === 0));
  });
  expect(unsaid.map(({ id, result }) => `${id} ${result}`)).toEqual([]);
});

test("adds its rows up right", () => {
  const of = (kind: (typeof RESULTS)[number]) => rows.filter(({ result }) => result.startsWith(kind)).length;
  const [passes, absent, parts, operators, failures] = RESULTS.map(of);
  expect(text).toContain(
    `**${passes} pass, ${absent} do not apply, ${parts} hold in part, ${operators} are the operator's, ${failures} fail.**`,
  );
});
