import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { lease, takeLease } from "@/lib/store/lease";
import type { Db } from "@/lib/store/store";
import { givenEnv, givenStore } from "@/test/support/console";
import { bankToken } from "./schema";
import type { Tokens } from "./token";
import { granted, HOUR_MS, later, MINUTE_MS, tokenFixture } from "@/test/support/bank";

let db: Db;
let fixture: ReturnType<typeof tokenFixture>;
let tokens: Tokens;

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  fixture = tokenFixture(db);
  tokens = fixture.process();
});

const valueOf = async (from = tokens) => (await from.get(fixture.now() + 20_000)).value;
const many = async (from: readonly Tokens[], each: number) =>
  new Set(await Promise.all(from.flatMap((process) => Array.from({ length: each }, () => valueOf(process)))));

/** What goes on behind the callers' backs has come to its end when they are given this. */
const isGiven = (value: string, from = tokens) =>
  vi.waitFor(async () => {
    // A process whose renewal another one was quicker to begin looks again after a pause.
    fixture.advance(500);
    expect(await valueOf(from)).toBe(value);
  });
const isAskedFor = (times: number) => vi.waitFor(() => expect(fixture.requests).toHaveLength(times));

describe("the tenant's token", () => {
  it("is replaced once for every process after it was discarded", async () => {
    const other = fixture.process();
    await many([tokens, other], 1);
    expect(await tokens.stored()).toEqual({ value: "token-1", generation: 1 });
    await tokens.discard(1);
    expect(await tokens.stored()).toBeNull();
    expect(await valueOf()).toBe("token-2");
    other.reject(1);
    expect(await valueOf(other)).toBe("token-2");
    await tokens.discard(1);
    expect(await valueOf(fixture.process())).toBe("token-2");
    expect(fixture.requests).toHaveLength(2);
  });

  it("is asked for once by 500 callers who find none", async () => {
    expect(await many([tokens], 500)).toEqual(new Set(["token-1"]));
    expect(fixture.requests).toHaveLength(1);
  });

  it("serves until five minutes before its end without another call", async () => {
    await valueOf();
    fixture.advance(HOUR_MS - 5 * MINUTE_MS - 1);
    expect([await valueOf(), await valueOf(fixture.process())]).toEqual(["token-1", "token-1"]);
    expect(fixture.requests).toHaveLength(1);
  });

  it("goes on serving in its last five minutes while one renewal runs", async () => {
    await valueOf();
    fixture.advance(HOUR_MS - 5 * MINUTE_MS);
    const answer = later();
    fixture.answer = () => answer.promise;
    expect(await many([tokens, fixture.process()], 3)).toEqual(new Set(["token-1"]));
    await isAskedFor(2);
    answer.give(granted(2));
    await isGiven("token-2");
    expect(fixture.requests).toHaveLength(2);
  });

  it("serves a process that has just started, even one that comes to renew it", async () => {
    await valueOf();
    fixture.advance(HOUR_MS - 5 * MINUTE_MS);
    const answer = later();
    fixture.answer = () => answer.promise;
    const fresh = fixture.process();
    expect(await valueOf(fresh)).toBe("token-1");
    await isAskedFor(2);
    answer.give(granted(2));
    await isGiven("token-2", fresh);
  });

  it("has a second to live whenever it is given, and is renewed twice in two hours", async () => {
    const endsAtMs = new Map<string, number>();
    fixture.answer = (_, nth) => {
      endsAtMs.set(`token-${nth}`, fixture.now() + HOUR_MS);
      return granted(nth);
    };
    for (let second = 0; second <= 7_200; second += 1, fixture.advance(1_000)) {
      expect((endsAtMs.get(await valueOf()) ?? 0) - fixture.now()).toBeGreaterThanOrEqual(1_000);
      if (fixture.requests.length > endsAtMs.size) await isGiven(`token-${fixture.requests.length}`);
    }
    expect(fixture.requests.length).toBeGreaterThanOrEqual(2);
    expect(fixture.requests.length).toBeLessThanOrEqual(3);
  });

  it("is given no more in its last second", async () => {
    await valueOf();
    fixture.advance(HOUR_MS - 999);
    expect(await valueOf()).toBe("token-2");
  });

  it("that lives shorter than the margin is renewed half-way, not at every call", async () => {
    fixture.answer = (_, nth) => granted(nth, 120);
    await valueOf();
    fixture.advance(MINUTE_MS - 1);
    await valueOf();
    expect(fixture.requests).toHaveLength(1);
    fixture.advance(1);
    expect(await valueOf()).toBe("token-1");
    await isGiven("token-2");
  });

  it("lives from the moment it was asked for, so that a slow answer does not make it older than it is", async () => {
    fixture.answer = (_, nth) => {
      if (nth === 1) fixture.advance(8_000);
      return granted(nth);
    };
    await valueOf();
    fixture.advance(HOUR_MS - 8_500);
    expect(await valueOf()).toBe("token-2");
  });

  it.each([-10, 10])("lasts as long in a process whose clock is %i minutes off", async (minutes) => {
    const other = fixture.process({ skewMs: minutes * MINUTE_MS });
    await valueOf();
    await valueOf(other);
    fixture.advance(HOUR_MS - 5 * MINUTE_MS - 1);
    await valueOf(other);
    expect(fixture.requests).toHaveLength(1);
    fixture.advance(1);
    await valueOf(other);
    await isGiven("token-2", other);
  });

  it("makes nobody wait beyond the own deadline, and serves who still waits", async () => {
    const answer = later();
    fixture.answer = () => answer.promise;
    const [early, patient] = [valueOf(), valueOf()];
    fixture.alarms[0]?.abort();
    await expect(early).rejects.toMatchObject({ kind: "unavailable", details: { code: "token-not-in-time" } });
    answer.give(granted(1));
    expect(await patient).toBe("token-1");
  });
});

