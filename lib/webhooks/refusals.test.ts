import { describe, expect, it } from "vitest";
import { createDebounce } from "./intake";
import { createRefusals, type RefusedDelivery, type RefusedRequest } from "./refusals";

const request: RefusedRequest = {
  form: "absent",
  event: "",
  eventId: null,
  headers: {},
  sizeBytes: 2,
  fingerprint: "0123456789abcdef",
};

/** A clock that advances a second per reading, with timers that the test fires. */
function givenTimers() {
  const due: (() => void)[] = [];
  let ms = Date.parse("2026-03-02T12:00:00Z");
  return {
    now: () => new Date((ms += 1_000)),
    after: (_: number, run: () => void) => void due.push(run),
    ring: () => due.splice(0).forEach((run) => run()),
    count: () => due.length,
  };
}

describe("refused deliveries", () => {
  it("announces refused deliveries once a minute and tenant, with the last time", () => {
    const timers = givenTimers();
    const told: RefusedDelivery[] = [];
    const { refuse } = createRefusals(async (refused) => void told.push(refused), timers);
    for (let n = 0; n < 1_000; n += 1) refuse("aurora", "signature");
    refuse("aurora", "unreadable");
    for (let n = 0; n < 50; n += 1) refuse(null, "signature");
    expect([told, timers.count()]).toEqual([[], 2]);
    timers.ring();
    expect(told).toEqual([
      { tenant: "aurora", counts: { signature: 1_000, unreadable: 1 }, lastAt: "2026-03-02T12:16:41.000Z", seen: [] },
      { tenant: null, counts: { signature: 50 }, lastAt: "2026-03-02T12:17:31.000Z", seen: [] },
    ]);
    refuse("aurora", "signature");
    timers.ring();
    expect(told.at(-1)).toMatchObject({ tenant: "aurora", counts: { signature: 1 } });
  });

  it("announces what is gathered when the process ends, once", async () => {
    const timers = givenTimers();
    const told: RefusedDelivery[] = [];
    const { refuse, end } = createRefusals(async (refused) => void told.push(refused), timers);
    refuse("aurora", "signature");
    timers.ring();
    refuse("aurora", "too-large");
    refuse("boreal", "too-slow");
    await end();
    timers.ring();
    expect(told.map(({ tenant, counts }) => [tenant, counts])).toEqual([
      ["aurora", { signature: 1 }],
      ["aurora", { "too-large": 1 }],
      ["boreal", { "too-slow": 1 }],
    ]);
  });

  it("announces refused deliveries soon after a quiet minute", () => {
    const timers = givenTimers();
    const waits: number[] = [];
    const after = (ms: number, run: () => void) => {
      waits.push(ms);
      timers.after(ms, run);
    };
    const { refuse, gatheredOf } = createRefusals(async () => undefined, { ...timers, after });
    for (let n = 0; n < 2; n += 1) {
      refuse("aurora", "signature");
      expect([gatheredOf("aurora")?.counts, gatheredOf("boreal")]).toEqual([{ signature: 1 }, null]);
      timers.ring();
      expect(gatheredOf("aurora")).toBeNull();
      timers.ring();
    }
    expect(waits).toEqual([1_000, 60_000, 1_000, 60_000]);
  });
});

const givenRefusals = () => {
  const timers = givenTimers();
  const told: RefusedDelivery[] = [];
  return { ...createRefusals(async (refused) => void told.push(refused), timers), told, ring: timers.ring };
};
const listed = ({ told }: { told: RefusedDelivery[] }) => told.map(({ seen }) => seen.length);

describe("what is kept of refused deliveries", () => {
  it("lists the first of a minute and counts the rest of a flood", () => {
    const kept = givenRefusals();
    for (let minute = 0; minute < 3; minute += 1) {
      for (let n = 0; n < 1_000; n += 1) kept.refuse("aurora", "signature", request);
      kept.ring();
    }
    for (let n = 0; n < 5; n += 1) kept.refuse("aurora", "unsigned", request);
    kept.ring();
    for (let n = 0; n < 5; n += 1) kept.refuse("aurora", "unsigned", request);
    kept.ring();
    expect(listed(kept)).toEqual([50, 2, 2, 2, 5]);
    expect(kept.told.map(({ counts }) => counts.signature ?? counts.unsigned)).toEqual([1_000, 1_000, 1_000, 5, 5]);
  });

  it("keeps nothing of what was sent to nobody", () => {
    const kept = givenRefusals();
    kept.refuse(null, "signature", request);
    kept.ring();
    expect(listed(kept)).toEqual([0]);
  });
});

describe("the bell", () => {
  it("wakes once for a burst, and each tenant separately", () => {
    const timers = givenTimers();
    const woken: string[] = [];
    const ring = createDebounce(async (tenant) => void woken.push(tenant), timers.after);
    for (let n = 0; n < 100; n += 1) ring("aurora");
    ring("boreal");
    timers.ring();
    expect(woken).toEqual(["aurora", "boreal"]);
    ring("aurora");
    timers.ring();
    expect(woken).toEqual(["aurora", "boreal", "aurora"]);
  });
});
