import { beforeEach, describe, expect, it, vi } from "vitest";
import { granted, HOUR_MS, later, MINUTE_MS, tokenFixture } from "@/test/support/provider";
import type { Tokens } from "./token";

let fixture: ReturnType<typeof tokenFixture>;
let tokens: Tokens;

beforeEach(() => {
  fixture = tokenFixture();
  tokens = fixture.process();
});

const valueOf = async (from = tokens) => (await from.get(fixture.now() + 20_000)).value;
const many = async (count: number) => new Set(await Promise.all(Array.from({ length: count }, () => valueOf())));

/** Background renewals are finished once callers get this token. */
const isGiven = (value: string, from = tokens) => vi.waitFor(async () => expect(await valueOf(from)).toBe(value));

describe("a process's token", () => {
  it("requests a token once for 500 concurrent callers", async () => {
    expect(await many(500)).toEqual(new Set(["token-1"]));
    expect(fixture.requests).toHaveLength(1);
  });

  it("reuses a token without a call until five minutes before its end", async () => {
    await valueOf();
    fixture.advance(HOUR_MS - 5 * MINUTE_MS - 1);
    expect(await valueOf()).toBe("token-1");
    expect(fixture.requests).toHaveLength(1);
  });

  it("uses a token for its last five minutes during one renewal", async () => {
    await valueOf();
    fixture.advance(HOUR_MS - 5 * MINUTE_MS);
    const answer = later();
    fixture.answer = () => answer.promise;
    expect(await many(6)).toEqual(new Set(["token-1"]));
    expect(fixture.requests).toHaveLength(2);
    answer.give(granted(2));
    await isGiven("token-2");
    expect(fixture.requests).toHaveLength(2);
  });

  it("gives a token valid for a second, and renews it twice in two hours", async () => {
    const endsAtMs = new Map<string, number>();
    fixture.answer = (_, nth) => {
      endsAtMs.set(`token-${nth}`, fixture.now() + HOUR_MS);
      return granted(nth);
    };
    for (let second = 0; second <= 7_200; second += 1, fixture.advance(1_000)) {
      expect((endsAtMs.get(await valueOf()) ?? 0) - fixture.now()).toBeGreaterThanOrEqual(1_000);
      if (fixture.requests.length > 1) await isGiven(`token-${fixture.requests.length}`);
    }
    expect(fixture.requests.length).toBeGreaterThanOrEqual(2);
    expect(fixture.requests.length).toBeLessThanOrEqual(3);
  });

  it("gives no token in its last second", async () => {
    await valueOf();
    fixture.advance(HOUR_MS - 999);
    expect(await valueOf()).toBe("token-2");
  });

  it("renews a token half-way when it lives shorter than the margin", async () => {
    fixture.answer = (_, nth) => granted(nth, 120);
    await valueOf();
    fixture.advance(MINUTE_MS - 1);
    await valueOf();
    expect(fixture.requests).toHaveLength(1);
    fixture.advance(1);
    expect(await valueOf()).toBe("token-1");
    await isGiven("token-2");
  });

  it("counts a token's life from its request, however slow the answer", async () => {
    fixture.answer = (_, nth) => {
      if (nth === 1) fixture.advance(8_000);
      return granted(nth);
    };
    await valueOf();
    fixture.advance(HOUR_MS - 8_500);
    expect(await valueOf()).toBe("token-2");
  });

  it.each([-10, 10])("lets a token live as long in a process whose clock is %i minutes off", async (minutes) => {
    const other = fixture.process({ skewMs: minutes * MINUTE_MS });
    await valueOf(other);
    fixture.advance(HOUR_MS - 5 * MINUTE_MS - 1);
    await valueOf(other);
    expect(fixture.requests).toHaveLength(1);
    fixture.advance(1);
    await valueOf(other);
    await isGiven("token-2", other);
  });

  it("waits for a token no longer than the caller's deadline", async () => {
    const answer = later();
    fixture.answer = () => answer.promise;
    const early = valueOf();
    const patient = valueOf();
    fixture.alarms[0]?.abort();
    await expect(early).rejects.toMatchObject({ kind: "unavailable", details: { code: "token-not-in-time" } });
    answer.give(granted(1));
    expect(await patient).toBe("token-1");
  });

  it("keeps one token per process", async () => {
    const other = fixture.process();
    expect([await valueOf(), await valueOf(other)]).toEqual(["token-1", "token-2"]);
    tokens.discard(1);
    expect([await valueOf(), await valueOf(other)]).toEqual(["token-3", "token-2"]);
  });

  it("keeps a token until discarded, and a newer one afterwards", async () => {
    expect(tokens.held()).toBeNull();
    await valueOf();
    expect(tokens.held()).toMatchObject({ value: "token-1", generation: 1 });
    tokens.discard(1);
    expect(tokens.held()).toBeNull();
    expect(await valueOf()).toBe("token-2");
    tokens.discard(1);
    expect(await valueOf()).toBe("token-2");
    expect(fixture.requests).toHaveLength(2);
  });
});

describe("a token that was refused", () => {
  it("renews a refused token once however many callers report it", async () => {
    await valueOf();
    const given = Array.from({ length: 500 }, () => {
      tokens.reject(1);
      return valueOf();
    });
    expect(new Set(await Promise.all(given))).toEqual(new Set(["token-2"]));
    tokens.reject(1);
    expect(await valueOf()).toBe("token-2");
    expect(fixture.requests).toHaveLength(2);
  });

  it("reuses no refused token while its renewal fails", async () => {
    await valueOf();
    fixture.answer = () => granted(2, "soon");
    tokens.reject(1);
    await expect(valueOf()).rejects.toMatchObject({ kind: "malformed" });
    await expect(valueOf()).rejects.toMatchObject({ kind: "malformed" });
    expect(fixture.requests).toHaveLength(2);
  });

  it("renews a token once more right after a renewal, then waits ten seconds", async () => {
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

  it("renews an always refused token at most eight times a minute", async () => {
    for (let second = 0; second < 60; second += 1) {
      const { generation } = await tokens.get(fixture.now() + 20_000);
      tokens.reject(generation);
      fixture.advance(1_000);
    }
    expect(fixture.requests.length).toBeLessThanOrEqual(9);
    expect(fixture.requests.length).toBeGreaterThan(5);
  });

  it("renews a token at once long after it replaced another", async () => {
    await valueOf();
    tokens.reject(1);
    await valueOf();
    fixture.advance(60_000);
    tokens.reject(2);
    expect(await valueOf()).toBe("token-3");
    tokens.reject(3);
    expect(await valueOf()).toBe("token-4");
  });
});
