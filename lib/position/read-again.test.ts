import { and, eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { lookUp } from "@/lib/accounts/look-up";
import { WalletCreated } from "@/lib/contract/crypto";
import type { Db } from "@/lib/db/connection";
import { auditEvent } from "@/lib/db/tables/audit";
import { account } from "@/lib/db/tables/customers";
import { liveEvent } from "@/lib/db/tables/live";
import { positionReading, positionRound, positionSum } from "@/lib/db/tables/position";
import { wallet, walletBalance } from "@/lib/db/tables/wallets";
import { AppError } from "@/lib/errors/app-error";
import { civilDay } from "@/lib/text/time";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import type { Harness } from "@/test/support/service/harness";
import { transfer } from "@/test/support/service/transfers";
import { openAccount } from "@/test/support/transfers";
import { readPosition } from "./read-position";
import { readAgain } from "./read-again";
import { readOn } from "./watch";

const MINUTE_MS = 60_000;
const NOON = new Date("2026-03-11T15:00:00Z");
const DAY = "2026-03-11";

let db: Db;
let service: Harness;
let finance: ReturnType<typeof actorOf<"position:rate">>;
let reader: ReturnType<typeof actorOf<"wallets:read">>;
let asked: string[] = [];
let instead: (url: string) => Response | null = () => null;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: NOON });
  givenEnv();
  db = await givenStore();
  instead = () => null;
  service = await givenService(
    ({ url }) => asked.push(url),
    (serve) => (request) => instead(request.url) ?? serve(request),
  );
  finance = actorOf("finance", await givenStaff(db, "finance"), "position:rate");
  reader = actorOf("finance", finance.id, "wallets:read");
  asked = [];
});

afterEach(() => vi.useRealTimers());

const isBalance = (url: string) => /balance/i.test(url);
const down = (url: string) => (isBalance(url) ? new Response("down", { status: 503 }) : null);
const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);
const ask = (day = civilDay(new Date())) => readAgain(finance, { day });
const sweep = () => readOn("aurora", 5 * MINUTE_MS);
const round = async (day = DAY) => (await db.select().from(positionRound).where(eq(positionRound.day, day)))[0];
const readings = async (day = DAY) =>
  db.select().from(positionReading).where(eq(positionReading.day, day)).orderBy(positionReading.subject);

async function available(day = DAY): Promise<number> {
  const isIt = and(eq(positionSum.day, day), eq(positionSum.part, "available"), eq(positionSum.kind, "account"));
  const [sum] = await db.select().from(positionSum).where(isIt);
  return Number(sum?.amount);
}

async function opened(reais: number) {
  const party = await openAccount(service, reais);
  await lookUp(actorOf("support", finance.id, "accounts:read"), { query: party.onBoardingId });
  return party;
}

const credit = (accountId: string, amount: number) =>
  service.control("POST", `/sandbox/bank-accounts/${accountId}/credit`, { amount });

async function keepWallet() {
  const { body } = await service.send("POST", "/v1/crypto/wallets", { body: { network: "BTC" } });
  const { walletId: id, address } = WalletCreated.parse(body).data;
  const made = { tenant: "aurora", id, address, family: "BTC", coin: "BTC", status: "ACTIVE" };
  const at = new Date();
  await db.insert(wallet).values({ ...made, isForwardPayment: false, createdAt: at, seenAt: at });
}

