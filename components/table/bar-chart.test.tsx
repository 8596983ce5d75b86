import { renderToStaticMarkup } from "react-dom/server";
import { parse } from "node-html-parser";
import { expect, it } from "vitest";
import { BarChart } from "./bar-chart";

const bars = [
  { at: 0, up: 3, down: 0 },
  { at: 1, up: 1, down: 1 },
];

const pathsOf = (isStacked: boolean) =>
  parse(
    renderToStaticMarkup(
      <BarChart label="Days" columns={2} bars={bars} tones={["fill-accent", "fill-positive"]} isStacked={isStacked} />,
    ),
  )
    .querySelectorAll("path")
    .map((path) => path.getAttribute("d"));

it("draws one side above the line and the other below, on one scale", () => {
  expect(pathsOf(false)).toEqual([
    "M0.14 75h0.72v-75h-0.72zM1.14 75h0.72v-25h-0.72z",
    "M1.14 75h0.72v25h-0.72z",
    "M0 75h2",
  ]);
});

it("stacks one side on the other from the bottom", () => {
  expect(pathsOf(true)).toEqual([
    "M0.14 100h0.72v-98h-0.72zM1.14 100h0.72v-32.67h-0.72z",
    "M1.14 67.33h0.72v-32.67h-0.72z",
  ]);
});
