import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { lookUp } from "@/lib/accounts/look-up";
import { WalletCreated } from "@/lib/contract/crypto";
import { sweepOnce } from "@/lib/watch/watch";
import { account } from "@/lib/db/tables/customers";
import type { Db } from "@/lib/db/connection";
import { lookupHash } from "@/lib/db/seal";
import { env } from "@/lib/settings/env";
import { remember } from "@/lib/db/watch-state";
import { showBody } from "@/lib/text/shown-body";
import { civilDay, civilDaysAgo } from "@/lib/text/time";
import { networksOf, WALLETS_WATCH } from "@/lib/wallets/inputs";
import { wallet, walletLabel } from "@/lib/db/tables/wallets";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import type { Harness } from "@/test/support/service/harness";
import { type Manner, otherProvider, strangest } from "@/test/other-provider";
import { openAccount } from "@/test/support/transfers";
import { positionReading, positionRound, positionSum } from "@/lib/db/tables/position";
import { getSession } from "@/lib/auth/session";
import { watchActor } from "@/lib/permission/grant";
import { readCsv } from "@/lib/text/csv";
import { decimalOf, unitsOf } from "@/lib/text/decimal";
import { refreshHistory } from "@/lib/wallets/history";
import { listWallets } from "@/lib/wallets/queries";
import { refreshBalance, storedHoldings } from "@/lib/wallets/records";
import { walletWatch } from "@/lib/wallets/watch";
import { sessionOf } from "@/test/support/auth";
import { linesOf, startOf, sweepAll } from "@/test/support/movements";
import { heldIn, movedIn, oddProvider, oddWallets } from "@/test/support/odd-wallets";
import { tellsOwn } from "./own-accounts";
import { positionWatch, readOn } from "./watch";

let db: Db;
let service: Harness;
let asked: string[] = [];

/** Replaces the service's answer. */
let instead: (request: Request) => Response | Promise<Response> | null = () => null;
let manner: Manner = {};

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  instead = () => null;
  manner = {};
  service = await givenService(
    ({ url }) => asked.push(url),
    (serve) => (request) => instead(request) ?? otherProvider(serve, manner)(request),
  );
  asked = [];
});

afterEach(() => vi.useRealTimers());

async function given(reais: number): Promise<string> {
  const { onBoardingId, accountId } = await openAccount(service, reais);
  await lookUp(actorOf("support", await givenStaff(db, "support"), "accounts:read"), { query: onBoardingId });
  return accountId;
}

async function keepWallet(network: string, changes: Partial<typeof wallet.$inferInsert> = {}) {
  const { body } = await service.send("POST", "/v1/crypto/wallets", { body: { network } });
  const { walletId, address } = WalletCreated.parse(body).data;
  const seenAt = new Date();
  const made = { tenant: "aurora", id: walletId, address, family: network, coin: "BTC", status: "ACTIVE" };
  await db.insert(wallet).values({ ...made, isForwardPayment: false, createdAt: seenAt, seenAt, ...changes });
  return { walletId, address };
}

const balanceCalls = () => asked.filter((url) => /balance/i.test(url));
const sums = () => db.select().from(positionSum).orderBy(positionSum.network, positionSum.part);
const round = async () => (await db.select().from(positionRound))[0];

const refusing = (accountId: string) => (request: Request) =>
  request.url.includes(accountId) && /balance/i.test(request.url)
    ? Response.json({ message: "no" }, { status: 404 })
    : null;