describe("a position that is read again", () => {
  it("shows money that moved since, with the time of the new readings", async () => {
    const { accountId } = await opened(10);
    await keepWallet();
    await sweep();
    await credit(accountId, 5);
    pass(30 * MINUTE_MS);
    await sweep();
    expect(await available()).toBe(10);
    expect(await ask()).toEqual({ isBegun: true });
    asked = [];
    await sweep();
    expect(asked.filter(isBalance)).toHaveLength(2);
    expect(await available()).toBe(15);
    expect(await round()).toMatchObject({ againTried: 2, againFailed: 0, againFinishedAt: expect.any(Date) });
    const { moment, round: shown, againCost } = await readPosition(reader, {});
    const at = new Date(NOON.getTime() + 30 * MINUTE_MS).toISOString();
    expect(moment).toEqual({ as: "today", at, until: at });
    expect(shown?.again).toMatchObject({ at, tried: 2, state: "finished" });
    expect(againCost).toEqual({ balances: 2, minutes: 1 });
    asked = [];
    await sweep();
    expect(asked.filter(isBalance)).toHaveLength(0);
  });

  it("takes a wallet's balance that its own watch read since, without a call", async () => {
    await keepWallet();
    await sweep();
    pass(MINUTE_MS);
    await ask();
    await db.update(walletBalance).set({ asOf: new Date(Date.now() + 1_000) });
    asked = [];
    await sweep();
    expect(asked.filter(isBalance)).toHaveLength(0);
    expect(await round()).toMatchObject({ againTried: 1, againFinishedAt: expect.any(Date) });
  });

  it("keeps earlier figures in sight, and after a kill reads only what is left", async () => {
    const first = await opened(10);
    const second = await opened(20);
    await sweep();
    await credit(first.accountId, 1);
    await credit(second.accountId, 1);
    pass(MINUTE_MS);
    await ask();
    expect(await readPosition(reader, {})).toMatchObject({ day: DAY, againCost: null, reading: null });
    expect(await available()).toBe(30);
    let left = 1;
    instead = (url) => {
      if (isBalance(url)) left -= 1;
      if (left < 0) throw new Error("killed");
      return null;
    };
    await sweep().catch(() => undefined);
    expect(await available()).toBe(31);
    const { round: shown } = await readPosition(reader, {});
    expect(shown).toMatchObject({ finishedAt: expect.any(String), again: { tried: 1, state: "under-way" } });
    instead = () => null;
    asked = [];
    await sweep();
    expect(asked.filter(isBalance)).toHaveLength(1);
    expect(await available()).toBe(32);
  });

  it("keeps the earlier figures of what fails, and tries it again later", async () => {
    const { accountId } = await opened(10);
    await opened(20);
    await sweep();
    await credit(accountId, 5);
    pass(MINUTE_MS);
    await ask();
    instead = (url) =>
      isBalance(url) && url.includes(accountId) ? Response.json({ message: "no" }, { status: 404 }) : null;
    await sweep();
    expect(await available()).toBe(30);
    const { sums, round: shown } = await readPosition(reader, {});
    expect(shown?.again).toMatchObject({ tried: 2, failed: 1, state: "finished" });
    expect(sums[0]).toMatchObject({ unread: 0, oldestAt: NOON.toISOString() });
    expect((await readPosition(reader, {})).moment?.at).toBe(NOON.toISOString());
    instead = () => null;
    pass(31 * MINUTE_MS);
    await sweep();
    expect(await available()).toBe(35);
    expect(await round()).toMatchObject({ againTried: 2, againFailed: 0 });
  });

  it("shows how far it is every few seconds, not at a sweep's end alone", async () => {
    for (const reais of [1, 2, 3]) await opened(reais);
    await sweep();
    pass(MINUTE_MS);
    await ask();
    await db.delete(liveEvent);
    instead = (url) => {
      if (isBalance(url)) pass(6_000);
      return null;
    };
    await sweep();
    const told = await db.select({ topic: liveEvent.topic }).from(liveEvent).where(eq(liveEvent.topic, "position"));
    expect(told.length).toBeGreaterThanOrEqual(3);
    expect(await round()).toMatchObject({ againTried: 3, againFinishedAt: expect.any(Date) });
  });

  it("begins once for ten presses, and puts on record who asked", async () => {
    await opened(10);
    await sweep();
    pass(MINUTE_MS);
    const begun = await Promise.all(Array.from({ length: 10 }, () => ask()));
    expect(begun.filter(({ isBegun }) => isBegun)).toHaveLength(1);
    const records = await db.select().from(auditEvent).where(eq(auditEvent.code, "position.read-again"));
    expect(records).toMatchObject([{ actor: finance.id, outcome: "DONE", detail: { calls: 1 } }]);
    expect(await ask()).toEqual({ isBegun: false });
    await sweep();
    pass(MINUTE_MS);
    expect(await ask()).toEqual({ isBegun: true });
  });

  it("does not begin before the day's own reading has ended", async () => {
    expect(await ask()).toEqual({ isBegun: false });
    await opened(10);
    await readOn("aurora", 0);
    expect(await ask()).toEqual({ isBegun: false });
  });

  it("never reads a past day", async () => {
    await opened(10);
    await sweep();
    await expect(ask("2026-03-10")).rejects.toMatchObject({ details: { code: "position-day-over" } });
    pass(24 * 60 * MINUTE_MS);
    await expect(ask(DAY)).rejects.toMatchObject({ details: { code: "position-day-over" } });
    expect((await readPosition(reader, { day: DAY })).againCost).toBeNull();
  });

  it("ends at midnight, with no reading of the next day", async () => {
    const first = await opened(10);
    const second = await opened(20);
    await sweep();
    vi.setSystemTime(new Date("2026-03-12T02:58:00Z"));
    await credit(first.accountId, 1);
    await credit(second.accountId, 1);
    await ask();
    instead = (url) => {
      if (isBalance(url)) vi.setSystemTime(new Date("2026-03-12T03:00:30Z"));
      return null;
    };
    expect(await sweep()).toBe("unfinished");
    instead = () => null;
    await sweep();
    expect((await readings()).map(({ readAt }) => civilDay(readAt ?? new Date(0)))).toEqual([DAY, DAY]);
    expect([await available(), await available("2026-03-12")]).toEqual([31, 32]);
    const { round: shown } = await readPosition(reader, { day: DAY });
    expect(shown?.again).toMatchObject({ tried: 1, state: "ended" });
    expect((await round("2026-03-12"))?.againAt).toBeNull();
  });

  it("drops a reading whose turn came only after midnight", async () => {
    await opened(10);
    await sweep();
    vi.setSystemTime(new Date("2026-03-12T02:59:00Z"));
    await ask();
    const before = await readings();
    let isRefused = false;
    instead = (url) => {
      if (!isBalance(url) || isRefused) return null;
      isRefused = true;
      vi.setSystemTime(new Date("2026-03-12T03:00:10Z"));
      return Response.json({ message: "expired" }, { status: 401 });
    };
    expect(await sweep()).toBe("unfinished");
    expect(isRefused).toBe(true);
    expect(await readings()).toEqual(before);
  });

  it("reads an account that was closed after its reading, and counts its money once", async () => {
    const from = await opened(10);
    const to = await opened(5);
    await sweep();
    await transfer(service, [from, to], { amount: 10, key: "all" });
    await db.update(account).set({ standing: "CLOSED" }).where(eq(account.accountId, from.accountId));
    pass(MINUTE_MS);
    await ask();
    await sweep();
    expect(await available()).toBe(15);
  });

  it("is dated by what holds money, not by a source that is opened later", async () => {
    await opened(10);
    await sweep();
    pass(20 * MINUTE_MS);
    await opened(0);
    await sweep();
    expect((await readPosition(reader, {})).moment).toEqual({
      as: "today",
      at: NOON.toISOString(),
      until: NOON.toISOString(),
    });
  });
});

