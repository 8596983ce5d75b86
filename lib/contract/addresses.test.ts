import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalAddress, familyOf, isChainAddress } from "./addresses";
import { FAMILY_NETWORKS, NETWORKS } from "./crypto";

describe("an address", () => {
  it.each([
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
    "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
    "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
    "0x52908400098527886E0F7030069857D2E4169EE7",
    "0xde709f2102306220921060314715629080e2fb77",
  ])("accepts EIP-55's %s and restores it from lower case", (address) => {
    expect(canonicalAddress("EVM", address)?.toLowerCase()).toBe(address.toLowerCase());
    expect(canonicalAddress("EVM", address.toLowerCase())).toBe(canonicalAddress("EVM", address));
  });

  it.each([
    ["BITCOIN", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"],
    ["BITCOIN", "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy"],
    ["BITCOIN", "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4"],
    ["BITCOIN", "bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr"],
    ["TRON", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"],
    ["SOLANA", "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGkZwyTDt1v"],
    ["XRPL", "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh"],
    ["XRPL", "rrrrrrrrrrrrrrrrrrrrrhoLvTp"],
  ] as const)("accepts the %s destination %s", (network, address) => {
    expect(isChainAddress(network, address)).toBe(true);
  });

  it.each([
    ["ETHEREUM", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed"],
    ["ETHEREUM", "5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"],
    ["BITCOIN", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5"],
    ["BITCOIN", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7Kv8f3t4"],
    ["BITCOIN", "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx"],
    ["BITCOIN", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb"],
    ["TRON", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u"],
    ["TRON", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"],
    ["SOLANA", "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGkZwyTDt1"],
    ["SOLANA", "0OIl"],
    ["XRPL", "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTi"],
    ["XRPL", ""],
  ] as const)("refuses the %s destination %s", (network, address) => {
    expect(isChainAddress(network, address)).toBe(false);
  });

  it("never throws on any address text", () => {
    fc.assert(
      fc.property(fc.constantFrom(...NETWORKS), fc.string({ unit: "binary" }), (network, text) => {
        expect(isChainAddress(network, text)).toBeTypeOf("boolean");
      }),
    );
  });

  it("lists exactly the networks of the interface", () => {
    expect(NETWORKS.map((network) => FAMILY_NETWORKS[familyOf(network)].includes(network))).toEqual(
      NETWORKS.map(() => true),
    );
  });
});
