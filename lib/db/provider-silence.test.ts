import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { getSession } from "@/lib/auth/session";
import { AppError } from "@/lib/errors/app-error";
import { failureIn, type ReadFailure } from "@/lib/errors/result";
import { standing } from "@/lib/provider/client";
import { query } from "@/lib/query";
import { sessionOf } from "@/test/support/auth";
import { givenEnv, givenStaff, givenStore } from "@/test/support/console";
import type { Db } from "./connection";
import { followedUntil, followSilence } from "./provider-silence";
import { providerCall } from "./tables/provider";
import { watchState } from "./tables/watch";
import { readWatchState } from "./watch-state";

const SINCE = "2026-11-28T23:05:28.000Z";
const SILENCE = { kind: "unavailable", code: "PROVIDER_SILENT", since: SINCE };
let db: Db;

beforeEach(async () => {
  globalThis.retaguardaSilence = undefined;
  givenEnv();
  db = await givenStore();
  const staffId = await givenStaff(db, "support");
  vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId, roles: ["support"] }));
});
afterEach(() => {
  globalThis.retaguardaSilence = undefined;
});

it("is followed for each tenant from when its provider is first spoken to", async () => {
  globalThis.retaguardaBanks = undefined;
  expect(globalThis.retaguardaSilence?.get("aurora")).toBeUndefined();
  await standing("aurora");
  expect(globalThis.retaguardaSilence?.get("aurora")?.()).toBeNull();
});

type Fault = { kind: "unavailable" | "restricted"; code: string | null };

async function listFailing({ kind, code }: Fault): Promise<ReadFailure | null> {
  const key = { tenant: "aurora", name: "kyc" };
  const failed = { errorKind: kind, errorCode: code, failedAt: new Date("2026-11-28T23:06:00Z") };
  await db.insert(watchState).values({ ...key, ...failed });
  return (await readWatchState(db, key, 60_000)).fresh.failure;
}

const readFailing = ({ kind, code }: Fault) =>
  query("webhooks:read", async () => Promise.reject(new AppError(kind, code === null ? {} : { code })))
    .answer()
    .then(() => null, failureIn);

describe.each([
  ["a list that is kept", listFailing],
  ["what is read at once", readFailing],
] as const)("%s", (_, failing) => {
  it.each<Fault>([
    { kind: "unavailable", code: "circuit-open" },
    { kind: "unavailable", code: "no-connection" },
    { kind: "unavailable", code: null },
  ])("says of $code since when the provider is silent", async (fault) => {
    followSilence("aurora", () => SINCE);
    expect(await failing(fault)).toEqual(SILENCE);
  });

  it("says what failed while the provider answers other reads", async () => {
    followSilence("aurora", () => null);
    followSilence("boreal", () => SINCE);
    expect(await failing({ kind: "unavailable", code: "no-connection" })).toMatchObject({ code: "no-connection" });
  });

  it.each<Fault>([
    { kind: "unavailable", code: "store-silent" },
    { kind: "restricted", code: "ACCOUNT_RESTRICTED" },
  ])("says $code, which is none of the silence's doing", async (fault) => {
    followSilence("aurora", () => SINCE);
    expect(await failing(fault)).toMatchObject(fault);
  });
});

it("dates no silence for a list that waits to be read again after it", async () => {
  followSilence("aurora", () => null);
  const failure = await listFailing({ kind: "unavailable", code: "circuit-open" });
  expect(failure).toEqual({ kind: "unavailable", code: null, since: null });
});

const ago = (ms: number) => new Date(Date.now() - ms);
const called = (at: Date, status: number | null) =>
  db.insert(providerCall).values({
    tenant: "aurora",
    at,
    status,
    requestId: "r",
    method: "GET",
    path: "/v1/crypto/wallets",
    kind: status === 200 ? "ok" : "unavailable",
    lane: "watchers",
    durationMs: 5,
    waitedMs: 0,
    attempt: 1,
    actor: "watch:wallets",
  });

describe("the age of a list of our own rows", () => {
  it("does not go back when a silence is noticed", async () => {
    const answeredAt = ago(40_000);
    await called(answeredAt, 200);
    await called(ago(20_000), null);
    const before = await followedUntil(db, "aurora", new Date());
    followSilence("aurora", () => answeredAt.toISOString());
    expect([before, await followedUntil(db, "aurora", new Date())]).toEqual([
      answeredAt.toISOString(),
      answeredAt.toISOString(),
    ]);
  });

  it("goes on with each answer, and is never newer than the list", async () => {
    const read = ago(10_000);
    await called(ago(20_000), 503);
    expect(await followedUntil(db, "aurora", read)).toBe(read.toISOString());
    await called(ago(15_000), 404);
    expect((await followedUntil(db, "aurora", read)) < read.toISOString()).toBe(true);
    await called(ago(5_000), 200);
    expect(await followedUntil(db, "aurora", read)).toBe(read.toISOString());
  });
});
