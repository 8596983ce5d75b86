import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import * as fc from "fast-check";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { getSession } from "@/lib/auth/session";
import { sessionOf } from "@/test/support/auth";
import { AppError } from "@/lib/errors/app-error";
import type { Provider } from "@/lib/provider/client";
import { planMovementFile } from "@/lib/movements/order";
import { WalletCreated } from "@/lib/contract/crypto";
import { PAGE_SIZE } from "@/lib/text/page";
import { chainMovement, chainReading, wallet, walletBalance, walletLabel } from "@/lib/db/tables/wallets";
import type { Db } from "@/lib/db/connection";
import { lookupHash } from "@/lib/db/seal";
import { remember } from "@/lib/db/watch-state";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import type { Harness } from "@/test/support/service/harness";
import { givenIntents } from "@/test/support/transfers";
import { getHistory, getWallet, listDepositAddresses, listWallets, listWalletsOf } from "./queries";
import { makeDepositAddress } from "./create";
import { AddressOrder } from "./inputs";

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

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);

const refuseInTurn: Provider["get"] = () => {
  throw new AppError("rate-limited", { code: "budget-spent", retryAfterMs: 22_000 });
};

const idsFor = async (search: string) => (await listWallets({ search })).rows.map(({ id }) => id);

const received = async (word: "received-today" | "received-week") =>
  (await listWallets({ moved: word })).rows.map(({ id }) => id).toSorted();

