import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import type { Bank } from "@/lib/bank/client";
import { WalletCreated } from "@/lib/contract/crypto";
import { wallet, walletBalance } from "./schema";
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

/** How many reads are under way each time that one begins. */
function givenObservedLine(): readonly number[] {
  const client = globalThis.retaguardaBanks?.get("aurora");
  if (client === undefined) throw new Error("there is no bank yet");
  const lengths: number[] = [];
  let underWay = 0;
  const get: Bank["get"] = async (...asked) => {
    underWay += 1;
    lengths.push(underWay);
    try {
      return await client.get(...asked);
    } finally {
      underWay -= 1;
    }
  };
  globalThis.retaguardaBanks = new Map([["aurora", { ...client, get }]]);
  return lengths;
}

const wrong = {
  clientId: "aurora",
  network: "MOON",
  address: "x",
  coin: "x",
  status: "ACTIVE",
  isForwardPayment: 0,
  createdAt: "no time at all",
};

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

  it("keeps every wallet although the provider says of one that it was made at no time", async () => {
    const { walletId } = await open("EVM");
    const client = globalThis.retaguardaBanks?.get("aurora");
    if (client === undefined) throw new Error("there is no bank yet");
    const get: Bank["get"] = async (...asked) => {
      const answered = await client.get(...asked);
      const [, operation] = asked;
      if (operation.path !== "/v1/crypto/wallets") return answered;
      const json = {
        message: "",
        data: [
          { ...wrong, id: walletId },
          { ...wrong, id: "another" },
        ],
      };
      return { ...answered, answer: operation.answer.parse(json) };
    };
    globalThis.retaguardaBanks = new Map([["aurora", { ...client, get }]]);
    await sweepOnce(walletWatch, "aurora");
    expect((await db.select().from(wallet)).map(({ id }) => id).toSorted()).toEqual([walletId, "another"].toSorted());
  });

  it("never has more than two balances wait for their turn, so that other watches find a short line", async () => {
    for (const _ of [1, 2, 3]) await open("EVM");
    const lengths = givenObservedLine();
    await sweepOnce(walletWatch, "aurora");
    expect(await db.select().from(walletBalance)).toHaveLength(9);
    expect(Math.max(...lengths)).toBe(2);
  });

  it("leaves to the next sweep what it had no time for", async () => {
    givenEnv({ watchIntervalMs: 0 });
    for (const _ of [1, 2, 3]) await open("EVM");
    const kept: number[] = [];
    for (const _ of [1, 2, 3, 4, 5]) {
      await sweepOnce(walletWatch, "aurora");
      kept.push((await db.select().from(walletBalance)).length);
    }
    expect(kept).toEqual([2, 4, 6, 8, 9]);
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
