import { expect, it } from "vitest";
import { heldIn } from "./held";

const TOKEN = { tokenAddress: "0xdAC17F958D2ee523a2206206994597C13D831ec7" };
it.each([
  ["ETHEREUM", { balance: "1500000000000000000", decimals: 18 }, ["1.5", null]],
  ["ETHEREUM", { balance: "1000000000000000001", decimals: 18 }, ["1.000000000000000001", null]],
  ["BITCOIN", { balance: "1500000000", decimals: 8 }, ["15", null]],
  ["ETHEREUM", { balance: "1500000000000000000", decimals: 18, ...TOKEN }, ["1.5", null]],
  ["ETHEREUM", { balance: "1.5", decimals: 18 }, ["1.5", null]],
  ["ETHEREUM", { balance: "25", decimals: 18 }, ["25", null]],
  ["ETHEREUM", { balance: "0", decimals: 18 }, ["0", null]],
  ["ETHEREUM", { balance: "1500000", decimals: 6, ...TOKEN }, ["1500000", "1.5"]],
  ["ETHEREUM", { balance: "250000", decimals: 6, ...TOKEN }, ["250000", "0.25"]],
  ["BITCOIN", { balance: "150000", decimals: 8 }, ["150000", "0.0015"]],
  ["ETHEREUM", { balance: "1500000000000000000", decimals: null }, ["1500000000000000000", null]],
  ["ETHEREUM", { balance: "1500000000000000000", decimals: 0, ...TOKEN }, ["1500000000000000000", null]],
  ["ETHEREUM", { balance: "muito", decimals: 18 }, ["muito", null]],
] as const)("on %s reads %o as %j", (network, entry, held) => {
  expect(heldIn(network, [entry]).map(({ balance, other }) => [balance, other])).toEqual([held]);
});

it("reads all of an answer as its clear entries are meant", () => {
  const usdt = { balance: "1500000", decimals: 6, ...TOKEN };
  const balances = (other: string) =>
    heldIn("ETHEREUM", [usdt, { balance: other, decimals: 18 }]).map((held) => [held.balance, held.other]);
  expect(balances("0.25")).toEqual([
    ["1500000", null],
    ["0.25", null],
  ]);
  expect(balances("2500000000000000000")).toEqual([
    ["1.5", null],
    ["2.5", null],
  ]);
});