describe("the daily round", () => {
  it("reads each account once and sums its reais", async () => {
    await given(10);
    await given(5);
    asked = [];
    await sweepOnce(positionWatch, "aurora");
    expect(balanceCalls()).toHaveLength(2);
    expect((await sums()).map(({ part, amount, unread }) => [part, Number(amount), unread])).toEqual([
      ["available", 15, 0],
      ["blocked", 0, 0],
    ]);
    expect(await round()).toMatchObject({ day: civilDay(new Date()), total: 2, tried: 2, failed: 0 });
    expect((await round())?.finishedAt).not.toBeNull();
    await sweepOnce(positionWatch, "aurora");
    expect(balanceCalls()).toHaveLength(2);
  });

  it("reads forward wallets last, once a day", async () => {
    const forward = await keepWallet("BTC", { id: "a", isForwardPayment: true });
    const own = await keepWallet("BTC", { id: "b" });
    asked = [];
    await sweepOnce(positionWatch, "aurora");
    expect(balanceCalls().map((url) => [own, forward].findIndex(({ address }) => url.includes(address)))).toEqual([
      0, 1,
    ]);
    await sweepOnce(positionWatch, "aurora");
    expect(balanceCalls()).toHaveLength(2);
  });

  it("tells the time of the last reading that it counts", async () => {
    await given(10);
    await sweepOnce(positionWatch, "aurora");
    const finishedAt = new Date(Date.now() - 3_600_000);
    await db.update(positionRound).set({ finishedAt });
    await sweepOnce(positionWatch, "aurora");
    expect(await round()).toMatchObject({ tried: 1, finishedAt });
    await given(5);
    await sweepOnce(positionWatch, "aurora");
    const later = await round();
    expect(later).toMatchObject({ total: 2, tried: 2 });
    expect(later?.finishedAt?.getTime()).toBeGreaterThan(finishedAt.getTime());
  });

  it("resumes a round after an interruption without reading an account twice", async () => {
    await given(10);
    await given(5);
    const [first] = await db.select().from(account).orderBy(account.ref);
    if (first === undefined) throw new Error("there is no account");
    const tenant = "aurora";
    const day = civilDay(new Date());
    const at = new Date();
    await db.insert(positionRound).values({ tenant, day, startedAt: at, total: 2, tried: 1, failed: 0 });
    const read = { subject: `account:${first.ref}`, network: "", kind: "account", attempts: 1, triedAt: at } as const;
    await db.insert(positionReading).values({ tenant, day, ...read, figures: [], readAt: at });
    asked = [];
    await sweepOnce(positionWatch, "aurora");
    expect(balanceCalls()).toHaveLength(1);
    expect(balanceCalls()[0]).not.toContain(first.accountId);
  });

  it("counts an unreadable account and retries it only later", async () => {
    const accountId = await given(10);
    await given(5);
    instead = refusing(accountId);
    await sweepOnce(positionWatch, "aurora");
    expect((await sums()).map(({ amount, unread }) => [Number(amount), unread])).toEqual([
      [5, 1],
      [0, 1],
    ]);
    expect(await round()).toMatchObject({ total: 2, tried: 2, failed: 1 });
    asked = [];
    instead = () => null;
    await sweepOnce(positionWatch, "aurora");
    expect(balanceCalls()).toHaveLength(0);
    await db.update(positionReading).set({ triedAt: new Date(Date.now() - 3_600_000) });
    await sweepOnce(positionWatch, "aurora");
    expect(balanceCalls()).toHaveLength(1);
    expect((await sums()).map(({ amount, unread }) => [Number(amount), unread])).toEqual([
      [15, 0],
      [0, 0],
    ]);
  });

  it("says that a round is unfinished when its time is over", async () => {
    await given(10);
    expect(await readOn("aurora", 0)).toBe("unfinished");
    expect(await round()).toMatchObject({ total: 1, tried: 0, finishedAt: null });
    expect(await sums()).toMatchObject([{ amount: null, unread: 1 }]);
  });

  it("separates the company's own accounts by the CNPJ in its settings", async () => {
    await given(10);
    await given(5);
    const [aurora] = env().tenants;
    if (aurora === undefined) throw new Error("there is no tenant");
    const [own] = await db.select().from(account).orderBy(account.ref);
    await db
      .update(account)
      .set({ documentHash: lookupHash("11222333000181") })
      .where(eq(account.ref, own?.ref ?? ""));
    await sweepOnce(positionWatch, "aurora");
    const company = { name: "Aurora", cnpj: "11.222.333/0001-81" };
    givenEnv({ tenants: [{ ...aurora, company }] });
    expect(await tellsOwn(db, "aurora", civilDay(new Date()))).toBe(false);
    await db.delete(positionReading);
    await sweepOnce(positionWatch, "aurora");
    expect(await tellsOwn(db, "aurora", civilDay(new Date()))).toBe(true);
    const kinds = (await db.select().from(positionReading)).map(({ subject, kind }) => [subject, kind]);
    expect(kinds).toContainEqual([`account:${own?.ref}`, "own-account"]);
    expect((await sums()).map(({ kind, readings }) => `${kind} ${readings}`).toSorted()).toEqual([
      "account 1",
      "account 1",
      "own-account 1",
      "own-account 1",
    ]);
  });

  it("classifies wallets by finance's label, else by the interface", async () => {
    const { walletId } = await keepWallet("BTC", { isForwardPayment: true });
    const label = { tenant: "aurora", walletId, use: "own", setBy: randomUUID(), setAt: new Date() } as const;
    await db.insert(walletLabel).values(label);
    await keepWallet("BTC", { isForwardPayment: true });
    await keepWallet("BTC", { userId: "usr-1" });
    await keepWallet("BTC");
    await sweepOnce(positionWatch, "aurora");
    const kinds = (await db.select().from(positionReading)).map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual(["checkout", "customer", "own", "untold"]);
  });

  it("moves a wallet's sums to the use that finance gives it later the same day", async () => {
    const { walletId } = await keepWallet("BTC");
    const kindsOf = async (table: typeof positionReading | typeof positionSum) =>
      (await db.select({ kind: table.kind }).from(table)).map(({ kind }) => kind);
    await sweepOnce(positionWatch, "aurora");
    expect([await kindsOf(positionReading), await kindsOf(positionSum)]).toEqual([["untold"], ["untold"]]);
    const label = { tenant: "aurora", walletId, use: "own", setBy: randomUUID(), setAt: new Date() } as const;
    await db.insert(walletLabel).values(label);
    await sweepOnce(positionWatch, "aurora");
    expect([await kindsOf(positionReading), await kindsOf(positionSum)]).toEqual([["own"], ["own"]]);
  });

  it("stops a round at midnight, and starts the next day with every account", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-03-11T02:59:50Z") });
    await given(10);
    await given(5);
    instead = () => {
      if (/balance/i.test(asked.at(-1) ?? "")) vi.setSystemTime(new Date("2026-03-11T03:00:10Z"));
      return null;
    };
    vi.setSystemTime(new Date("2026-03-11T02:59:50Z"));
    expect(await readOn("aurora", 60_000)).toBe("unfinished");
    await readOn("aurora", 60_000);
    const rounds = await db.select().from(positionRound).orderBy(positionRound.day);
    expect(rounds.map(({ day, tried, total }) => [day, tried, total])).toEqual([
      ["2026-03-10", 1, 2],
      ["2026-03-11", 2, 2],
    ]);
  });
});