describe("the wallets", () => {
  it("counts wallets by chain family, an unknown one only in the total", async () => {
    await keep("a");
    await keep("b", { family: "BTC" });
    await keep("c", { family: "unknown:DOGE" });
    await keep("d", { tenant: "boreal" });
    const { counts, total, rows } = await listWallets();
    expect(counts).toEqual({ EVM: 1, BTC: 1, TRON: 0, SOLANA: 0, XRPL: 0, all: 3 });
    expect([total, rows.map(({ id }) => id)]).toEqual([3, ["a", "b", "c"]]);
    expect((await listWallets({ network: "BTC" })).rows.map(({ id }) => id)).toEqual(["b"]);
  });

  it("are filtered and sorted by their last movement", async () => {
    const ids = ["a", "b", "c", "d", "e"];
    for (const id of ids) await keep(id, { family: "BTC" });
    const moved = { tenant: "aurora", network: "BITCOIN" as const, ordinal: 0, hash: "h", subtype: "incoming" };
    const movement = { ...moved, counterAddress: "x", amount: "1", blockNumber: "1" };
    await db.insert(chainMovement).values([
      { ...movement, walletId: "a", key: "1", at: hoursAgo(900) },
      { ...movement, walletId: "b", key: "1", at: hoursAgo(30) },
      { ...movement, walletId: "b", key: "2", at: hoursAgo(1), droppedAt: hoursAgo(0) },
      { ...movement, walletId: "d", key: "1", at: hoursAgo(9) },
    ]);
    const read = { tenant: "aurora", network: "BITCOIN" as const };
    await db.insert(walletBalance).values([
      { ...read, walletId: "c", entries: [], asOf: hoursAgo(0), movedAt: hoursAgo(2) },
      { ...read, walletId: "d", entries: [], asOf: hoursAgo(0), movedAt: hoursAgo(8) },
    ]);
    await db.insert(chainReading).values({ ...read, walletId: "d", asOf: hoursAgo(7) });
    const sorted = (await listWallets({ sort: "moved" })).rows;
    expect(sorted.map(({ id }) => id)).toEqual(["c", "d", "b", "a", "e"]);
    expect(sorted[1]?.lastMovedAt?.slice(0, 16)).toBe(hoursAgo(9).toISOString().slice(0, 16));
    const thisWeek = await listWallets({ moved: "week" });
    expect(thisWeek.rows.map(({ id }) => id)).toEqual(["b", "c", "d"]);
    expect([thisWeek.counts.all, thisWeek.hidden.all]).toEqual([3, 2]);
    expect((await listWallets({ moved: "day", sort: "moved" })).rows.map(({ id }) => id)).toEqual(["c", "d"]);
    const whole = await listWallets();
    expect(whole.rows[1]?.lastMovedAt).toBe(sorted[2]?.lastMovedAt);
    const holds = [{ address: "x", asset: "BTC", decimals: 8, balance: "1", type: "native" }];
    await db.update(walletBalance).set({ entries: holds });
    const { rows } = await listWallets({ sort: "moved" });
    expect(rows.flatMap(({ id, isMoveSure }) => (isMoveSure ? [] : [id]))).toEqual(["c", "b", "a", "e"]);
  });

  it.each(["day", "received-today"] as const)("may have moved (%s) until their history was read", async (moved) => {
    await keep("unread", { family: "BTC", address: "bc1unread" });
    const read = { tenant: "aurora", walletId: "unread", network: "BITCOIN" as const, asOf: new Date() };
    await db.insert(walletBalance).values({ ...read, entries: [] });
    const { counts, hidden, sums } = await listWallets({ moved });
    expect([counts.all, hidden.all, sums.unread]).toEqual([0, 1, 1]);
    await db.insert(chainReading).values(read);
    expect((await listWallets({ moved })).hidden.all).toBe(0);
    expect((await listWallets({ moved })).movesAsOf).toBe(read.asOf.toISOString());
  });

  it("know movements until a history was read, or a balance unmoved since", async () => {
    for (const id of ["still", "moving"]) await keep(id, { family: "BTC", address: `bc1${id}` });
    await keep("other", { family: "XRPL", address: "rOther" });
    const read = { tenant: "aurora", network: "BITCOIN" as const };
    const [long, recent] = [hoursAgo(700), hoursAgo(1)];
    await db.insert(walletBalance).values([
      { ...read, walletId: "still", entries: [], asOf: recent, movedAt: hoursAgo(800) },
      { ...read, walletId: "moving", entries: [], asOf: recent },
    ]);
    expect((await listWallets()).movesAsOf).toBeNull();
    await db.insert(chainReading).values([
      { ...read, walletId: "still", asOf: long },
      { ...read, walletId: "moving", asOf: long },
      { ...read, walletId: "other", network: "XRPL", asOf: hoursAgo(900) },
    ]);
    expect((await listWallets({ moved: "week", network: "BTC" })).movesAsOf).toBe(recent.toISOString());
    await db
      .update(walletBalance)
      .set({ movedAt: hoursAgo(2) })
      .where(eq(walletBalance.walletId, "moving"));
    expect((await listWallets({ moved: "week", network: "BTC" })).movesAsOf).toBe(long.toISOString());
    expect((await listWallets({ network: "BTC" })).movesAsOf).toBe(long.toISOString());
  });

  it("are filtered by what others sent them, and say which way they moved last", async () => {
    await keep("checkout", { family: "BTC", address: "bc1checkout" });
    await keep("master", { family: "BTC", address: "bc1master" });
    await keep("quiet", { family: "BTC", address: "bc1quiet" });
    const at = new Date();
    const moved = { tenant: "aurora", network: "BITCOIN" as const, ordinal: 0, amount: "1", blockNumber: "1", at };
    const incoming = { ...moved, subtype: "incoming" };
    await db.insert(chainMovement).values([
      {
        ...incoming,
        walletId: "checkout",
        key: "1",
        hash: "a",
        counterAddress: "bc1stranger",
        at: new Date(at.getTime() - 1),
      },
      { ...moved, walletId: "checkout", key: "2", hash: "b", subtype: "outgoing", counterAddress: "bc1master" },
      { ...incoming, walletId: "master", key: "1", hash: "b", counterAddress: "bc1checkout" },
      { ...incoming, walletId: "quiet", key: "1", hash: "c", counterAddress: "bc1stranger", at: hoursAgo(48) },
      { ...incoming, walletId: "quiet", key: "2", hash: "d", counterAddress: "bc1stranger", status: "failed" },
    ]);
    expect(await received("received-today")).toEqual(["checkout"]);
    expect(await received("received-week")).toEqual(["checkout", "quiet"]);
    const rows = (await listWallets()).rows.map(({ id, lastDirection }) => [id, lastDirection]);
    expect(Object.fromEntries(rows)).toEqual({ checkout: "own", master: "own", quiet: "in" });
  });

  it("are found by part of an address in any case, or by id, and counted", async () => {
    await keep("a", { address: "0xAbC123" });
    await keep("b", { address: "0xabd999", family: "TRON" });
    await keep("c", { address: "0x%_" });
    const { counts, total, rows } = await listWallets({ search: "ABC" });
    expect([counts.all, counts.TRON, total, rows.map(({ id }) => id)]).toEqual([1, 0, 1, ["a"]]);
    expect(await idsFor("0xab")).toEqual(["a", "b"]);
    expect(await idsFor("b")).toEqual(["a", "b"]);
    expect(await idsFor("x_")).toEqual([]);
    expect((await listWallets({ search: "0xab", network: "TRON" })).rows.map(({ id }) => id)).toEqual(["b"]);
  });

  it("limits wallets to one user's when filtered", async () => {
    await keep("a", { userId: "usr-1" });
    await keep("b", { userId: "usr-2" });
    await keep("c", { userId: "usr-1", tenant: "boreal" });
    expect(await listWalletsOf("usr-1")).toEqual([{ id: "a", address: "0xa", network: "EVM", status: "ACTIVE" }]);
  });

  it("lists wallets newest first, page by page", async () => {
    for (let n = 0; n <= PAGE_SIZE; n += 1) await keep(String(n), { createdAt: new Date(createdAt.getTime() + n) });
    const first = await listWallets();
    const second = await listWallets({ page: 2 });
    expect([first.rows[0]?.id, second.rows.map(({ id }) => id)]).toEqual([String(PAGE_SIZE), ["0"]]);
  });

  it("shows exact balances per network, and the age of the oldest reading", async () => {
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
        doubt: null,
        tokenAddress: null,
      },
    ]);
    await db.insert(walletBalance).values({ ...ofA, network: "BSC", entries: [], asOf: createdAt });
    expect((await listWallets()).rows).toMatchObject([{ balancesAsOf: earlier.toISOString() }]);
  });
});

