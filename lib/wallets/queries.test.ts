import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { getSession } from "@/lib/auth/session";
import { sessionOf } from "@/test/support/auth";
import { WalletCreated } from "@/lib/contract/crypto";
import { PAGE_SIZE } from "@/lib/text/page";
import { wallet, walletBalance } from "./schema";
import type { Db } from "@/lib/store/store";
import { remember } from "@/lib/store/watch-state";
import { givenEnv, givenService, givenStore } from "@/test/support/console";
import type { Harness } from "@/test/support/service/harness";
import { getWallet, listWallets, listWalletsOf } from "./queries";

const createdAt = new Date("2026-03-10T12:00:00Z");

let db: Db;
beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId: randomUUID(), roles: ["finance"] }));
});

async function keep(id: string, changes: Partial<typeof wallet.$inferInsert> = {}): Promise<void> {
  const values = { tenant: "aurora", id, address: `0x${id}`, family: "EVM", coin: "ETH", status: "ACTIVE", createdAt };
  await db.insert(wallet).values({ ...values, isForwardPayment: false, seenAt: createdAt, ...changes });
}

const idsFor = async (sought: string) => (await listWallets({ sought })).rows.map(({ id }) => id);

describe("the wallets", () => {
  it("are counted by chain family, one nobody knows among all alone", async () => {
    await keep("a");
    await keep("b", { family: "BTC" });
    await keep("c", { family: "unknown:DOGE" });
    await keep("d", { tenant: "boreal" });
    const { counts, total, rows } = await listWallets();
    expect(counts).toEqual({ EVM: 1, BTC: 1, TRON: 0, SOLANA: 0, XRPL: 0, all: 3 });
    expect([total, rows.map(({ id }) => id)]).toEqual([3, ["a", "b", "c"]]);
    expect((await listWallets({ network: "BTC" })).rows.map(({ id }) => id)).toEqual(["b"]);
  });

  it("are found by part of an address, however it is written, or by their id, and so counted", async () => {
    await keep("a", { address: "0xAbC123" });
    await keep("b", { address: "0xabd999", family: "TRON" });
    await keep("c", { address: "0x%_" });
    const { counts, total, rows } = await listWallets({ sought: "ABC" });
    expect([counts.all, counts.TRON, total, rows.map(({ id }) => id)]).toEqual([1, 0, 1, ["a"]]);
    expect(await idsFor("0xab")).toEqual(["a", "b"]);
    expect(await idsFor("b")).toEqual(["a", "b"]);
    expect(await idsFor("x_")).toEqual([]);
    expect((await listWallets({ sought: "0xab", network: "TRON" })).rows.map(({ id }) => id)).toEqual(["b"]);
  });

  it("of a user are that user's alone", async () => {
    await keep("a", { userId: "usr-1" });
    await keep("b", { userId: "usr-2" });
    await keep("c", { userId: "usr-1", tenant: "boreal" });
    expect(await listWalletsOf("usr-1")).toEqual([{ id: "a", address: "0xa", network: "EVM", status: "ACTIVE" }]);
  });

  it("come newest first, page by page", async () => {
    for (let n = 0; n <= PAGE_SIZE; n += 1) await keep(String(n), { createdAt: new Date(createdAt.getTime() + n) });
    const [first, second] = [await listWallets(), await listWallets({ page: 2 })];
    expect([first.rows[0]?.id, second.rows.map(({ id }) => id)]).toEqual([String(PAGE_SIZE), ["0"]]);
  });

  it("show what their networks hold, to the last digit, and the age of the oldest reading", async () => {
    await keep("a");
    const native = { address: "0xa", asset: "ETH", decimals: 18, balance: "1.000000000000000001", type: "native" };
    const empty = { ...native, asset: "POL", balance: "0.000" };
    const earlier = new Date("2026-03-10T11:00:00Z");
    const ofA = { tenant: "aurora", walletId: "a" };
    await db.insert(walletBalance).values([
      { ...ofA, network: "ETHEREUM", entries: [native], asOf: createdAt },
      { ...ofA, network: "POLYGON", entries: [empty], asOf: earlier },
    ]);
    const unread = await listWallets();
    expect(unread.rows).toMatchObject([{ balancesAsOf: null }]);
    expect(unread.rows[0]?.balances).toEqual([
      {
        network: "ETHEREUM",
        asset: "ETH",
        balance: "1.000000000000000001",
        decimals: 18,
        other: null,
        tokenAddress: null,
      },
    ]);
    await db.insert(walletBalance).values({ ...ofA, network: "BSC", entries: [], asOf: createdAt });
    expect((await listWallets()).rows).toMatchObject([{ balancesAsOf: earlier.toISOString() }]);
  });
});

