import { setImmediate as nextTurn } from "node:timers/promises";
import { asc, sql } from "drizzle-orm";
import * as fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { givenEnv, givenStore } from "@/test/support/console";
import { decoded, SpeltDocument } from "@/test/support/spelt-documents";
import type { Db } from "@/lib/db/connection";
import { type Call, createCallLog, flushCalls, forgetOldCalls, logCall, writeCalls } from "./call-log";
import { providerCall } from "@/lib/db/tables/provider";

const CPF = "52998224725";

const call: Call = {
  id: "9f1b7c52-3f5d-4f65-9d52-0a4f6c1a2b3c",
  tenant: "aurora",
  method: "GET",
  path: "/v1/bank-accounts/balance",
  status: 200,
  kind: "ok",
  code: null,
  durationMs: 41.7,
  waitedMs: 0.2,
  lane: "people",
  attempt: 1,
  actor: "watch:kyc",
  object: "account:4a0f8f0e-1d3c-4c61-8d0b-7a9b6b0a6f11",
  providerRequestId: "req-77",
  at: new Date("2026-03-10T12:00:00.123Z"),
};

const numbered = (count: number, from = 1) =>
  Array.from({ length: count }, (_, index) => ({ ...call, attempt: from + index }));

/** A store that accepts what the test allows, with pauses that the test ends. */
function givenLog() {
  const written: number[][] = [];
  const pauses: { ms: number; end: () => void }[] = [];
  let isDown = false;
  const log = createCallLog({
    write: (calls) => {
      if (isDown) return Promise.reject(new Error("the store is down"));
      written.push(calls.map(({ attempt }) => attempt));
      return Promise.resolve();
    },
    sleep: (ms) =>
      new Promise((resolve) => {
        pauses.push({ ms, end: resolve });
      }),
  });
  /** Ends the current pause and waits for its effects. */
  const passPause = async () => {
    pauses.at(-1)?.end();
    await nextTurn();
  };
  const setDown = (value: boolean) => {
    isDown = value;
  };
  return { log, written, pauses, passPause, setDown };
}

describe("the call log", () => {
  it("collects calls for a quarter second and writes a hundred a statement", async () => {
    const { log, written, pauses, passPause } = givenLog();
    numbered(250).forEach(log.add);
    expect([written.length, pauses.map(({ ms }) => ms)]).toEqual([0, [250]]);
    await passPause();
    expect(written.map(({ length }) => length)).toEqual([100, 100, 50]);
    expect(written.flat()).toEqual(numbered(250).map(({ attempt }) => attempt));
  });

  it("rests without calls, and collects again afterwards", async () => {
    const { log, written, pauses, passPause } = givenLog();
    log.add(call);
    await passPause();
    expect(pauses).toHaveLength(1);
    log.add({ ...call, attempt: 2 });
    await passPause();
    expect([written, pauses.length]).toEqual([[[1], [2]], 2]);
  });

  it("writes pending calls at once on shutdown, and calls made during it", async () => {
    const { log, written } = givenLog();
    log.add(call);
    await log.end();
    log.add({ ...call, attempt: 2 });
    await nextTurn();
    expect(written).toEqual([[1], [2]]);
  });

  it("keeps calls that the store refuses, in order, and retries after five seconds", async () => {
    const { log, written, pauses, passPause, setDown } = givenLog();
    setDown(true);
    log.add(call);
    await passPause();
    log.add({ ...call, attempt: 2 });
    setDown(false);
    await passPause();
    expect([written, pauses.map(({ ms }) => ms)]).toEqual([[[1, 2]], [250, 5000]]);
  });

  it("holds ten thousand calls while the store is down, and drops the rest", async () => {
    const { log, written, setDown } = givenLog();
    setDown(true);
    numbered(10_005).forEach(log.add);
    setDown(false);
    await log.flush();
    expect(written.flat()).toEqual(numbered(10_000).map(({ attempt }) => attempt));
  });

  it("drops calls that the store refuses for five minutes", async () => {
    const { log, written, passPause, setDown } = givenLog();
    setDown(true);
    log.add(call);
    for (let refused = 0; refused < 60; refused += 1) await passPause();
    setDown(false);
    log.add({ ...call, attempt: 2 });
    await passPause();
    expect(written).toEqual([[2]]);
  });
});

describe("the call log in the store", () => {
  let db: Db;
  const rows = () => db.select().from(providerCall).orderBy(asc(providerCall.seq));

  beforeEach(async () => {
    givenEnv();
    db = await givenStore();
  });

  it("records a call's request, result, duration and object", async () => {
    logCall(call);
    await flushCalls();
    const { id, ...said } = call;
    expect(await rows()).toEqual([{ ...said, requestId: id, seq: expect.any(Number), durationMs: 42, waitedMs: 0 }]);
  });

  it.each([
    ["code", "DOCUMENT_52998224725_UNKNOWN"],
    ["code", "o documento não existe"],
    ["object", `account:${CPF}`],
    ["object", "account:11222333000181"],
    ["object", "account:Maria Souza"],
    ["providerRequestId", CPF],
  ] as const)("omits a %s that may name a person: %s", async (column, text) => {
    await writeCalls(db, [{ ...call, [column]: text }]);
    expect(await rows()).toMatchObject([{ [column]: null, path: call.path }]);
  });

  it("stores no document in the call log, however it is spelt", async () => {
    const spelt = fc.sample(SpeltDocument, 1_000);
    const calls = spelt.map(({ spelling }, nth) => ({
      ...call,
      code: `x-${spelling}`,
      object: `account:${spelling}`,
      providerRequestId: nth % 2 === 0 ? spelling : `req-${spelling}`,
    }));
    await writeCalls(db, calls);
    const written = await db.select().from(providerCall);
    const kept = written.map(({ code, object, providerRequestId }) =>
      decoded(`${code} ${object} ${providerRequestId}`),
    );
    expect(written).toHaveLength(spelt.length);
    expect(spelt.filter(({ document }) => kept.some((digits) => digits.includes(document)))).toEqual([]);
  });

  it("keeps calls for 30 days by the store's clock", async () => {
    await writeCalls(db, numbered(3));
    const daysAgo = (days: number, attempt: number) =>
      db
        .update(providerCall)
        .set({ at: sql`clock_timestamp() - ${days} * interval '1 day'` })
        .where(sql`attempt = ${attempt}`);
    await daysAgo(30.01, 1);
    await daysAgo(29.99, 2);
    await daysAgo(0, 3);
    expect([await forgetOldCalls(db), (await rows()).map(({ attempt }) => attempt)]).toEqual([1, [2, 3]]);
  });
});