const hold = (walletId: string, network: "ETHEREUM" | "BITCOIN" | "POLYGON", asset: string, balance: string) =>
  db.insert(walletBalance).values({
    tenant: "aurora",
    walletId,
    network,
    entries: [{ address: "x", asset, decimals: 18, balance, type: "native" }],
    asOf: createdAt,
  });
const label = (walletId: string, text: string, use: "own" | null) =>
  db.insert(walletLabel).values({
    tenant: "aurora",
    walletId,
    label: text,
    use,
    setBy: randomUUID(),
    setAt: createdAt,
  });
const unreadIn = async (filter: Parameters<typeof listWallets>[0]) => (await listWallets(filter)).sums.unread;
const ids = async (filter: Parameters<typeof listWallets>[0]) => (await listWallets(filter)).rows.map(({ id }) => id);

describe("filters and totals of the wallets", () => {
  it("tells dust, zero and unread apart, and finds by asset, use, user and label", async () => {
    for (const id of ["some", "dust", "zero", "unread"]) await keep(id, { family: "BTC" });
    await db.update(wallet).set({ userId: "usr-7" }).where(eq(wallet.id, "dust"));
    await hold("some", "BITCOIN", "BTC", "0.0001");
    await hold("dust", "BITCOIN", "BTC", "0.00009999");
    await hold("zero", "BITCOIN", "BTC", "0.0");
    await label("zero", "Tesouraria fria", "own");
    for (const holding of ["some", "dust", "zero", "unread"] as const)
      expect(await ids({ holding })).toEqual([holding]);
    expect(await ids({ asset: "btc" })).toEqual(["dust", "some"]);
    expect(await ids({ use: "own" })).toEqual(["zero"]);
    expect(await ids({ use: "untold" })).toEqual(["some", "unread"]);
    expect(await ids({ search: "TESOURARIA" })).toEqual(["zero"]);
    await label("some", "Ágata (cofre)", "own");
    for (const search of ["Ágata", "agata (C", "ÁGATA"]) expect(await ids({ search })).toEqual(["some"]);
    expect(await ids({ search: "tesouraria FRIA" })).toEqual(["zero"]);
    expect(await ids({ user: "usr-7" })).toEqual(["dust"]);
    for (const search of ["USR-7", "Dust"]) expect(await ids({ search })).toEqual(["dust"]);
    expect((await listWallets({ holding: "dust" })).counts).toMatchObject({ all: 1, BTC: 1 });
  });

  it("sums matching wallets to the last unit, and names what is missing", async () => {
    const one = "999999999999999999999999999999.000000000000000001";
    const other = "1.000000000000000009";
    for (const id of ["a", "b", "never"]) await keep(id, { family: "BTC" });
    await hold("a", "BITCOIN", "BTC", one);
    await hold("b", "BITCOIN", "BTC", other);
    expect((await listWallets({ holding: "some" })).sums).toMatchObject({
      rows: [{ network: "BITCOIN", asset: "BTC", sum: "1000000000000000000000000000000.00000000000000001" }],
      unread: 1,
      oldest: createdAt.toISOString(),
    });
    expect((await listWallets()).sums.unread).toBe(1);
  });

  it("sums two wallets with one address once, by the last reading", async () => {
    const address = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
    await keep("a", { address });
    await keep("b", { address: address.toLowerCase() });
    await hold("a", "ETHEREUM", "ETH", "1");
    await hold("b", "ETHEREUM", "ETH", "2");
    await db
      .update(walletBalance)
      .set({ asOf: new Date(createdAt.getTime() + 1) })
      .where(eq(walletBalance.walletId, "b"));
    const { rows, sums } = await listWallets();
    expect(rows.map(({ balances }) => balances.map(({ balance }) => balance))).toEqual([["2"], ["2"]]);
    expect(sums).toMatchObject({ rows: [{ asset: "ETH", sum: "2.00" }], unread: 1 });
  });

  it("adds up each address once, however many ids it has", async () => {
    const actor = actorOf("finance", await givenStaff(db, "finance"), "statement:export");
    const listed = fc.record({
      address: fc.bigInt(1n, 2n ** 160n - 1n).map((n) => `0x${n.toString(16).padStart(40, "0")}`),
      times: fc.integer({ min: 1, max: 3 }),
      held: fc.bigInt(1n, 10n ** 12n).map(String),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(listed, { minLength: 1, maxLength: 5, selector: ({ address }) => address }),
        async (places) => {
          await db.delete(wallet);
          await db.delete(walletBalance);
          for (const [at, { address, times, held }] of places.entries()) {
            for (let nth = 0; nth < times; nth += 1) {
              const id = `w${at}-${nth}`;
              const spelt = nth === 0 ? address : `0x${address.slice(2).toUpperCase()}`;
              await keep(id, { address: spelt });
              await hold(id, "POLYGON", "POL", held);
            }
          }
          const total = places.reduce((sum, { held }) => sum + BigInt(held), 0n);
          expect((await listWallets()).sums.rows).toMatchObject([{ asset: "POL", sum: `${total}.00` }]);
          const order = { from: "2026-03-01", to: "2026-03-31", format: "csv", scope: "wallets", names: "" } as const;
          expect((await planMovementFile(actor, order)).wallets).toBe(places.length * 3);
        },
      ),
      { numRuns: 40 },
    );
  });

  it("adds up a token by its contract in any spelling", async () => {
    const contract = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
    const of = { tenant: "aurora", network: "ETHEREUM", asOf: createdAt } as const;
    for (const [id, asset, tokenAddress] of [
      ["a", "USDT", contract],
      ["b", "usdt", contract.toLowerCase()],
      ["c", "USDT", "0x1111111111111111111111111111111111111111"],
    ] as const) {
      await keep(id, {});
      const entry = { address: "", asset, decimals: 6, balance: "1.50", tokenAddress };
      await db.insert(walletBalance).values({ ...of, walletId: id, entries: [entry] });
    }
    const { rows } = (await listWallets()).sums;
    const sums = new Map(rows.map(({ tokenAddress, sum }) => [tokenAddress?.slice(0, 4).toLowerCase(), sum]));
    expect([...sums]).toHaveLength(2);
    expect([sums.get("0x11"), sums.get("0xda")]).toEqual(["1.50", "3.00"]);
  });

  it("counts unread wallets that may match an asset or holding filter", async () => {
    for (const id of ["some", "zero", "never"]) await keep(id, { family: "BTC" });
    for (const id of ["partly", "other"]) await keep(id, { family: "EVM" });
    await label("other", "Tesouraria", "own");
    await hold("some", "BITCOIN", "BTC", "2");
    await hold("zero", "BITCOIN", "BTC", "0");
    await hold("partly", "ETHEREUM", "ETH", "3");
    expect(await listWallets({ asset: "BTC" })).toMatchObject({
      total: 1,
      counts: { all: 1, BTC: 1, EVM: 0 },
      hidden: { all: 3, BTC: 1, EVM: 2 },
      sums: { rows: [{ sum: "2.00" }], unread: 3 },
    });
    expect(await unreadIn({ asset: "BTC", network: "BTC" })).toBe(1);
    expect(await unreadIn({ asset: "BTC", use: "own" })).toBe(1);
    for (const holding of ["zero", "dust"] as const) expect(await unreadIn({ holding })).toBe(2);
    expect(await unreadIn({ holding: "some" })).toBe(3);
    expect(await unreadIn({ asset: "BTC", holding: "some", search: "some" })).toBe(0);
    expect(await listWallets({ holding: "unread" })).toMatchObject({ total: 2, hidden: { all: 0 } });
  });

  it("flags totals when a balance is unreadable or more than exists", async () => {
    for (const id of ["a", "b"]) await keep(id, { family: "BTC" });
    await hold("a", "BITCOIN", "BTC", "1.5");
    const shape = { fields: [{ path: "saldo", value: "7", isMasked: false }], more: 0 };
    const of = { tenant: "aurora", network: "BITCOIN", asOf: createdAt } as const;
    await db.insert(walletBalance).values({ ...of, walletId: "b", entries: [{ shape }] });
    expect((await listWallets()).sums).toMatchObject({ rows: [{ sum: "1.50" }], unread: 1, unsure: 0 });
    const whole = { address: "x", asset: "BTC", decimals: 8, balance: "2100000000", type: "native" };
    await db
      .update(walletBalance)
      .set({ entries: [whole] })
      .where(eq(walletBalance.walletId, "b"));
    expect((await listWallets()).sums).toMatchObject({ rows: [{ sum: "2100000001.50" }], unread: 0, unsure: 1 });
  });
});

