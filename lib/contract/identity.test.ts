import { describe, expect, it } from "vitest";
import { addressKey, addressSpelling, amountKey, assetKey, tokenKey, transactionKey } from "./identity";

const EVM = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
const TRON = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";
const XRPL = "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh";
const BTC = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";

describe("one and the same", () => {
  it.each([
    ["1.5", "1.50"],
    ["1.5", " 01.5 "],
    ["1.5", "+15e-1"],
    ["0", "-0.00"],
    ["1500", "1.5e3"],
    ["muito", " muito"],
  ])("treats as one amount: %s equals %s", (one, other) => expect(amountKey(other)).toBe(amountKey(one)));

  it.each([
    ["EVM", EVM, EVM.toLowerCase()],
    ["EVM", EVM, EVM.toUpperCase()],
    ["EVM", EVM, ` ${EVM.slice(2).toLowerCase()}\u200b`],
    ["EVM", EVM, EVM.replace("A", "a")],
    ["BTC", BTC, BTC.toUpperCase()],
    ["TRON", TRON, "41a614f803b6fd780986a42c78ec9c7f77e6ded13c"],
    ["TRON", TRON, "0xA614F803B6FD780986A42C78EC9C7F77E6DED13C"],
    ["XRPL", "rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf", "XVLhHMPHU98es4dbozjVtdWzVrDjtV18pX8yuPT7y4xaEHi"],
  ] as const)("treats as one address on %s: %s equals %s", (family, one, other) => {
    expect(addressKey(family, other)).toBe(addressKey(family, one));
    expect(addressSpelling(family, other)).toBe(one);
  });

  it.each([
    ["ETHEREUM", "0xABC1", "abc1"],
    ["BITCOIN", "ABC1", " abc1"],
    ["TRON", "0xabc1", "ABC1"],
  ] as const)("treats as one transaction on %s: %s equals %s", (network, one, other) =>
    expect(transactionKey(network, other)).toBe(transactionKey(network, one)),
  );

  it("reads an XRP Ledger token as currency and issuer in any order", () => {
    for (const spelt of [`USD.${XRPL}`, `${XRPL}:USD`, `USD+${XRPL}`])
      expect(tokenKey("XRPL", spelt)).toBe(`USD.${XRPL}`);
  });

  it("identifies an asset by its contract, whatever its name", () => {
    expect(assetKey("ETHEREUM", { asset: "usdt", tokenAddress: EVM.toLowerCase() })).toBe(
      assetKey("ETHEREUM", { asset: "USDT", tokenAddress: EVM }),
    );
    expect(assetKey("POLYGON", { asset: "MATIC", tokenAddress: "" })).toBe(assetKey("POLYGON", { asset: "pol" }));
  });
});

describe("two that differ", () => {
  it("tells addresses apart that differ only in case", () => {
    expect(addressKey("TRON", TRON)).not.toBe(addressKey("TRON", TRON.replace("N", "n")));
    expect(transactionKey("SOLANA", "5AbC")).not.toBe(transactionKey("SOLANA", "5abc"));
  });

  it("tells a coin from a token of the same name", () => {
    expect(assetKey("ETHEREUM", { asset: "ETH", tokenAddress: EVM })).not.toBe(assetKey("ETHEREUM", { asset: "ETH" }));
    expect(assetKey("ETHEREUM", { asset: "ЕТН" })).not.toBe(assetKey("ETHEREUM", { asset: "ETH" }));
  });
});
