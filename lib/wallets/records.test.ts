import { beforeEach, describe, expect, it } from "vitest";
import type { Db } from "@/lib/db/connection";
import { showBody } from "@/lib/text/shown-body";
import { givenEnv, givenStore } from "@/test/support/console";
import { storedHoldings } from "./records";
import { type StoredEntry, walletBalance } from "@/lib/db/tables/wallets";

const place = { walletId: "w1", address: "0x1", network: "ETHEREUM" } as const;
const read = { address: "0x1", type: undefined, tokenAddress: undefined };

let db: Db;
beforeEach(async () => {
  givenEnv();
  db = await givenStore();
});

async function holdingsOf(entries: StoredEntry[]) {
  const { walletId, network } = place;
  await db.insert(walletBalance).values({ tenant: "aurora", walletId, network, entries, asOf: new Date() });
  return (await storedHoldings(db, "aurora", place))?.holdings;
}

describe("what a wallet held when it was read last", () => {
  it("returns holdings exactly, by asset and contract", async () => {
    const ether = { ...read, asset: "ETH", decimals: 18, balance: "1.000000000000000001" };
    const token = { ...read, asset: "USDT", decimals: 6, balance: "0.5", tokenAddress: "0xdac" };
    expect(await holdingsOf([ether, token])).toEqual([
      { asset: "ETH", tokenAddress: "", balance: "1.000000000000000001" },
      { asset: "USDT", tokenAddress: "0xdac", balance: "0.5" },
    ]);
  });

  it("returns the provider's value, however round", async () => {
    const round = { ...read, asset: "USDT", decimals: 6, balance: "1000000", tokenAddress: "0xdac" };
    expect(await holdingsOf([round])).toEqual([{ asset: "USDT", tokenAddress: "0xdac", balance: "1000000" }]);
  });

  it("names the token of an unreadable entry", async () => {
    const shape = showBody({ asset: "SPAM", tokenAddress: "0xspam", balance: {} });
    expect(await holdingsOf([{ shape }])).toEqual([{ asset: "SPAM", tokenAddress: "0xspam", balance: null }]);
  });

  it("returns one holding without asset for unreadable entries", async () => {
    const shape = showBody({ what: "ever" });
    expect(await holdingsOf([{ shape }, { shape }])).toEqual([{ asset: "", tokenAddress: "", balance: null }]);
  });

  it("returns no holdings before the first reading", async () => {
    expect(await storedHoldings(db, "aurora", place)).toBeNull();
  });
});
