import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { log } from "@/lib/log";
import { withoutParameters } from "@/lib/store/error";
import { BankError } from "./error";
import { type Held, living, lookUp, type Memory, notInTime, renew, rest, type TokenDoor } from "./token-renewal";

/** A token that dies while it is waited for is replaced, but not for ever. */
const MOST_ROUNDS = 3;
/** After a failure, the token that lives serves at least so long before the next try. */
const PAUSE_MS = 1_000;

export type Tokens = {
  /**
   * A token with at least a second to live. Waits for one until `deadlineMs` on the door's clock; throws `BankError`
   * (`token-refused`, `token-unavailable`, `token-not-readable`, `token-not-in-time`) when there is none.
   */
  get: (deadlineMs: number) => Promise<{ value: string; generation: number }>;
  /** After a 401: nobody is given this generation again, here or in another process. A newer one stays. */
  reject: (generation: number) => void;
};

async function atMostUntil(alarm: AbortSignal, awaited: Promise<void>): Promise<void> {
  const end = alarm.aborted ? Promise.resolve([]) : once(alarm, "abort");
  const late = end.then(() => {
    throw notInTime();
  });
  await Promise.race([late, awaited]);
}

/**
 * One access token for all callers of a tenant in all processes (interface: Authentication). It is renewed by one of them
 * five minutes before it ends, behind the backs of those who call; none is ever revoked, for the others still use it.
 */
export function createTokens(door: TokenDoor): Tokens {
  const memory: Memory = { holder: randomUUID(), deadUpTo: 0 };
  let renewal: Promise<void> | undefined;
  let lookingUp: Promise<void> | undefined;

  function lookUpOnce(): Promise<void> {
    lookingUp ??= lookUp(door, memory).finally(() => {
      lookingUp = undefined;
    });
    return lookingUp;
  }

  function renewOnce(): Promise<void> {
    renewal ??= renew(door, memory)
      .catch((error: unknown) => {
        if (memory.held !== undefined) rest(memory.held, door.now() + PAUSE_MS);
        throw error;
      })
      .finally(() => {
        renewal = undefined;
      });
    return renewal;
  }

  function renewBehind(): void {
    if (renewal !== undefined) return;
    renewOnce().catch((error: unknown) => {
      // A failure of the provider is noted where all processes see it.
      if (error instanceof BankError) return;
      log.warn({ err: withoutParameters(error) }, "access token not renewed");
    });
  }

  async function wait(deadlineMs: number): Promise<Held> {
    const alarm = door.alarm(Math.ceil(Math.max(0, deadlineMs - door.now())));
    // What the others still use serves here too, even when it is this process that comes to renew it.
    await atMostUntil(alarm, lookUpOnce());
    for (let round = 0; ; round += 1) {
      const held = living(memory, door.now());
      if (held !== undefined) return held;
      if (round === MOST_ROUNDS) throw notInTime();
      await atMostUntil(alarm, renewOnce());
    }
  }

  return {
    async get(deadlineMs) {
      const held = living(memory, door.now()) ?? (await wait(deadlineMs));
      if (held.renewAtMs <= door.now()) renewBehind();
      return held;
    },
    reject(generation) {
      const { held, deadUpTo } = memory;
      if (held?.generation === generation && door.now() < held.trustedUntilMs) return;
      memory.deadUpTo = Math.max(deadUpTo, generation);
    },
  };
}
