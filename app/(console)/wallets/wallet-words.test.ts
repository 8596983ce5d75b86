import { describe, expect, it } from "vitest";
import { askedFirst, cutForList } from "./wallet-words";

describe("an amount in the list of wallets", () => {
  it.each([
    ["4143.794152260000000001", "4143.79415226"],
    ["0.999999999", "0.99999999"],
    ["12", "12.0"],
    ["0", "0.0"],
  ])("cuts %s instead of rounding it", (exact, shown) => {
    expect(cutForList(exact)).toEqual({ shown, isLess: false });
  });

  it("never shows a tiny amount as zero", () => {
    expect(cutForList("0.000000000000000001")).toEqual({ shown: "0.00000001", isLess: true });
  });
});

it("shows the requested asset first and keeps the others' order", () => {
  const held = ["ETH", "POL", "usdt"].map((asset) => ({ asset }));
  expect(askedFirst(held, "USDT").map(({ asset }) => asset)).toEqual(["usdt", "ETH", "POL"]);
  expect(askedFirst(held, undefined)).toEqual(held);
});