describe("a token that was refused", () => {
  it("is renewed once however many callers in however many processes report it", async () => {
    const processes = [tokens, fixture.process(), fixture.process(), fixture.process()];
    await many(processes, 1);
    const calls = processes.flatMap((process) => Array.from({ length: 125 }, () => process));
    const given = calls.map((process) => {
      process.reject(1);
      return valueOf(process);
    });
    expect(new Set(await Promise.all(given))).toEqual(new Set(["token-2"]));
    for (const process of processes) process.reject(1);
    expect(await many(processes, 1)).toEqual(new Set(["token-2"]));
    expect(fixture.requests).toHaveLength(2);
  });

  it("is given to no process that starts while its renewal fails", async () => {
    await valueOf();
    fixture.answer = () => granted(2, "soon");
    tokens.reject(1);
    await expect(valueOf()).rejects.toMatchObject({ kind: "malformed" });
    await expect(valueOf(fixture.process())).rejects.toMatchObject({ kind: "malformed" });
  });

  it("is renewed once more right after a renewal, then not again for ten seconds", async () => {
    await valueOf();
    tokens.reject(1);
    expect(await valueOf()).toBe("token-2");
    tokens.reject(2);
    expect(await valueOf()).toBe("token-3");
    tokens.reject(3);
    expect(await valueOf()).toBe("token-3");
    fixture.advance(10_000);
    tokens.reject(3);
    expect(await valueOf()).toBe("token-4");
  });

  it("every time is renewed at most eight times in a minute, by several processes", async () => {
    const processes = [tokens, fixture.process(), fixture.process()];
    for (let second = 0; second < 60; second += 1) {
      for (const process of processes) {
        const { generation } = await process.get(fixture.now() + 20_000);
        process.reject(generation);
      }
      fixture.advance(1_000);
    }
    expect(fixture.requests.length).toBeLessThanOrEqual(9);
    expect(fixture.requests.length).toBeGreaterThan(5);
  });

  it("long after it replaced another one is renewed at once, like any other", async () => {
    await valueOf();
    tokens.reject(1);
    await valueOf();
    fixture.advance(60_000);
    tokens.reject(2);
    expect(await valueOf()).toBe("token-3");
    tokens.reject(3);
    expect(await valueOf()).toBe("token-4");
  });

  it("stays refused when the store comes back from an older copy", async () => {
    await valueOf();
    const copy = await db.select().from(bankToken);
    tokens.reject(1);
    await valueOf();
    await db.delete(bankToken);
    await db.insert(bankToken).values(copy);
    fixture.advance(10_000);
    tokens.reject(2);
    expect(await tokens.get(fixture.now() + 20_000)).toMatchObject({ value: "token-3", generation: 3 });
  });
});

describe("the token of several processes", () => {
  it("is asked for once when all start together", async () => {
    const processes = [tokens, fixture.process(), fixture.process(), fixture.process()];
    expect(await many(processes, 125)).toEqual(new Set(["token-1"]));
    expect(fixture.requests).toHaveLength(1);
  });

  it("is taken over from one that died over it, not before its time is up", async () => {
    const died = { name: `token:aurora:${fixture.baseUrl}`, ttlMs: 15_000 };
    await takeLease(db, died);
    const waiting = valueOf();
    expect(await takeLease(db, { ...died, holder: "00000000-0000-4000-8000-000000000000" })).toBe(false);
    expect(fixture.requests).toHaveLength(0);
    await db.update(lease).set({ until: sql`clock_timestamp() - interval '1 millisecond'` });
    expect(await waiting).toBe("token-1");
  });

  it("is the newer one when two asked, because the first took longer than it said", async () => {
    const slow = later();
    fixture.answer = (_, nth) => (nth === 1 ? slow.promise : granted(nth));
    const first = valueOf();
    await isAskedFor(1);
    await db.delete(lease);
    expect(await valueOf(fixture.process())).toBe("token-2");
    slow.give(granted(1));
    expect(await first).toBe("token-2");
  });

  it("stands sealed in the store, and is fetched anew when it cannot be opened there", async () => {
    await valueOf();
    const [row] = await db.select().from(bankToken);
    expect(JSON.stringify(row)).not.toContain("token-1");
    await db.update(bankToken).set({ token: "v1.AAAA" });
    expect(await valueOf(fixture.process())).toBe("token-2");
  });

  it("goes to no other provider than the one that gave it", async () => {
    await valueOf();
    expect(await valueOf(fixture.process({ baseUrl: "https://other.example" }))).toBe("token-2");
    expect(fixture.requests.map(({ url }) => url.origin)).toEqual([fixture.baseUrl, "https://other.example"]);
  });
});
