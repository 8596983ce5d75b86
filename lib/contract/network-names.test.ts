import { expect, it } from "vitest";
import { NETWORKS } from "@/lib/contract/crypto";
import english from "@/messages/en.json";
import portuguese from "@/messages/pt-BR.json";
import { typedNetwork } from "./network-names";

it.each(NETWORKS)("reads %s as the interface and both languages write it", (network) => {
  for (const name of [network, english.wallets.networks[network], portuguese.wallets.networks[network]])
    for (const typed of [name, name.toLowerCase(), ` ${name.replaceAll(" ", "-")} `])
      expect(typedNetwork(typed)).toBe(network);
});

it.each([
  ["bep20", "BSC"],
  ["TRC-20", "TRON"],
  ["matic", "POLYGON"],
  ["xrp", "XRPL"],
])("reads %j as %s", (typed, network) => {
  expect(typedNetwork(typed)).toBe(network);
});

it.each(["", " ", "EVM", "Avalanche", "USDT", "BNB Chain 2"])("reads %j as no network", (typed) => {
  expect(typedNetwork(typed)).toBeNull();
});
