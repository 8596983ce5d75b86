import { describe, expect, it } from "vitest";
import { BOUNDS, faultsOf, judge, watchBoundMs } from "./verdict";
import type { HealthReading, PartName, Verdict, WatchReading } from "./view";

const AT = "2026-11-29T12:00:00.000Z";
const ago = (ms: number) => new Date(Date.parse(AT) - ms).toISOString();
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;

const WELL: HealthReading = {
  at: AT,
  watches: [],
  provider: { answeredAt: ago(1_000), silentSince: null, unanswered: 0 },
  token: { grantedAt: ago(1_000), failingSince: null, code: null },
  budget: { used: 10, limit: 180, configured: 180, pausedUntil: null, fullSince: null },
  database: { kind: "postgresql", answeredInMs: 2, slowSince: null, silence: null },
  writes: { open: 0, oldestAt: null },
  auditHead: { signedAt: ago(30_000), unsigned: 0, unsignedSince: null },
  deliveries: { wrong: 0, withinMs: 900_000, wrongSince: null, refused: 0 },
  certificate: { endsAt: ago(-90 * DAY_MS), lookedAt: AT },
};

const watch = (changes: Partial<WatchReading> = {}): WatchReading => ({
  name: "kyc",
  intervalMs: 30_000,
  begunAt: ago(10_000),
  asOf: ago(10_000),
  runsSince: ago(DAY_MS),
  failure: null,
  asks: true,
  ...changes,
});

const verdictOf = (part: PartName, changes: Partial<HealthReading>) =>
  judge({ ...WELL, ...changes }).parts[part].verdict;
const watchVerdict = (changes: Partial<WatchReading>) => judge({ ...WELL, watches: [watch(changes)] }).watches[0];

const silentFor = (ms: number, unanswered = 3) => ({
  provider: { answeredAt: ago(ms + 1), silentSince: ago(ms), unanswered },
});
const tokenFor = (ms: number) => ({ token: { grantedAt: null, failingSince: ago(ms), code: "token-refused" } });
const fullFor = (ms: number) => ({ budget: { ...WELL.budget, fullSince: ago(ms) } });
const slowFor = (ms: number) => ({ database: { ...WELL.database, slowSince: ago(ms) } });
const sentFor = (ms: number) => ({ writes: { open: 1, oldestAt: ago(ms) } });
const unsignedFor = (ms: number) => ({ auditHead: { signedAt: null, unsigned: 1, unsignedSince: ago(ms) } });
const wrong = (count: number) => ({ deliveries: { ...WELL.deliveries, wrong: count, wrongSince: AT } });
const endsIn = (days: number) => ({ certificate: { endsAt: ago(-days * DAY_MS), lookedAt: AT } });

describe("a watch while the provider is silent", () => {
  const silent = silentFor(60_000);
  const judged = (changes: Partial<WatchReading>, of: Partial<HealthReading> = silent) =>
    judge({ ...WELL, ...of, watches: [watch(changes)] }).watches[0]?.verdict;

  it("had nothing due when it succeeded since then", () => {
    expect(judged({ asOf: ago(10_000) })).toBe("idle");
  });

  it("is well when it never asks, or when the provider answers", () => {
    expect(judged({ asks: false })).toBe("well");
    expect(judged({}, {})).toBe("well");
    expect(judged({}, silentFor(10_000, 2))).toBe("well");
  });

  it("is judged by its last success when that was before", () => {
    expect(judged({ asOf: ago(90_000) })).toBe("well");
    expect(judged({ asOf: ago(3_600_000) })).toBe("failing");
  });
});

it("says of a silent provider since when there was no valid answer", () => {
  const ms = BOUNDS.provider.failingMs;
  expect(judge({ ...WELL, ...silentFor(ms) }).parts.provider).toEqual({ verdict: "failing", since: ago(ms + 1) });
  const never = { ...silentFor(ms).provider, answeredAt: null };
  expect(judge({ ...WELL, provider: never }).parts.provider).toEqual({ verdict: "failing", since: ago(ms) });
});