const balances = (answer: (held: readonly object[]) => unknown) => (request: Request) =>
  /wallets\/.*balance/.test(request.url)
    ? (async () => {
        const response = await service.app.request(request);
        const body = z.looseObject({ data: z.array(z.looseObject({})) }).parse(await response.json());
        return Response.json({ ...body, data: answer(body.data) });
      })()
    : null;
const read = async () => {
  await sweepOnce(positionWatch, "aurora");
  return (await sums()).map(({ network, asset, amount, readings, unread }) => [
    network,
    asset,
    amount === null ? null : Number(amount),
    readings,
    unread,
  ]);
};

describe("of another provider", () => {
  it("counts listed items that cannot be read by id", async () => {
    await keepWallet("BTC", { family: "DOGE" });
    const unread = [{ hash: "h", shape: showBody({ what: "ever" }) }];
    const walk = { offset: 0, had: [], end: "empty", unread, length: 1, front: null, walkedAt: null };
    await remember(db, { tenant: "aurora", name: WALLETS_WATCH }, walk);
    await remember(db, { tenant: "aurora", name: "onboarding" }, { unread });
    await sweepOnce(positionWatch, "aurora");
    expect(await round()).toMatchObject({ total: 0, outside: 3 });
    await remember(db, { tenant: "aurora", name: "onboarding" }, { unread: [] });
    await sweepOnce(positionWatch, "aurora");
    expect(await round()).toMatchObject({ total: 0, outside: 2 });
    expect(await sums()).toEqual([]);
  });

  it("counts a wallet once when it has two ids", async () => {
    const { address } = await keepWallet("BTC");
    await keepWallet("BTC", { address });
    expect(await read()).toEqual([["BITCOIN", "BTC", 0, 1, 0]]);
    expect(balanceCalls()).toHaveLength(1);
  });

  it("does not add a balance that one answer repeats", async () => {
    await keepWallet("BTC");
    instead = balances((held) => [...held, ...held]);
    expect(await read()).toEqual([["BITCOIN", "BTC", 0, 1, 0]]);
  });

  it("takes neither of two contradicting balances of one asset", async () => {
    await keepWallet("BTC");
    instead = balances((held) => [...held, ...held.map((one) => ({ ...one, balance: "1" }))]);
    expect(await read()).toEqual([["BITCOIN", "BTC", null, 0, 1]]);
  });

  it.each([
    ["an amount that is no number", { balance: "n/a" }],
    ["an amount that is not there", { balance: null }],
    ["an asset that is not told", { asset: null }],
  ])("counts %s as unread, not 0", async (_, changes) => {
    await keepWallet("BTC");
    instead = balances((held) => held.map((one) => ({ ...one, ...changes })));
    const rows = await read();
    expect(rows.map(([, , amount, readings, unread]) => [amount, readings, unread])).toEqual([[null, 0, 1]]);
  });

  it("keeps every digit of reais among unknown fields", async () => {
    await given(10);
    manner = strangest;
    await sweepOnce(positionWatch, "aurora");
    expect((await sums())[0]).toMatchObject({ amount: "10.000000000000002", readings: 1, unread: 0 });
  });

  it("continues after failures and retries them later", async () => {
    const first = await given(10);
    await given(5);
    const [row] = await db.select().from(account).orderBy(account.ref);
    const failing = row?.accountId ?? first;
    instead = (request) => (request.url.includes(failing) ? new Response("down", { status: 503 }) : null);
    await sweepOnce(positionWatch, "aurora");
    expect(await round()).toMatchObject({ tried: 1, failed: 1 });
    await sweepOnce(positionWatch, "aurora");
    expect(await round()).toMatchObject({ tried: 2, failed: 1 });
    instead = () => null;
    await db.update(positionReading).set({ triedAt: new Date(Date.now() - 3_600_000) });
    await sweepOnce(positionWatch, "aurora");
    expect(await round()).toMatchObject({ tried: 2, failed: 0 });
  });
});

