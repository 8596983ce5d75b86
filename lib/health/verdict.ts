import { DAY_MS, MINUTE_MS } from "@/lib/text/time";
import type { IncidentKind } from "@/lib/db/enums/health";
import type { Fault, HealthReading, Judged, PartName, PartVerdict, Verdict, WatchReading, WatchVerdict } from "./view";

const HOUR_MS = 60 * MINUTE_MS;

/** From when on a part is late or failing, as docs/operating.md tells; `Ms` is how long its fault lasts. */
export const BOUNDS = {
  provider: { lateMs: 0, failingMs: 5 * MINUTE_MS, calls: 3 },
  token: { lateMs: 0, failingMs: 5 * MINUTE_MS },
  budget: { lateMs: MINUTE_MS, failingMs: 10 * MINUTE_MS, fullShare: 0.95 },
  database: { lateMs: 0, failingMs: 5 * MINUTE_MS, slowMs: 1_500, silentMs: 2 * MINUTE_MS },
  writes: { lateMs: 5 * MINUTE_MS, failingMs: 30 * MINUTE_MS },
  auditHead: { lateMs: 2 * MINUTE_MS, failingMs: 10 * MINUTE_MS },
  deliveries: { late: 1, failing: 20, withinMs: 15 * MINUTE_MS },
  certificate: { lateDays: 30, failingDays: 14 },
  /** Beyond its interval: so many intervals, at least and at most so long. */
  watch: {
    late: { intervals: 2, leastMs: 2 * MINUTE_MS, mostMs: HOUR_MS },
    failing: { intervals: 10, leastMs: 15 * MINUTE_MS, mostMs: 6 * HOUR_MS },
  },
  /** For how long all is well before an incident ends. */
  calmMs: 5 * MINUTE_MS,
} as const;

type WatchBound = { intervals: number; leastMs: number; mostMs: number };

/** How old the last success of a watch may be, in milliseconds. */
export const watchBoundMs = (intervalMs: number, { intervals, leastMs, mostMs }: WatchBound): number =>
  intervalMs + Math.min(Math.max(intervals * intervalMs, leastMs), mostMs);

const ageMs = (since: string, at: string) => Date.parse(at) - Date.parse(since);

const latest = (...times: (string | null)[]) =>
  times
    .flatMap((time) => time ?? [])
    .toSorted()
    .at(-1) ?? null;

const WELL: PartVerdict = { verdict: "well", since: null };
const UNKNOWN: PartVerdict = { verdict: null, since: null };

function byAge(since: string | null, at: string, { lateMs, failingMs }: { lateMs: number; failingMs: number }) {
  if (since === null) return WELL;
  const lastsMs = ageMs(since, at);
  if (lastsMs >= failingMs) return { verdict: "failing", since } as const;
  return lastsMs >= lateMs ? ({ verdict: "late", since } as const) : WELL;
}

/** While the provider is silent, a sweep that succeeded had nothing to ask it. */
const isIdle = ({ asks, asOf }: WatchReading, silentSince: string | null) =>
  asks && silentSince !== null && asOf !== null && asOf > silentSince;

function judgeWatch(watch: WatchReading, at: string, silentSince: string | null): WatchVerdict {
  const { intervalMs, asOf, runsSince, begunAt } = watch;
  const from = latest(asOf, runsSince);
  const lagMs = from === null ? 0 : Math.max(0, ageMs(from, at));
  const verdict: Verdict =
    lagMs > watchBoundMs(intervalMs, BOUNDS.watch.failing)
      ? "failing"
      : lagMs > watchBoundMs(intervalMs, BOUNDS.watch.late)
        ? "late"
        : "well";
  const shown = verdict === "well" && isIdle(watch, silentSince) ? "idle" : verdict;
  const nextAt = begunAt === null ? null : new Date(Date.parse(begunAt) + intervalMs).toISOString();
  return { ...watch, verdict: shown, lagMs, nextAt };
}

function judgeProvider({ at, provider: { answeredAt, silentSince, unanswered } }: HealthReading): PartVerdict {
  if (unanswered >= BOUNDS.provider.calls) {
    const judged = byAge(silentSince, at, BOUNDS.provider);
    return judged.since === null ? judged : { ...judged, since: answeredAt ?? judged.since };
  }
  return answeredAt === null ? UNKNOWN : WELL;
}

function judgeToken({ at, token: { grantedAt, failingSince } }: HealthReading): PartVerdict {
  if (failingSince !== null) return byAge(failingSince, at, BOUNDS.token);
  return grantedAt === null ? UNKNOWN : WELL;
}

