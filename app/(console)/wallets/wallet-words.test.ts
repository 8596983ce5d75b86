import { describe, expect, it } from "vitest";
import { askedFirst, cutForList } from "./wallet-words";

describe("an amount in the list of wallets", () => {
  it.each([
    ["4143.794152260000000001", "4143.79415226"],
    ["0.999999999", "0.99999999"],
    ["12", "12.0"],
    ["0", "0.0"],
  ])("%s is cut, not rounded", (exact, shown) => {
    expect(cutForList(exact)).toEqual({ shown, isLess: false });
  });

  it("does not call nothing what is only too small to show", () => {
    expect(cutForList("0.000000000000000001")).toEqual({ shown: "0.00000001", isLess: true });
  });
});

it("shows the asset that is asked for before the others, which keep their order", () => {
  const held = ["ETH", "POL", "usdt"].map((asset) => ({ asset }));
  expect(askedFirst(held, "USDT").map(({ asset }) => asset)).toEqual(["usdt", "ETH", "POL"]);
  expect(askedFirst(held, undefined)).toEqual(held);
});
