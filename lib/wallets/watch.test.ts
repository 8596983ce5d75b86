import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { WalletCreated } from "@/lib/contract/crypto";
import { wallet, walletBalance } from "@/lib/store/schema";
import type { Db } from "@/lib/store/store";
import { givenEnv, givenService, givenStore } from "@/lib/testing";
import { freshness, sweepOnce } from "@/lib/watch";
import type { Harness } from "@/service/testing";
import { walletWatch } from "./watch";

let db: Db;
let service: Harness;

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  service = await givenService();
});

async function open(network: string) {
  const { body } = await service.send("POST", "/v1/crypto/wallets", { body: { network } });
  return WalletCreated.parse(body).data;
}

const balanceOf = async (walletId: string) =>
  (await db.select().from(walletBalance).where(eq(walletBalance.walletId, walletId))).map(({ network, entries }) => ({
    network,
    native: entries.find(({ type }) => type === "native")?.balance,
  }));

describe("the wallet watch", () => {
  it("keeps every wallet and reads one EVM address on its three networks", async () => {
    const { walletId, address } = await open("EVM");
    await service.control("POST", "/sandbox/crypto/deposits", { network: "POLYGON", address, amount: "1.5" });
    await sweepOnce(walletWatch, "aurora");
    expect(await db.select().from(wallet)).toMatchObject([{ id: walletId, family: "EVM", address }]);
    const read = await balanceOf(walletId);
    expect(read.map(({ network }) => network).toSorted()).toEqual(["BSC", "ETHEREUM", "POLYGON"]);
    expect(read.find(({ network }) => network === "POLYGON")?.native).toMatch(/^1\.50*$/);
  });

  it("goes on with the other addresses when one cannot be read", async () => {
    const broken = await open("TRON");
    const whole = await open("BTC");
    await service.control("POST", "/sandbox/faults", {
      method: "GET",
      path: `/v1/crypto/wallets/${broken.address}/balance`,
      status: 500,
      body: { message: "no" },
      times: 100,
    });
    await sweepOnce(walletWatch, "aurora");
    expect(await balanceOf(whole.walletId)).toHaveLength(1);
    const [failed] = await db.select().from(walletBalance).where(eq(walletBalance.walletId, broken.walletId));
    expect(failed?.asOf).toBeNull();
    expect(await freshness("aurora", "wallets")).toMatchObject({ isStale: false });
  });
});
