import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { BREAKPOINTS } from "@/tailwind.config";
import { type Column, type Columns, DataTable } from "./data-table";
import { OpenableTable } from "./openable-table";

const screens = ["app", "components"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => /(?<!\.test)\.tsx$/.test(path))
    .map((path) => join(folder, path)),
);

// The table's own rule keeps each cell on one line and overrides a class.
const IN_VAIN = /(?:<t[dh]\b[^>]*?|\btd: (?:(?!\bcell: )[^])*?)\bwhitespace-normal(?!!)/g;

it("marks a cell that wraps with a stronger class than the table's", () => {
  expect(screens.length).toBeGreaterThan(100);
  const found = screens.flatMap((path) =>
    [...readFileSync(path, "utf8").matchAll(IN_VAIN)].map(([cell]) => `${path}: ${cell}`),
  );
  expect(found).toEqual([]);
});

type Row = { id: number; name: string; amount: string };

it("uses only the three breakpoints and the preset column widths", () => {
  const ELSE =
    /(?<![\w-])@?(?:max-|min-)?(?:3?xs|sm|md|lg|\d?xl):|@?(?:max|min)-\[[^\]]*\]:|@(?:media|container)[^{]*width(?![^{]*theme\()|\bw-\[(?:clamp|max|min)\([^\]]*cqi/g;
  const sheets = ["app/globals.css", "components/table/table.css"];
  const found = [...screens, ...sheets].flatMap((path) =>
    [...readFileSync(path, "utf8").matchAll(ELSE)].map(([named]) => `${path}: ${named}`),
  );
  expect(found.filter((one) => !one.startsWith("components/table/data-table.tsx: w-["))).toEqual([]);
  expect(Object.keys(BREAKPOINTS)).toEqual(["medium", "wide", "widest"]);
});

// @ts-expect-error: a column names its width.
const unsaid: Column<Row> = { header: "Name", cell: () => null };
// @ts-expect-error: a width is one of the presets.
const unknown: Column<Row> = { header: "Name", width: "w-[8rem]", cell: () => null };

it("gives a column its declared width", () => {
  expect([unsaid, unknown].map(({ header }) => header)).toEqual(["Name", "Name"]);
  const widths = renderToStaticMarkup(<DataTable {...given} />).match(/<th scope="col"[^>]*>/g);
  expect(widths).toEqual([
    '<th scope="col">',
    expect.stringMatching(/^<th scope="col" class="w-\[clamp\([^"]+\)\]" data-from="medium" data-align="end">$/),
  ]);
});

const columns: Columns<Row> = {
  name: { header: "Name", width: "text", td: "py-1.5", cell: ({ name }) => name },
  amount: {
    header: "Amount",
    width: "amount",
    from: "medium",
    align: "end",
    td: ({ amount }) => ({ title: amount, className: amount.startsWith("-") ? "text-negative" : undefined }),
    cell: ({ amount }) => amount,
  },
};
const rows = [{ id: 7, name: "Ana", amount: "-1.00" }];
const given = { label: "Rows", columns, rows, keyOf: ({ id }: Row) => id };

it("aligns and hides a column's cells like its header", () => {
  expect(renderToStaticMarkup(<DataTable {...given} tr="text-muted" />)).toContain(
    '<tbody><tr class="text-muted"><td class="py-1.5">Ana</td>' +
      '<td data-from="medium" data-align="end" title="-1.00" class="text-negative">-1.00</td></tr></tbody>',
  );
});

it("shows the details of an open row below it", () => {
  const details = { toggle: () => {}, labelOf: () => "Details", contentOf: ({ name }: Row) => `All of ${name}` };
  const shown = (open: ReadonlySet<number>) =>
    renderToStaticMarkup(<OpenableTable {...given} details={{ ...details, open }} />);
  expect(shown(new Set())).toMatch(/<button [^>]*aria-expanded="false"[^>]*>Ana <span class="sr-only">Details</);
  expect(shown(new Set())).not.toContain("All of Ana");
  expect(shown(new Set([7]))).toMatch(
    /aria-expanded="true".*<tr id="[^"]+" class="p-0!"><td colSpan="3"[^>]*>All of Ana</,
  );
});

it("opens a row by another column's button where its link leads elsewhere", () => {
  const details = { toggle: () => {}, labelOf: () => "Details", contentOf: () => "All of Ana" };
  const shown = renderToStaticMarkup(
    <OpenableTable {...given} by="amount" details={{ ...details, open: new Set() }} />,
  );
  expect(shown).toMatch(
    /<td class="py-1.5">Ana<\/td><td [^>]*><button [^>]*class="row-action row-opener"[^>]*>-1.00 </,
  );
});
