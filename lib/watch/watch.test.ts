import { randomUUID } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { AppError } from "@/lib/errors/app-error";
import { liveEvent } from "@/lib/db/tables/live";
import { reconcileTenant } from "@/lib/boot/boot";
import { log } from "@/lib/log/log";
import { lease } from "@/lib/db/lease";
import { watchState } from "@/lib/db/tables/watch";
import type { Db } from "@/lib/db/connection";
import { givenEnv, givenStore } from "@/test/support/console";
import { announceWatches, triggerWatch, startWatches, sweepOnce, takeTurn, type Watch } from "./watch";
import { freshness, listWatches } from "@/lib/db/watch-state";

const INTERVAL_MS = 30_000;
const one = { holder: randomUUID() };
const other = { holder: randomUUID() };

let db: Db;
let sweeps: string[] = [];
const watch: Watch = {
  name: "kyc",
  topic: "kyc",
  sweep: async (tenant) => {
    sweeps.push(tenant);
  },
};

beforeEach(async () => {
  givenEnv({ watchIntervalMs: INTERVAL_MS });
  db = await givenStore();
  sweeps = [];
});

/** Lets time pass for the store. */
const pass = async (ms: number) => {
  const by = sql`${ms} * interval '1 millisecond'`;
  await db.update(watchState).set({ begunAt: sql`begun_at - ${by}`, asOf: sql`as_of - ${by}` });
  await db.update(lease).set({ until: sql`until - ${by}` });
};

/** A sweep that runs until the test ends it. */
function lasting() {
  const deps = new EventEmitter();
  const begun = once(deps, "begun");
  const sweep = async () => {
    const end = once(deps, "end");
    deps.emit("begun");
    await end;
  };
  const begunAgain = () => once(deps, "begun");
  return { watch: { ...watch, sweep }, begun, begunAgain, letGo: () => deps.emit("end") };
}

const told = () => db.$count(liveEvent);

describe("the turns of several instances", () => {
  it("runs one sweep per interval across instances", async () => {
    await takeTurn(watch, "aurora", one);
    expect(await takeTurn(watch, "aurora", other)).toBeGreaterThan(INTERVAL_MS - 5_000);
    await pass(INTERVAL_MS);
    await Promise.all([one, other, one, other].map((deps) => takeTurn(watch, "aurora", deps)));
    expect(sweeps).toHaveLength(2);
  });

  it("keeps the rhythm when one instance takes over from another", async () => {
    await takeTurn(watch, "aurora", one);
    await pass(20_000);
    const waitMs = await takeTurn(watch, "aurora", other);
    expect(waitMs).toBeGreaterThan(5_000);
    expect(waitMs).toBeLessThanOrEqual(10_000);
    await pass(waitMs);
    await takeTurn(watch, "aurora", other);
    expect(sweeps).toHaveLength(2);
  });

  it("follows a shorter interval at once", async () => {
    await takeTurn(watch, "aurora", one);
    givenEnv({ watchIntervalMs: 1_000 });
    expect(await takeTurn(watch, "aurora", other)).toBeLessThanOrEqual(1_000);
  });

  it("keeps tenants' turns separate", async () => {
    await takeTurn(watch, "aurora", one);
    await takeTurn(watch, "boreal", other);
    expect(sweeps).toEqual(["aurora", "boreal"]);
  });
});

describe("a sweep that lasts long", () => {
  it("leaves a long sweep to its living instance, and ends its lease with it", async () => {
    const slow = lasting();
    const beats: (() => void)[] = [];
    const every = (_: number, beat: () => void) => {
      beats.push(beat);
      return () => undefined;
    };
    const turn = takeTurn(slow.watch, "aurora", { ...one, every });
    await slow.begun;
    await pass(29_000);
    for (const beat of beats) beat();
    await vi.waitFor(async () => {
      const [held] = await db
        .select({ isLong: sql<boolean>`until > clock_timestamp() + interval '20 seconds'` })
        .from(lease);
      expect(held?.isLong).toBe(true);
    });
    await pass(29_000);
    await takeTurn(watch, "aurora", other);
    expect(sweeps).toEqual([]);
    slow.letGo();
    await turn;
    expect(await db.$count(lease)).toBe(0);
  });

  it("takes a long sweep over within 45 s when its instance dies", async () => {
    const dead = lasting();
    const lost = takeTurn(dead.watch, "aurora", { ...one, every: () => () => undefined });
    await dead.begun;
    let waitedMs = 0;
    while (sweeps.length === 0 && waitedMs < 60_000) {
      const waitMs = await takeTurn(watch, "aurora", other);
      if (sweeps.length > 0) break;
      await pass(waitMs);
      waitedMs += waitMs;
    }
    expect(waitedMs).toBeLessThan(45_000);
    expect(sweeps).toEqual(["aurora"]);
    const fresh = await freshness("aurora", "kyc");
    dead.letGo();
    await lost;
    expect(await freshness("aurora", "kyc")).toEqual(fresh);
  });
});

