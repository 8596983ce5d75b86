import { parse } from "node-html-parser";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { PairTable, TabledChart, type TabledChartProps } from "./pair-table";

const shown = (decimal: string) => decimal.replace(".00", "");

const given: TabledChartProps = {
  label: "BRL per day",
  legend: ["In", "Out"],
  head: ["Day", "In", "Out"],
  asTable: "As a table",
  names: ["1 Nov", "2 Nov", "3 Nov"],
  pairs: [
    { at: 0, up: "40", down: "10" },
    { at: 1, up: "0", down: "20" },
  ],
  marks: ["1 Nov", "3 Nov"],
  tones: ["fill-positive", "fill-accent"],
  renderAmount: shown,
  say: shown,
  shorten: shown,
};

const drawn = (changed: Partial<TabledChartProps>) =>
  parse(renderToStaticMarkup(<TabledChart {...given} {...changed} />));

it("tells the last day that has an amount, and can be walked through by keys", () => {
  const reader = drawn({}).querySelector("input[type=range]");
  expect(reader?.getAttribute("aria-label")).toBe("BRL per day");
  expect(reader?.getAttribute("aria-valuetext")).toBe("2 Nov: In 0, Out 20");
  expect([reader?.getAttribute("value"), reader?.getAttribute("max")]).toEqual(["1", "2"]);
});

it("signs what its axis has below 0", () => {
  const axis = drawn({}).querySelector("div[aria-hidden]");
  expect(axis?.querySelectorAll("span").map(({ text }) => text)).toEqual(["40", "20", "0", "-20"]);
});

it("has an axis to the top of both sides where one stands on the other", () => {
  const axis = drawn({ isStacked: true }).querySelector("div[aria-hidden]");
  expect(axis?.querySelectorAll("span").map(({ text }) => text)).toEqual(["60", "40", "20", "0"]);
});

it("lists the days with an amount, newest first, once somebody opens the list", () => {
  expect(drawn({}).querySelector("table")).toBeNull();
  const rows = parse(renderToStaticMarkup(<PairTable {...given} />)).querySelectorAll("tr");
  expect(rows.map((row) => row.querySelectorAll("th, td").map(({ text }) => text))).toEqual([
    ["Day", "In", "Out"],
    ["2 Nov", "0", "20"],
    ["1 Nov", "40", "10"],
  ]);
});

it("lists what stands beside an amount under it", () => {
  const pairs = [{ at: 0, up: "40", down: "10", beside: ["7", "8"] as const }];
  const table = parse(renderToStaticMarkup(<PairTable {...given} beside={["Own in", "Own out"]} pairs={pairs} />));
  const cells = table.querySelectorAll("th, td").map((cell) => [cell, ...cell.querySelectorAll("span")]);
  expect(cells.map((told) => told.map(({ text }) => text).at(-1))).toEqual([
    "Day",
    "Own in",
    "Own out",
    "1 Nov",
    "7",
    "8",
  ]);
});
