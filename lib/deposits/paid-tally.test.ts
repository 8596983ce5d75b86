import { expect, it } from "vitest";
import type { Network } from "@/lib/contract/crypto";
import { sumsOf } from "./paid-tally";

const of = (amount: string, asset: string | null, network: Network, token: string | null = null) => ({
  amount,
  asset,
  network,
  token,
});

it("adds up each asset of several deposits exactly", () => {
  const bitcoin = ["0.1", "0.02", "0.003"].map((amount) => of(amount, "BTC", "BITCOIN"));
  expect(sumsOf([...bitcoin, of("5", "ETH", "ETHEREUM")])).toEqual([
    { amount: "0.123", asset: "BTC", network: null },
    { amount: "5", asset: "ETH", network: null },
  ]);
});

it("adds up nothing whose asset is not told", () => {
  const untold = [of("1", null, "ETHEREUM"), of("2", null, "ETHEREUM")];
  expect(sumsOf(untold).map(({ amount }) => amount)).toEqual(["1", "2"]);
});

it("adds up no two assets that are merely called alike", () => {
  const contracts = [of("1", "USDT", "ETHEREUM", "0xAA"), of("2", "usdt", "ETHEREUM", "0xaa")];
  expect(sumsOf([...contracts, of("4", "USDT", "TRON", "T1"), of("x", "USDT", "TRON", "T1")])).toEqual([
    { amount: "3.00", asset: "usdt", network: "ETHEREUM" },
    { amount: "4", asset: "USDT", network: "TRON" },
    { amount: "x", asset: "USDT", network: "TRON" },
  ]);
});
