import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { signInTry } from "@/lib/db/tables/auth";
import type { Db } from "@/lib/db/connection";
import { givenEnv, givenStore } from "@/test/support/console";
import { forgetOldTries, forgiveTry, type Guess, keyedHash, takeProofTry, takeTry } from "./sign-in-try";

const MINUTE = 60_000;

let db: Db;
let nowMs = 0;
beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  nowMs = Date.parse("2026-03-10T12:00:00Z");
});

const at = () => sql`${new Date(nowMs).toISOString()}::timestamptz`;
const ana: Guess = { account: "ana", address: "home", isKnown: false };
const guess = (change: Partial<Guess> = {}) => takeTry(db, { ...ana, ...change }, at());

async function guesses(times: number, change: Partial<Guess> = {}): Promise<number[]> {
  const waits: number[] = [];
  for (let n = 0; n < times; n += 1) waits.push(await guess(change));
  return waits;
}

/** Guesses as often as allowed for `forMs`; returns how many were checked, and the longest wait. */
async function guessEagerly(forMs: number, who: (n: number) => Guess) {
  const endMs = nowMs + forMs;
  const seen = { lookedAt: 0, longestMs: 0 };
  for (let n = 0; nowMs < endMs; n += 1) {
    const waitMs = await takeTry(db, who(n), at());
    if (waitMs === 0) seen.lookedAt += 1;
    seen.longestMs = Math.max(seen.longestMs, waitMs);
    nowMs += waitMs;
  }
  return seen;
}

describe("an account", () => {
  it("lets five slips pass and makes the sixth wait a second, the seventh two", async () => {
    expect(await guesses(6)).toEqual([0, 0, 0, 0, 0, 1000]);
    nowMs += 1000;
    expect(await guesses(2)).toEqual([0, 2000]);
  });

  it("takes at most 20 guesses an hour, from however many addresses", async () => {
    const { lookedAt, longestMs } = await guessEagerly(60 * MINUTE, (n) => ({ ...ana, address: `bot-${n}` }));
    expect(lookedAt).toBe(17);
    expect(longestMs).toBe(15 * MINUTE);
  });

  it("counts no guess that came too early", async () => {
    await guesses(100);
    nowMs += 1000;
    expect(await guess()).toBe(0);
  });

  it("counts concurrent sign-in tries one by one", async () => {
    const waits = await Promise.all(Array.from({ length: 30 }, (_, n) => guess({ address: `bot-${n}` })));
    expect(waits.filter((waitMs) => waitMs === 0)).toHaveLength(5);
  });

  it("slows no other account, and starts over after a sign-in", async () => {
    await guesses(9);
    expect(await guess({ account: "rui" })).toBe(0);
    await forgiveTry(db, ana);
    expect(await guesses(5)).toEqual([0, 0, 0, 0, 0]);
  });

  it("forgets an account's failures after a day", async () => {
    await guesses(6);
    nowMs += 24 * 60 * MINUTE + 1;
    expect(await guesses(5)).toEqual([0, 0, 0, 0, 0]);
  });
});

describe("somebody at an address where they have signed in before", () => {
  const home = { address: "home", isKnown: true };

  it("signs in at once while others guess the account elsewhere", async () => {
    await guessEagerly(10 * MINUTE, (n) => ({ ...ana, address: `bot-${n}` }));
    const [, second] = await guesses(2, { address: "elsewhere" });
    expect(second).toBeGreaterThan(MINUTE);
    expect(await guess(home)).toBe(0);
  });

  it("delays the owner a minute at most when the guesser shares the address", async () => {
    const { longestMs } = await guessEagerly(60 * MINUTE, () => ({ ...ana, ...home }));
    expect(longestMs).toBe(MINUTE);
  });

  it("signs in despite other accounts' failures from there", async () => {
    for (let n = 0; n < 60; n += 1) await guess({ account: `a${n}` });
    expect(await guess({ account: "rui" })).toBeGreaterThan(0);
    expect(await guess(home)).toBe(0);
  });
});

describe("an address", () => {
  it("allows an address fifty failures in 15 minutes, for all accounts", async () => {
    const waits: number[] = [];
    for (let n = 0; n < 60; n += 1) waits.push(await guess({ account: `a${n}` }));
    expect(waits.filter((waitMs) => waitMs === 0)).toHaveLength(50);
    expect(await guess({ account: "last" })).toBe(15 * MINUTE);
    nowMs += 15 * MINUTE;
    expect(await guess({ account: "last" })).toBe(0);
  });

  it("counts neither a right sign-in nor an early try against an address", async () => {
    for (let n = 0; n < 60; n += 1) {
      expect(await guess()).toBe(0);
      await forgiveTry(db, ana);
    }
    await guesses(100, { account: "hasty" });
    expect(await guess({ account: "rui" })).toBe(0);
  });
});

describe("a proof within a session", () => {
  it("slows repeated proofs like a sign-in, with a count of their own", async () => {
    await guesses(20);
    const waits: number[] = [];
    for (let n = 0; n < 6; n += 1) waits.push(await takeProofTry(db, "ana", at()));
    expect(waits).toEqual([0, 0, 0, 0, 0, 1000]);
  });
});

describe("the table of tries", () => {
  it("stores neither accounts nor addresses of sign-in tries", () => {
    expect(keyedHash("account", "ana@aurora.example")).toMatch(/^[\w-]{43}$/);
    expect(keyedHash("account", "x")).not.toBe(keyedHash("address", "x"));
  });

  it("drops sign-in tries older than a day", async () => {
    await guesses(1);
    nowMs = Date.now();
    await guess({ account: "rui", address: null });
    await forgetOldTries(db);
    expect(await db.select({ key: signInTry.key }).from(signInTry)).toEqual([{ key: "account:rui" }]);
  });
});