describe("what a sweep leaves behind", () => {
  const failing: Watch = { ...watch, sweep: () => Promise.reject(new AppError("unavailable")) };

  beforeEach(() => {
    vi.spyOn(log, "warn").mockImplementation(() => undefined);
  });

  it("notifies open screens of a watch's first reading, first failure and end", async () => {
    for (const next of [watch, watch, failing, failing, watch, watch]) await sweepOnce(next, "aurora");
    expect(await told()).toBe(3);
  });

  it("keeps a sweep's error and since when, until another follows", async () => {
    const refused: Watch = {
      ...watch,
      sweep: () => Promise.reject(new AppError("restricted", { status: 402, code: "ACCOUNT_SUSPENDED" })),
    };
    await sweepOnce(refused, "aurora");
    const first = await freshness("aurora", "kyc");
    expect(first).toMatchObject({ asOf: null, isStale: true });
    expect(first.failure).toMatchObject({ kind: "restricted", code: "ACCOUNT_SUSPENDED" });
    await sweepOnce(refused, "aurora");
    expect((await freshness("aurora", "kyc")).failure).toEqual(first.failure);
    await sweepOnce(failing, "aurora");
    expect((await freshness("aurora", "kyc")).failure).toMatchObject({ kind: "unavailable", code: null });
    await sweepOnce(watch, "aurora");
    expect((await freshness("aurora", "kyc")).failure).toBeNull();
    expect(await told()).toBe(3);
  });

  it("clears a watch's failure in a new process, and keeps its freshness", async () => {
    await sweepOnce(watch, "aurora");
    const { asOf } = await freshness("aurora", "kyc");
    await sweepOnce(failing, "aurora");
    await reconcileTenant(db, "aurora");
    expect(await freshness("aurora", "kyc")).toEqual({ asOf, isStale: false, failure: null });
    await sweepOnce(failing, "aurora");
    expect((await freshness("aurora", "kyc")).failure).toMatchObject({ kind: "unavailable" });
  });

  it("does not blame the provider for our own failure", async () => {
    await sweepOnce({ ...watch, sweep: () => Promise.reject(new Error("a bug")) }, "aurora");
    expect((await freshness("aurora", "kyc")).failure).toMatchObject({ kind: "unexpected", code: null });
  });

  it("leaves nothing behind while the first sweep runs", async () => {
    const slow = lasting();
    const swept = sweepOnce(slow.watch, "aurora");
    await slow.begun;
    await pass(10 * INTERVAL_MS);
    expect(await freshness("aurora", "kyc")).toEqual({ asOf: null, isStale: false, failure: null });
    slow.letGo();
    await swept;
  });

  it("calls a watch stale after three rounds without a sweep", async () => {
    await sweepOnce(watch, "aurora");
    expect(await freshness("aurora", "kyc")).toMatchObject({ isStale: false });
    await pass(3 * INTERVAL_MS + 1_000);
    expect(await freshness("aurora", "kyc")).toMatchObject({ isStale: true });
  });
});

it("lets a running sweep finish and releases every lease on shutdown", async () => {
  const slow = lasting();
  const stop = startWatches("aurora", [slow.watch]);
  await slow.begun;
  const stopped = stop();
  slow.letGo();
  await stopped;
  expect(await db.$count(lease)).toBe(0);
  expect(await freshness("aurora", "kyc")).toMatchObject({ isStale: false, asOf: expect.any(String) });
});

describe("a watch that is hurried", () => {
  it("sweeps now on the sleeping instance, then returns to the rhythm", async () => {
    const stop = startWatches("aurora", [watch]);
    await vi.waitFor(() => expect(sweeps).toHaveLength(1));
    await vi.waitFor(async () => expect(await db.$count(lease)).toBe(0));
    await triggerWatch("aurora", "kyc");
    await vi.waitFor(() => expect(sweeps).toHaveLength(2));
    await stop();
    expect(await takeTurn(watch, "aurora", other)).toBeGreaterThan(INTERVAL_MS - 5_000);
    expect(sweeps).toHaveLength(2);
  });

  it("sweeps once more when a watch is hurried in mid-sweep", async () => {
    const slow = lasting();
    const stop = startWatches("aurora", [slow.watch]);
    await slow.begun;
    await Promise.all([triggerWatch("aurora", "kyc"), triggerWatch("aurora", "kyc")]);
    const again = slow.begunAgain();
    slow.letGo();
    await expect(again).resolves.toEqual([]);
    slow.letGo();
    await stop();
  });
});

const retention: Watch = { ...watch, name: "retention", intervalMs: 86_400_000 };
const listed = () => listWatches(db, "aurora");
const away = (ms: number) =>
  db
    .update(watchState)
    .set({ runsSince: new Date(0), begunAt: sql`clock_timestamp() - ${ms} * interval '1 millisecond'` });
const countOn = async () => (await listed()).map(({ runsSince }) => runsSince?.getTime() === 0);

describe("what runs", () => {
  it("names each planned watch with its interval before its first run", async () => {
    await announceWatches("aurora", [watch, retention]);
    expect(await listed()).toMatchObject([
      { name: "kyc", intervalMs: INTERVAL_MS, asOf: null, begunAt: null, runsSince: expect.any(Date) },
      { name: "retention", intervalMs: 86_400_000 },
    ]);
    await announceWatches("aurora", [watch]);
    expect(await listed()).toMatchObject([{ name: "kyc" }]);
    expect(await listWatches(db, "boreal")).toEqual([]);
  });

  it("counts on from before a restart, and anew after the console was away", async () => {
    await announceWatches("aurora", [watch, retention]);
    await away(60_000);
    await announceWatches("aurora", [watch, retention]);
    expect(await countOn()).toEqual([true, true]);
    await away(10 * 60_000);
    await announceWatches("aurora", [watch, retention]);
    expect(await countOn()).toEqual([false, false]);
  });
});
