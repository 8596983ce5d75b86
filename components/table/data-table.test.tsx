import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { type Columns, DataTable } from "./data-table";
import { OpenableTable } from "./openable-table";

const screens = ["app", "components"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => /(?<!\.test)\.tsx$/.test(path))
    .map((path) => join(folder, path)),
);

// The table's own rule keeps each cell on one line and outweighs a class.
const IN_VAIN = /(?:<t[dh]\b[^>]*?|\btd: (?:(?!\bcell: )[^])*?)\bwhitespace-normal(?!!)/g;

it("a cell that wraps says so louder than its table", () => {
  expect(screens.length).toBeGreaterThan(100);
  const found = screens.flatMap((path) =>
    [...readFileSync(path, "utf8").matchAll(IN_VAIN)].map(([cell]) => `${path}: ${cell}`),
  );
  expect(found).toEqual([]);
});

type Row = { id: number; name: string; amount: string };

const columns: Columns<Row> = {
  name: { header: "Name", td: "py-1.5", cell: ({ name }) => name },
  amount: {
    header: "Amount",
    from: "medium",
    align: "end",
    td: ({ amount }) => ({ title: amount, className: amount.startsWith("-") ? "text-negative" : undefined }),
    cell: ({ amount }) => amount,
  },
};
const rows = [{ id: 7, name: "Ana", amount: "-1.00" }];
const given = { label: "Rows", columns, rows, keyOf: ({ id }: Row) => id };

it("aligns and hides the cells of a column as its header", () => {
  expect(renderToStaticMarkup(<DataTable {...given} tr="stacked-row" />)).toContain(
    '<thead><tr><th scope="col">Name</th><th scope="col" data-from="medium" data-align="end">Amount</th></tr></thead>' +
      '<tbody><tr class="stacked-row"><td class="py-1.5">Ana</td>' +
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