describe("what the provider lists and cannot be read", () => {
  it("is in the list as it came, under each filter", async () => {
    const shape = { fields: [{ path: "rede", value: "EVM", isMasked: false }], more: 0 };
    const walk = { offset: 0, had: [], end: "empty", unread: [{ hash: "h", shape }] };
    await remember(db, { tenant: "aurora", name: "wallets" }, walk);
    expect(await listWallets()).toMatchObject({ rows: [], total: 0, unread: [shape], extent: "whole" });
    expect(await listWallets({ network: "BTC" })).toMatchObject({ unread: [shape] });
  });
});

describe("one wallet", () => {
  let service: Harness;
  let address = "";
  /** What the provider says each address holds, instead of what it does. */
  let listed: readonly unknown[] | null = null;
  beforeEach(async () => {
    listed = null;
    service = await givenService(
      () => {},
      (serve) => (request) =>
        listed === null || !request.url.includes("/balance") ? serve(request) : Response.json({ data: listed }),
    );
    const opened = await service.send("POST", "/v1/crypto/wallets", { body: { network: "EVM" } });
    const { data } = WalletCreated.parse(opened.body);
    address = data.address;
    await keep(data.walletId, { id: "w", address });
    await service.control("POST", "/sandbox/crypto/deposits", { network: "ETHEREUM", address, amount: "0.3" });
  });

  it("is read now, on each of its networks", async () => {
    const found = await getWallet("w");
    expect(found?.networks).toMatchObject([
      { network: "ETHEREUM", hasFailed: false },
      { network: "POLYGON", hasFailed: false },
      { network: "BSC", hasFailed: false },
    ]);
    expect(found?.balances).toMatchObject([{ network: "ETHEREUM", asset: "ETH", balance: "0.3" }]);
  });

  it("shows an entry without a balance as it came, beside the others", async () => {
    const token = { address, asset: "USDT", tokenAddress: "0xt" };
    listed = [{ ...token, saldo: "7" }, { ...token, balance: "2.5" }, null];
    const found = await getWallet("w");
    expect(found?.networks[0]).toMatchObject({
      balances: [{ asset: "USDT", balance: "2.5", tokenAddress: "0xt" }],
      unread: [
        { fields: expect.arrayContaining([expect.objectContaining({ path: "saldo", value: "7" })]) },
        { fields: [{ path: "", value: "null" }] },
      ],
      hasFailed: false,
    });
    expect((await listWallets()).rows[0]).toMatchObject({ unreadBalances: 6, balancesAsOf: expect.any(String) });
  });

  it("keeps what it showed of a network that fails, and says so", async () => {
    await getWallet("w");
    await db.update(walletBalance).set({ asOf: createdAt });
    const path = `/v1/crypto/wallets/${address}/balance`;
    await service.control("POST", "/sandbox/faults", {
      method: "GET",
      path,
      status: 422,
      body: { message: "no" },
      times: 9,
    });
    const found = await getWallet("w");
    expect(found?.networks.map(({ hasFailed }) => hasFailed)).toEqual([true, true, true]);
    expect(found?.balances).toMatchObject([{ network: "ETHEREUM", balance: "0.3" }]);
  });

  it("is not read again for those who look at the same moment", async () => {
    await getWallet("w");
    await service.control("POST", "/sandbox/crypto/deposits", { network: "ETHEREUM", address, amount: "1" });
    expect((await getWallet("w"))?.balances).toMatchObject([{ network: "ETHEREUM", balance: "0.3" }]);
    await db.update(walletBalance).set({ asOf: createdAt });
    expect((await getWallet("w"))?.balances).toMatchObject([{ network: "ETHEREUM", balance: "1.3" }]);
  });

  it("of another tenant, or of nobody, is none", async () => {
    await keep("theirs", { tenant: "boreal" });
    expect([await getWallet("theirs"), await getWallet("none")]).toEqual([null, null]);
  });
});
