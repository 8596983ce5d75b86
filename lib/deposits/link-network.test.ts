import { expect, it } from "vitest";
import { NETWORKS } from "@/lib/contract/crypto";
import { explorerLink } from "@/lib/wallets/view";
import { networkOfLink } from "./link-network";

const HASH = "ab".repeat(32);

it("knows the network of each link that the console makes", () => {
  for (const network of NETWORKS) expect(networkOfLink(explorerLink(network, HASH)?.href ?? "")).toBe(network);
});

it.each([
  [`https://xrpscan.com/tx/${HASH}`, "XRPL"],
  [`testnet.xrpl.org/transactions/${HASH}`, "XRPL"],
  [`HTTPS://WWW.TronScan.io/#/transaction/${HASH}`, "TRON"],
  [`https://sepolia.etherscan.io/tx/0x${HASH}`, "ETHEREUM"],
  [`https://blockchair.com/bitcoin/transaction/${HASH}`, "BITCOIN"],
  ["https://etherscan.io", "ETHEREUM"],
  ["https://blockchair.com/", null],
  [`https://blockchair.com/dogecoin/transaction/${HASH}`, null],
  [`https://notetherscan.io/tx/0x${HASH}`, null],
  ["https://example.com/?at=/etherscan.io/", null],
  [HASH, null],
  ["etherscan", null],
])("reads %s", (link, network) => {
  expect(networkOfLink(link)).toBe(network);
});
