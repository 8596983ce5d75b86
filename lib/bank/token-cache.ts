import { BankError } from "./error";

const RENEWAL_MARGIN_MS = 5 * 60_000;

export type FreshToken = { value: string; lifetimeMs: number };
type Held = { value: string; renewAtMs: number; expiresAtMs: number };

export type TokenCache = {
  /** A token that lives; renewed when less than five minutes are left. */
  get: () => Promise<string>;
  /** Forgets this very token after a 401; a token that was renewed meanwhile stays. */
  reject: (value: string) => void;
};

/**
 * One access token for all callers of a tenant. Concurrent callers share one request. Near its end the old token goes
 * on serving while the new one is fetched. Lifetime counts from the moment of the answer on our own clock.
 */
export function createTokenCache(fetchToken: () => Promise<FreshToken>, now: () => number): TokenCache {
  let held: Held | undefined;
  let renewal: Promise<string> | undefined;

  function renew(): Promise<string> {
    renewal ??= fetchToken()
      .then(({ value, lifetimeMs }) => {
        if (lifetimeMs <= 0) throw new BankError("malformed", { code: "token-without-lifetime" });
        const expiresAtMs = now() + lifetimeMs;
        // A token that lives shorter than the margin is renewed half-way, not at every call.
        held = { value, expiresAtMs, renewAtMs: expiresAtMs - Math.min(RENEWAL_MARGIN_MS, lifetimeMs / 2) };
        return value;
      })
      .finally(() => {
        renewal = undefined;
      });
    return renewal;
  }

  return {
    get() {
      const current = held;
      if (current === undefined || now() >= current.expiresAtMs) return renew();
      // The old token still serves; when this renewal fails, the next caller tries again.
      if (now() >= current.renewAtMs) renew().catch(() => undefined);
      return Promise.resolve(current.value);
    },
    reject(value) {
      if (held?.value === value) held = undefined;
    },
  };
}
