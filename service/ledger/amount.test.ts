import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalAddress, familyOf } from "@/lib/contract/addresses";
import { centsToReais, fromUnits, KNOWN_ASSETS, reaisToCents, toUnits } from "./account";

describe("amounts", () => {
  it("reads and writes amounts without loss at any scale", () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 60n), fc.integer({ min: 0, max: 30 }), (units, decimals) => {
        expect(toUnits(fromUnits(units, decimals), decimals)).toBe(units);
      }),
    );
  });

  it("allows an amount no more decimals than its asset", () => {
    expect(toUnits("1.123456", 6)).toBe(1_123_456n);
    expect(toUnits("1.1234567", 6)).toBeNull();
  });

  it("shows reais with both decimals", () => {
    expect([0n, 5n, 1_050n, -250n].map(centsToReais)).toEqual(["0.00", "0.05", "10.50", "-2.50"]);
    expect(reaisToCents("10.5")).toBe(1_050n);
  });

  it("shows crypto without trailing zeros", () => {
    expect(fromUnits(1_500_000_000_000_000_000n, 18)).toBe("1.5");
    expect(fromUnits(0n, 18)).toBe("0");
    expect(fromUnits(1n, 18)).toBe("0.000000000000000001");
  });
});

it.each(KNOWN_ASSETS.filter((asset) => asset.tokenAddress !== null))("recognises $id by a valid address", (asset) => {
  const address = asset.tokenAddress?.split(".").at(-1) ?? "";
  expect(asset.network && canonicalAddress(familyOf(asset.network), address)).toBe(address);
});