describe("what the provider lists and cannot be read", () => {
  it("lists an unreadable wallet as it came, under each filter", async () => {
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
  /** Replaces the provider's balances of each address. */
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

  it("reads a wallet now on each of its networks", async () => {
    const found = await getWallet("w");
    expect(found?.networks).toMatchObject([
      { network: "ETHEREUM", trouble: null },
      { network: "POLYGON", trouble: null },
      { network: "BSC", trouble: null },
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
      trouble: null,
    });
    expect((await listWallets()).rows[0]).toMatchObject({ unreadBalances: 6, balancesAsOf: expect.any(String) });
  });

  it("keeps a failed network's last values, and says so", async () => {
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
    expect(found?.networks.map(({ trouble }) => trouble)).toEqual([0, 1, 2].map(() => ({ as: "failed" })));
    expect(found?.balances).toMatchObject([{ network: "ETHEREUM", balance: "0.3" }]);
  });

  it("says until when our own budget postponed a network's reading", async () => {
    const client = globalThis.retaguardaBanks?.get("aurora");
    if (client === undefined) throw new Error("there is no bank yet");
    globalThis.retaguardaBanks = new Map([["aurora", { ...client, get: refuseInTurn }]]);
    const isPutOff = { trouble: { as: "put-off", until: expect.any(String) } };
    expect((await getWallet("w"))?.networks).toMatchObject([isPutOff, isPutOff, isPutOff]);
    expect((await getHistory("w"))?.readings).toMatchObject([isPutOff, isPutOff, isPutOff]);
  });

  it("reads a wallet once for people who open it together", async () => {
    await getWallet("w");
    await service.control("POST", "/sandbox/crypto/deposits", { network: "ETHEREUM", address, amount: "1" });
    expect((await getWallet("w"))?.balances).toMatchObject([{ network: "ETHEREUM", balance: "0.3" }]);
    await db.update(walletBalance).set({ asOf: createdAt });
    expect((await getWallet("w"))?.balances).toMatchObject([{ network: "ETHEREUM", balance: "1.3" }]);
  });

  it("finds no wallet of another tenant, nor an unknown one", async () => {
    await keep("theirs", { tenant: "boreal" });
    expect([await getWallet("theirs"), await getWallet("none")]).toEqual([null, null]);
  });
});

const foundBy = async (search: string) => (await listDepositAddresses({ search })).rows.map((row) => row.address);

const make = (staffId: string, changes: object) => {
  const order = { intentId: randomUUID(), family: "EVM", reference: "order-7", customer: "", ...changes };
  return makeDepositAddress(actorOf("finance", staffId, "wallets:create"), AddressOrder.parse(order));
};

describe("the deposit addresses", () => {
  it("finds addresses by reference, customer or part of the address", async () => {
    await givenService();
    givenIntents();
    const staffId = await givenStaff(db, "finance");
    const intentId = randomUUID();
    const first = await make(staffId, { customer: "ana", intentId });
    const second = await make(staffId, { reference: "order-8", family: "TRON" });
    expect(await foundBy("order-7")).toEqual([first.address]);
    expect(await foundBy("ana")).toEqual([first.address]);
    expect(await foundBy(intentId)).toEqual([first.address]);
    expect(await foundBy(second.address?.slice(3, 15) ?? "")).toEqual([second.address]);
    expect(new Set(await foundBy("ORDER"))).toEqual(new Set([first.address, second.address]));
    expect(await foundBy("order-9")).toEqual([]);
    const { rows, total } = await listDepositAddresses();
    expect([total, rows.map(({ reference }) => reference)]).toEqual([2, ["order-8", "order-7"]]);
  });

  it("links addresses to their wallet once the list has it", async () => {
    await givenService();
    givenIntents();
    const { address } = await make(await givenStaff(db, "finance"), {});
    expect((await listDepositAddresses()).rows).toMatchObject([{ walletId: null }]);
    await keep("w-1", { address: address?.toUpperCase() ?? "", isForwardPayment: true });
    expect((await listDepositAddresses()).rows).toMatchObject([{ walletId: "w-1" }]);
  });

  it("shows a deposit address's reference and customer on the wallet's page", async () => {
    await givenService();
    givenIntents();
    const { address } = await make(await givenStaff(db, "finance"), { customer: "ana" });
    await keep("w-1", { address: address?.toUpperCase() ?? "", isForwardPayment: true });
    await keep("w-2", { address: address ?? "", family: "TRON" });
    expect((await getWallet("w-1"))?.origin).toMatchObject({
      reference: "order-7",
      customer: "ana",
      isUnopened: false,
    });
    expect((await getWallet("w-2"))?.origin).toBeNull();
  });

  it("finds the wallet of a deposit address by its whole reference", async () => {
    await givenService();
    givenIntents();
    const { address } = await make(await givenStaff(db, "finance"), {});
    await keep("w-1", { address: address?.toUpperCase() ?? "", isForwardPayment: true });
    await keep("w-2", { address: address ?? "", family: "TRON" });
    expect(await idsFor("order-7")).toEqual(["w-1"]);
    expect(await idsFor("order")).toEqual([]);
    await db
      .update(wallet)
      .set({ referenceHash: lookupHash("pedido-1") })
      .where(eq(wallet.id, "w-2"));
    expect(await idsFor("pedido-1")).toEqual(["w-2"]);
  });
});