describe("a part", () => {
  it("calls every part well when nothing is wrong", () => {
    const verdicts = Object.values(judge(WELL).parts).map(({ verdict }) => verdict);
    expect(new Set(verdicts)).toEqual(new Set(["well"]));
  });

  it.each<[PartName, Partial<HealthReading>, Verdict]>([
    ["provider", silentFor(1_000), "late"],
    ["provider", silentFor(BOUNDS.provider.failingMs), "failing"],
    ["provider", silentFor(BOUNDS.provider.failingMs, 2), "well"],
    ["token", tokenFor(0), "late"],
    ["token", tokenFor(BOUNDS.token.failingMs), "failing"],
    ["budget", fullFor(0), "well"],
    ["budget", fullFor(BOUNDS.budget.lateMs), "late"],
    ["budget", fullFor(BOUNDS.budget.failingMs), "failing"],
    ["budget", { budget: { ...WELL.budget, limit: 90 } }, "late"],
    ["budget", { budget: { ...WELL.budget, pausedUntil: AT } }, "late"],
    ["database", slowFor(0), "late"],
    ["database", slowFor(BOUNDS.database.failingMs), "failing"],
    ["database", { database: { ...WELL.database, answeredInMs: BOUNDS.database.slowMs } }, "late"],
    ["database", { database: { ...WELL.database, silence: { since: ago(1), until: AT } } }, "failing"],
    ["writes", sentFor(BOUNDS.writes.lateMs - 1), "well"],
    ["writes", sentFor(BOUNDS.writes.lateMs), "late"],
    ["writes", sentFor(BOUNDS.writes.failingMs), "failing"],
    ["auditHead", unsignedFor(BOUNDS.auditHead.lateMs - 1), "well"],
    ["auditHead", unsignedFor(BOUNDS.auditHead.lateMs), "late"],
    ["auditHead", unsignedFor(BOUNDS.auditHead.failingMs), "failing"],
    ["deliveries", wrong(1), "late"],
    ["deliveries", wrong(BOUNDS.deliveries.failing), "failing"],
    ["certificate", endsIn(31), "well"],
    ["certificate", endsIn(30), "late"],
    ["certificate", endsIn(14), "failing"],
    ["certificate", endsIn(-1), "failing"],
  ])("judges %s by its bounds: %j is %s", (part, changes, verdict) => {
    expect(verdictOf(part, changes)).toBe(verdict);
  });

  it.each<[PartName, Partial<HealthReading>]>([
    ["provider", { provider: { answeredAt: null, silentSince: null, unanswered: 0 } }],
    ["token", { token: { grantedAt: null, failingSince: null, code: null } }],
    ["auditHead", { auditHead: { signedAt: null, unsigned: 0, unsignedSince: null } }],
    ["certificate", { certificate: null }],
    ["certificate", { certificate: { endsAt: null, lookedAt: AT } }],
  ])("says nothing of %s before anything is known: %j", (part, changes) => {
    expect(verdictOf(part, changes)).toBeNull();
  });
});

describe("a watch", () => {
  it.each([
    [30_000, 150_000, 930_000],
    [5_000, 125_000, 905_000],
    [3_600_000, 7_200_000, 25_200_000],
    [86_400_000, 90_000_000, 108_000_000],
  ])("bounds a watch of every %d ms to %d and %d ms", (intervalMs, lateMs, failingMs) => {
    expect(watchBoundMs(intervalMs, BOUNDS.watch.late)).toBe(lateMs);
    expect(watchBoundMs(intervalMs, BOUNDS.watch.failing)).toBe(failingMs);
  });

  it("is late and then failing by the age of its last success", () => {
    expect(watchVerdict({ asOf: ago(150_000) })).toMatchObject({ verdict: "well", lagMs: 150_000 });
    expect(watchVerdict({ asOf: ago(150_001) })).toMatchObject({ verdict: "late" });
    expect(watchVerdict({ asOf: ago(930_001) })).toMatchObject({ verdict: "failing" });
  });

  it("counts one that never ran from when it was first due", () => {
    expect(watchVerdict({ asOf: null, begunAt: null, runsSince: ago(1_000) })).toMatchObject({
      verdict: "well",
      lagMs: 1_000,
      nextAt: null,
    });
    expect(watchVerdict({ asOf: null, begunAt: null })).toMatchObject({ verdict: "failing" });
  });

  it("owes nothing for the time while the console stood still", () => {
    expect(watchVerdict({ asOf: ago(DAY_MS), runsSince: ago(1_000) })).toMatchObject({ verdict: "well" });
  });

  it("runs again an interval after its last start", () => {
    expect(watchVerdict({ begunAt: ago(10_000) })).toMatchObject({ nextAt: ago(-20_000) });
  });
});

const stalled = (changes: Partial<WatchReading> = {}) => watch({ asOf: ago(DAY_MS / 2), ...changes });
const faults = (changes: Partial<HealthReading>, open: Parameters<typeof faultsOf>[2] = new Set()) => {
  const reading = { ...WELL, ...changes };
  return faultsOf(reading, judge(reading), open);
};

describe("a fault", () => {
  it("names each failing part and stalled watch, and since when", () => {
    expect(faults({ ...sentFor(BOUNDS.writes.failingMs), watches: [stalled(), watch({ name: "mails" })] })).toEqual([
      { kind: "writes-unknown", subject: "", since: ago(BOUNDS.writes.failingMs) },
      { kind: "watch-stalled", subject: "kyc", since: ago(DAY_MS / 2) },
    ]);
  });

  it("is none while something is only late", () => {
    expect(faults({ ...silentFor(1_000), ...endsIn(20), ...wrong(1) })).toEqual([]);
  });

  const unavailable = { since: AT, kind: "unavailable", code: null } as const;

  it("is not told of a watch that only suffers from a silent provider", () => {
    const watches = [stalled({ failure: unavailable })];
    expect(faults({ ...silentFor(BOUNDS.provider.failingMs), watches }).map(({ kind }) => kind)).toEqual([
      "provider-silent",
    ]);
    expect(faults({ watches }, new Set(["provider-silent"]))).toEqual([]);
    expect(faults({ watches }).map(({ kind }) => kind)).toEqual(["watch-stalled"]);
  });

  it("is not told of watches that stood still with the database", () => {
    expect(faults({ watches: [stalled()] }, new Set(["database-silent"]))).toEqual([]);
  });

  it.each([
    ["token-refused", { since: AT, kind: "forbidden", code: "token-refused" }],
    ["budget-spent", { since: AT, kind: "rate-limited", code: "budget-spent" }],
  ] as const)("is not told of a watch again that fails by %s", (kind, failure) => {
    const watches = [stalled({ failure })];
    expect(faults({ watches }, new Set([kind]))).toEqual([]);
    expect(faults({ watches }, new Set(["provider-silent"]))).toHaveLength(1);
  });
});
