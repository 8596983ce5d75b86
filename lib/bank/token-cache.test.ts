import { describe, expect, it } from "vitest";
import { createTokenCache, type FreshToken } from "./token-cache";

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** A provider whose token answers wait until the test gives them. */
function tokenDesk() {
  let nowMs = 0;
  const asked: { resolve: (token: FreshToken) => void; reject: (reason: Error) => void }[] = [];
  const answers: Promise<FreshToken>[] = [];
  const fetchToken = () => {
    const answer = new Promise<FreshToken>((resolve, reject) => {
      asked.push({ resolve, reject });
    });
    answers.push(answer);
    return answer;
  };
  const cache = createTokenCache(fetchToken, () => nowMs);
  const grant = async (nth: number, lifetimeMs = HOUR_MS) => {
    asked[nth - 1]?.resolve({ value: `token-${nth}`, lifetimeMs });
    await answers[nth - 1];
  };
  const refuse = async (nth: number) => {
    asked[nth - 1]?.reject(new Error("token endpoint is down"));
    await Promise.allSettled([answers[nth - 1]]);
  };
  const at = (ms: number) => {
    nowMs = ms;
  };
  return { cache, asked, grant, refuse, at };
}

async function warm() {
  const desk = tokenDesk();
  const first = desk.cache.get();
  await desk.grant(1);
  await first;
  return desk;
}

describe("the tenant's token", () => {
  it("is asked for once by 500 callers who find none", async () => {
    const { cache, asked, grant } = tokenDesk();
    const callers = Array.from({ length: 500 }, () => cache.get());
    await grant(1);
    expect(new Set(await Promise.all(callers))).toEqual(new Set(["token-1"]));
    expect(asked).toHaveLength(1);
  });

  it("serves until five minutes before its end without another call", async () => {
    const { cache, asked, at } = await warm();
    at(HOUR_MS - 5 * MINUTE_MS - 1);
    expect(await cache.get()).toBe("token-1");
    expect(asked).toHaveLength(1);
  });

  it("goes on serving in its last five minutes while one renewal runs", async () => {
    const { cache, asked, grant, at } = await warm();
    at(HOUR_MS - 5 * MINUTE_MS);
    expect(await Promise.all([cache.get(), cache.get(), cache.get()])).toEqual(["token-1", "token-1", "token-1"]);
    expect(asked).toHaveLength(2);
    await grant(2);
    expect(await cache.get()).toBe("token-2");
  });

  it("goes on serving when its renewal fails, and the next caller tries again", async () => {
    const { cache, asked, grant, refuse, at } = await warm();
    at(HOUR_MS - MINUTE_MS);
    expect(await cache.get()).toBe("token-1");
    await refuse(2);
    expect(await cache.get()).toBe("token-1");
    await grant(3);
    expect(await cache.get()).toBe("token-3");
    expect(asked).toHaveLength(3);
  });

  it("serves no longer once it has ended", async () => {
    const { cache, grant, at } = await warm();
    at(HOUR_MS);
    const next = cache.get();
    await grant(2);
    expect(await next).toBe("token-2");
  });

  it("that lives shorter than the margin is renewed half-way, not at every call", async () => {
    const { cache, asked, grant, at } = tokenDesk();
    const first = cache.get();
    await grant(1, 2 * MINUTE_MS);
    await first;
    at(MINUTE_MS - 1);
    await cache.get();
    expect(asked).toHaveLength(1);
    at(MINUTE_MS);
    await cache.get();
    expect(asked).toHaveLength(2);
  });

  it("is renewed once however many callers report it rejected", async () => {
    const { cache, asked, grant } = await warm();
    const callers = Array.from({ length: 500 }, () => {
      cache.reject("token-1");
      return cache.get();
    });
    await grant(2);
    expect(new Set(await Promise.all(callers))).toEqual(new Set(["token-2"]));
    cache.reject("token-1");
    expect(await cache.get()).toBe("token-2");
    expect(asked).toHaveLength(2);
  });

  it("that cannot be had fails its callers, not those who come later", async () => {
    const { cache, grant, refuse } = tokenDesk();
    const early = cache.get();
    await refuse(1);
    await expect(early).rejects.toThrow("token endpoint is down");
    const late = cache.get();
    await grant(2);
    expect(await late).toBe("token-2");
  });

  it("without a lifetime is refused", async () => {
    const { cache, grant } = tokenDesk();
    const caller = cache.get();
    await grant(1, 0);
    await expect(caller).rejects.toMatchObject({ kind: "malformed", details: { code: "token-without-lifetime" } });
  });
});