const SEEDS = process.env["TEST_LONG"] ? 200 : 40;

const cellsIn = (csv: string, first: string) =>
  readCsv(csv)
    .rows.map(({ cells }) => cells)
    .filter(([kind]) => kind === first);

async function readEverything(): Promise<void> {
  const reader = watchActor("wallets", "aurora", "wallets:read");
  await sweepOnce(walletWatch, "aurora");
  for (const { id, address, family } of await db.select().from(wallet))
    for (const network of networksOf(family)) {
      const one = { walletId: id, address, network };
      if ((await storedHoldings(db, "aurora", one)) === null)
        await refreshBalance(reader, one).catch(() => refreshBalance(reader, one));
      await refreshHistory(reader, one).catch(() => refreshHistory(reader, one));
    }
  await readOn("aurora", 300_000);
}

async function fileOf(): Promise<string> {
  const staffId = await givenStaff(db, "finance");
  vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId, roles: ["finance"] }));
  const period = { from: civilDaysAgo(300), to: civilDaysAgo(0) };
  const id = await startOf(actorOf("finance", staffId, "statement:export"), { ...period, scope: "wallets" });
  await sweepAll();
  return (await linesOf(id)).join("\n");
}

describe("an odd provider", () => {
  it(`shows the same in list, position, file and state, by ${SEEDS} seeds`, { timeout: 300_000 }, async () => {
    const told = oddWallets(SEEDS, 49);
    instead = oddProvider(told);
    await readEverything();
    const file = await fileOf();

    const { sums: shown } = await listWallets();
    const ofList = shown.rows.map(({ network, asset, sum }) => [`${network} ${asset}`, sum]);
    expect(Object.fromEntries(ofList)).toEqual(heldIn(told));
    expect(shown).toMatchObject({ unread: 0, unsure: 0 });

    const ofDay = (await sums()).map(({ network, asset, amount }) => [`${network} ${asset}`, Number(amount)]);
    const held = Object.entries(heldIn(told)).map(([key, amount]) => [key, Number(amount)]);
    expect(Object.fromEntries(ofDay)).toEqual(Object.fromEntries(held));
    const places = told.reduce((sum, one) => sum + one.places.length, 0);
    expect(await round()).toMatchObject({ total: places, tried: places, failed: 0 });

    const rows = cellsIn(file, "wallet").map((cells) => {
      const [network, side = "", amount = "", booked, hash = ""] = [5, 8, 9, 10, 13].map((at) => cells[at]);
      const key = hash.toLowerCase().replace(/^0x/, "");
      return [network, key, side, decimalOf(unitsOf(amount)), booked].join(" ");
    });
    expect(rows.toSorted()).toEqual(movedIn(told).toSorted());
    const notes = readCsv(file).rows.map(({ cells }) => cells.at(-1) ?? "");
    const counted = notes.map((note) => Number(/^# total .*count (\d+)/.exec(note)?.[1] ?? 0));
    expect(counted.reduce((sum, count) => sum + count, 0)).toBe(rows.length);

    const states = (await db.select().from(wallet)).map(({ id, status }) => `${id} ${status.replace(/^unknown:/, "")}`);
    const words = told.flatMap(({ ids, status }) => ids.map((id) => `${id} ${status}`));
    expect(states.toSorted()).toEqual(words.toSorted());
  });
});
