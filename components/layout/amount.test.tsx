import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Amount } from "./amount";

const marked = (number: string) => renderToStaticMarkup(<Amount number={number} unit="ETH" />);

it("wraps before the unit, not within the number", () => {
  expect(marked("4,525560440000485561")).toBe(
    '<bdi><span class="whitespace-nowrap">4,525560440000485561</span> ETH</bdi>',
  );
});

it("wraps a number too wide for any column", () => {
  expect(marked("1".repeat(40))).not.toContain("nowrap");
});