describe("what failed because the provider was silent", () => {
  it("is read soon after it answers again", async () => {
    await opened(10);
    await sweep();
    await opened(5);
    instead = down;
    await expect(sweep()).rejects.toMatchObject({ kind: "unavailable" });
    expect(await available()).toBe(10);
    pass(MINUTE_MS);
    instead = () => null;
    await sweep();
    expect(await available()).toBe(15);
    expect(await round()).toMatchObject({ tried: 2, failed: 0 });
  });

  it("is untried where no call was made, and leaves today's position in sight", async () => {
    await opened(10);
    await sweep();
    await opened(5);
    instead = (url) => {
      if (isBalance(url)) throw new AppError("unavailable", { code: "circuit-open" });
      return null;
    };
    await sweep().catch(() => undefined);
    expect(await round()).toMatchObject({ total: 2, tried: 1, failed: 0, finishedAt: expect.any(Date) });
    expect(await readPosition(reader, {})).toMatchObject({ day: DAY, sums: [{ unread: 1 }, { unread: 1 }] });
    instead = () => null;
    await sweep();
    expect(await available()).toBe(15);
  });

  it("is tried ever more rarely while others are answered", async () => {
    const { accountId } = await opened(10);
    await opened(5);
    instead = (url) => (url.includes(accountId) ? down(url) : null);
    let calls = 0;
    for (let minute = 0; minute < 60; minute += 1) {
      asked = [];
      await sweep().catch(() => undefined);
      calls += Number(asked.some((url) => isBalance(url) && url.includes(accountId)));
      pass(MINUTE_MS);
    }
    expect(calls).toBeLessThan(9);
    expect(await available()).toBe(5);
  });
});
