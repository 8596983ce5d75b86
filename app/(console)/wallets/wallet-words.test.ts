import { expect, it } from "vitest";
import { askedFirst } from "./wallet-words";

it("shows the requested asset first and keeps the others' order", () => {
  const held = ["ETH", "POL", "usdt"].map((asset) => ({ asset }));
  expect(askedFirst(held, "USDT").map(({ asset }) => asset)).toEqual(["usdt", "ETH", "POL"]);
  expect(askedFirst(held, undefined)).toEqual(held);
});
