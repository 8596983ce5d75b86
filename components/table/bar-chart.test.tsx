import { renderToStaticMarkup } from "react-dom/server";
import { parse } from "node-html-parser";
import { expect, it } from "vitest";
import { Bars } from "./bar-chart";

const bars = [
  { at: 0, up: 3, down: 0 },
  { at: 1, up: 1, down: 1 },
];

const pathsOf = (given: Partial<Parameters<typeof Bars>[0]>) =>
  parse(renderToStaticMarkup(<Bars columns={20} bars={bars} tones={["fill-accent", "fill-positive"]} {...given} />))
    .querySelectorAll("path")
    .map((path) => path.getAttribute("d"));

it("draws one side above the line and the other below, on one scale", () => {
  expect(pathsOf({})).toEqual([
    "M0.14 75h0.72v-75h-0.72zM1.14 75h0.72v-25h-0.72z",
    "M1.14 75h0.72v25h-0.72z",
    "M0 75h20",
  ]);
});

it("draws on the axis it is given", () => {
  expect(pathsOf({ span: { up: 4, down: 1 } })[0]).toBe("M0.14 80h0.72v-60h-0.72zM1.14 80h0.72v-20h-0.72z");
});

it("stacks one side on the other from the bottom", () => {
  expect(pathsOf({ isStacked: true, span: { up: 4, down: 0 } })).toEqual([
    "M0.14 100h0.72v-75h-0.72zM1.14 100h0.72v-25h-0.72z",
    "M1.14 75h0.72v-25h-0.72z",
  ]);
});

it("keeps the bars of few days narrow", () => {
  expect(pathsOf({ columns: 2 })[1]).toBe("M1.44 75h0.12v25h-0.12z");
});
