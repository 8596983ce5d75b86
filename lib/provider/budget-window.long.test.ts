import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { Db } from "@/lib/db/connection";
import { givenEnv, givenStore } from "@/test/support/console";
import {
  budgetFixture,
  busiestMinute,
  isAdmitted,
  leftAt,
  MINUTE_MS,
  type Outcome,
  SECOND_MS,
} from "@/test/support/provider-budget";
import { LANES, type Lane } from "@/lib/db/enums/provider";

const INSTANCES = 3;
const LIVES = 15;
const LONGEST_WAIT_MS = 90_000;

let db: Db;
beforeAll(async () => {
  givenEnv();
  db = await givenStore();
});

type Step = { waitMs: number; lane: Lane; calls: number; instance: number; withinMs: number };

const mostly = (usual: fc.Arbitrary<number>, seldom: fc.Arbitrary<number>) =>
  fc.oneof({ weight: 4, arbitrary: usual }, { weight: 1, arbitrary: seldom });

const step: fc.Arbitrary<Step> = fc.record({
  // Some follow only after much of the window has passed.
  waitMs: mostly(fc.nat(3_000), fc.nat(40_000)),
  lane: fc.constantFrom(...LANES),
  calls: mostly(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 30 })),
  instance: fc.nat(INSTANCES - 1),
  withinMs: mostly(fc.nat(20_000), fc.nat(LONGEST_WAIT_MS)),
});
const steps = fc.array(step, { minLength: 20, maxLength: 60, size: "max" });
const limit = fc.integer({ min: 18, max: 60 });
/** When the provider answers 429, and its Retry-After. */
const refusals = fc.array(fc.record({ after: fc.nat(60), retryAfterMs: fc.option(fc.nat(30_000)) }), { maxLength: 3 });

type Refusal = { after: number; retryAfterMs: number | null };
type Life = { limit: number; steps: readonly Step[]; refusals?: readonly Refusal[] };
let lives = 0;

/** Runs it to its end; returns everybody's outcome in the order of asking. */
async function live(given: Life): Promise<readonly Outcome[]> {
  lives += 1;
  const fixture = budgetFixture(db, {
    limit: given.limit,
    instances: INSTANCES,
    origin: `https://bank-${lives}.example`,
  });
  for (const [index, { waitMs, lane, calls, ...how }] of given.steps.entries()) {
    await fixture.advance(waitMs);
    await fixture.askFor(calls, lane, how);
    for (const { after, retryAfterMs } of given.refusals ?? []) {
      if (after === index) await fixture.budget(0).slowDown(retryAfterMs);
    }
  }
  await fixture.advance(2 * MINUTE_MS);
  return fixture.outcomes;
}

/** Callers admitted before an earlier one of the same lane and instance. */
const overtakers = (outcomes: readonly Outcome[]) =>
  outcomes.filter((late, index) => {
    const before = outcomes
      .slice(0, index)
      .filter(({ lane, instance }) => lane === late.lane && instance === late.instance);
    return isAdmitted(late) && before.some(({ endedAtMs }) => (endedAtMs ?? Infinity) > (late.endedAtMs ?? Infinity));
  });

const always = (property: fc.IAsyncProperty<[Life]>) => fc.assert(property, { numRuns: LIVES });

describe("whoever asks when, on whatever instance", () => {
  it("sends no more calls in any 60 seconds than the limit, with and without a 429", async () => {
    await always(
      fc.asyncProperty(fc.record({ limit, steps, refusals }), async (given) => {
        expect(busiestMinute(leftAt(await live(given)))).toBeLessThanOrEqual(given.limit);
      }),
    );
  });

  it("answers everybody by the deadline", async () => {
    await always(
      fc.asyncProperty(fc.record({ limit, steps, refusals }), async (given) => {
        const outcomes = await live(given);
        expect(outcomes.filter(({ endedAtMs, deadlineMs }) => (endedAtMs ?? Infinity) > deadlineMs)).toEqual([]);
      }),
    );
  });

  it("lets nobody overtake earlier calls of the same lane and instance", async () => {
    await always(
      fc.asyncProperty(fc.record({ limit, steps, refusals }), async (given) => {
        expect(overtakers(await live(given))).toEqual([]);
      }),
    );
  });

  it("never delays a lane within its share while money stays within its own", async () => {
    const share: Record<Lane, number> = { money: 6 / 18, people: 2 / 18, watchers: 2 / 18 };
    const modest = steps.map((all) => all.map((one) => (one.lane === "money" ? { ...one, calls: 1 } : one)));
    let stored = 0;
    await always(
      fc.asyncProperty(fc.record({ limit, steps: modest }), async (given) => {
        const outcomes = await live(given);
        const keepsToItsShare = (lane: Lane, untilMs: number) => {
          const sinceMs = untilMs - LONGEST_WAIT_MS - 62 * SECOND_MS;
          const asked = outcomes.filter(
            (one) => one.lane === lane && one.askedAtMs > sinceMs && one.askedAtMs <= untilMs,
          );
          return asked.length <= Math.round(given.limit * share[lane]);
        };
        const entitled = outcomes.filter(
          ({ lane, askedAtMs }) => keepsToItsShare("money", askedAtMs) && keepsToItsShare(lane, askedAtMs),
        );
        stored += entitled.length;
        expect(entitled.filter((one) => !isAdmitted(one) || one.endedAtMs !== one.askedAtMs)).toEqual([]);
      }),
    );
    expect(stored).toBeGreaterThan(100);
  });
});
