import { expect, it } from "vitest";
import { choicesOf, errorsOf } from "./send-fields";

const held = { network: "POLYGON", balance: "1", decimals: 18, doubt: null } as const;

const entry = (asset: string, tokenAddress: string | null, balance = "1") => ({
  ...held,
  asset,
  tokenAddress,
  balance,
});

it("offers neither an entry that may be a token nor a token without a balance", () => {
  const balances = [entry("USDC", null), entry("MATIC", ""), entry("USDT", "0xA", "0.0"), entry("", "0xB")];
  expect(choicesOf({ network: "POLYGON", asOf: null, trouble: null, balances })).toEqual([
    { token: "", asset: "POL", held: balances[1] },
    { token: "0xB", asset: "0xB", held: balances[3] },
  ]);
});

it("shows the provider's refusal at the field that it names", () => {
  expect(errorsOf({ to: "a", decimals: "b", fromAddress: "c", middleSix: "d" })).toEqual({
    to: "a",
    token: "b",
    network: "c",
  });
});