function judgeBudget({ at, budget }: HealthReading): PartVerdict {
  const judged = byAge(budget.fullSince, at, BOUNDS.budget);
  const isLowered = budget.pausedUntil !== null || budget.limit < budget.configured;
  return judged.verdict === "well" && isLowered ? { verdict: "late", since: null } : judged;
}

function judgeDatabase({ at, database: { answeredInMs, slowSince, silence } }: HealthReading): PartVerdict {
  if (silence !== null) return { verdict: "failing", since: silence.since };
  const judged = byAge(slowSince, at, BOUNDS.database);
  return judged.verdict === "well" && answeredInMs >= BOUNDS.database.slowMs
    ? { verdict: "late", since: null }
    : judged;
}

function judgeAuditHead({ at, auditHead: { signedAt, unsignedSince } }: HealthReading): PartVerdict {
  return signedAt === null && unsignedSince === null ? UNKNOWN : byAge(unsignedSince, at, BOUNDS.auditHead);
}

function judgeDeliveries({ deliveries: { wrong, wrongSince } }: HealthReading): PartVerdict {
  const { late, failing } = BOUNDS.deliveries;
  if (wrong >= failing) return { verdict: "failing", since: wrongSince };
  return wrong >= late ? { verdict: "late", since: wrongSince } : WELL;
}

function judgeCertificate({ at, certificate }: HealthReading): PartVerdict {
  if (certificate === null || certificate.endsAt === null) return UNKNOWN;
  const leftDays = ageMs(at, certificate.endsAt) / DAY_MS;
  const { lateDays, failingDays } = BOUNDS.certificate;
  if (leftDays <= failingDays) return { verdict: "failing", since: null };
  return leftDays <= lateDays ? { verdict: "late", since: null } : WELL;
}

/** Each part's verdict from what was read, and nothing else: it asks no clock and no store. */
export function judge(reading: HealthReading): Judged {
  const provider = judgeProvider(reading);
  const silentSince = provider.verdict === "late" || provider.verdict === "failing" ? provider.since : null;
  return {
    parts: {
      provider,
      token: judgeToken(reading),
      budget: judgeBudget(reading),
      database: judgeDatabase(reading),
      writes: byAge(reading.writes.oldestAt, reading.at, BOUNDS.writes),
      auditHead: judgeAuditHead(reading),
      deliveries: judgeDeliveries(reading),
      certificate: judgeCertificate(reading),
    },
    watches: reading.watches.map((watch) => judgeWatch(watch, reading.at, silentSince)),
  };
}

const KINDS: Readonly<Record<PartName, IncidentKind>> = {
  provider: "provider-silent",
  token: "token-refused",
  budget: "budget-spent",
  database: "database-silent",
  writes: "writes-unknown",
  auditHead: "audit-head-old",
  deliveries: "signatures-wrong",
  certificate: "certificate-ends",
};

/** The kinds that the health watch opens and ends; an area's own are left to it. */
export const JUDGED_KINDS: readonly IncidentKind[] = [...Object.values(KINDS), "watch-stalled"];

type Told = (kind: IncidentKind) => boolean;

/** A watch that only suffers from what somebody is told of anyway. */
function isExplained({ failure }: WatchReading, isTold: Told): boolean {
  if (isTold("database-silent")) return true;
  if (failure === null) return false;
  const { kind, code } = failure;
  if (kind === "unavailable" && isTold("provider-silent")) return true;
  if (code?.startsWith("token-") === true && isTold("token-refused")) return true;
  return kind === "rate-limited" && isTold("budget-spent");
}

/** What fails. `open`: the kinds of incidents that are still open, which explain why watches stand still. */
export function faultsOf({ at }: HealthReading, { parts, watches }: Judged, open: ReadonlySet<IncidentKind>): Fault[] {
  const names = Object.keys(KINDS).filter((name): name is PartName => name in parts);
  const faults = names.flatMap((name) => {
    const { verdict, since } = parts[name];
    return verdict === "failing" ? [{ kind: KINDS[name], subject: "", since: since ?? at }] : [];
  });
  const isTold = (kind: IncidentKind) => open.has(kind) || faults.some((fault) => fault.kind === kind);
  const stalled = watches.filter((watch) => watch.verdict === "failing" && !isExplained(watch, isTold));
  return [
    ...faults,
    ...stalled.map(({ name, lagMs }) => ({
      kind: "watch-stalled" as const,
      subject: name,
      since: new Date(Date.parse(at) - lagMs).toISOString(),
    })),
  ];
}
