import type { IncidentKind } from "@/lib/db/enums/health";
import type { Lane } from "@/lib/db/enums/provider";
import type { ErrorKind } from "@/lib/errors/result";

export type Verdict = "well" | "late" | "failing";

export const PARTS = [
  "provider",
  "token",
  "budget",
  "database",
  "writes",
  "auditHead",
  "deliveries",
  "certificate",
] as const;
export type PartName = (typeof PARTS)[number];

/**
 * `asOf`: when its last complete sweep began, null: never. `runsSince`: what it owes is counted from here at the earliest.
 * `asks`: it has asked the provider within a day.
 */
export type WatchReading = {
  name: string;
  intervalMs: number;
  begunAt: string | null;
  asOf: string | null;
  runsSince: string | null;
  failure: { since: string; kind: ErrorKind | null; code: string | null } | null;
  asks: boolean;
};

/** What was read of a tenant, without a judgement. Counts and times of all processes, but for what says otherwise. */
export type HealthReading = {
  at: string;
  watches: WatchReading[];
  /** By the call log. `answeredAt`: when the last valid answer came; `silentSince`: the first call without an answer after the last answer; `unanswered` of them. */
  provider: { answeredAt: string | null; silentSince: string | null; unanswered: number };
  /** By the call log; `failingSince`: the first request for a token in vain after the last one granted. */
  token: { grantedAt: string | null; failingSince: string | null; code: string | null };
  /** `fullSince`: as the health watch found it, sweep after sweep. */
  budget: { used: number; limit: number; configured: number; pausedUntil: string | null; fullSince: string | null };
  /** `answeredInMs` by this process; `silence`: one that this process lived through and nobody was told of. */
  database: {
    kind: "embedded" | "postgresql";
    answeredInMs: number;
    slowSince: string | null;
    silence: { since: string; until: string } | null;
  };
  /** Sent, and without a known outcome; `oldestAt`: since when that is so. */
  writes: { open: number; oldestAt: string | null };
  auditHead: { signedAt: string | null; unsigned: number; unsignedSince: string | null };
  /** `wrong`: signatures within `withinMs`; `refused`: for any cause within a day. */
  deliveries: { wrong: number; withinMs: number; wrongSince: string | null; refused: number };
  /** Of the console's own address, to which the provider delivers; null where that is not https. */
  certificate: { endsAt: string | null; lookedAt: string | null } | null;
};

/** `verdict` null: nothing is known yet. `since` null: it is well, or nothing says since when. */
export type PartVerdict = { verdict: Verdict | null; since: string | null };
/** `idle`: nothing was due, so that its success says nothing of a provider that does not answer. */
export type WatchVerdict = WatchReading & { verdict: Verdict | "idle"; lagMs: number; nextAt: string | null };
export type Judged = { parts: Record<PartName, PartVerdict>; watches: WatchVerdict[] };

/** How the check goes that opens incidents; null before its first. */
export function watchOfIncidents({ watches }: Pick<Judged, "watches">): "well" | "late" | null {
  const own = watches.find(({ name }) => name === "health");
  if (own === undefined || own.asOf === null) return null;
  return own.verdict === "late" || own.verdict === "failing" ? "late" : "well";
}

export type Fault = { kind: IncidentKind; subject: string; since: string };

/** `wellSince`: of an open one, since when all is well again. `mailed`: to how many administrators each of its two mails went; `waiting`: mails that did not leave yet. */
export type IncidentRow = {
  id: string;
  kind: IncidentKind;
  subject: string;
  openedAt: string;
  endedAt: string | null;
  wellSince: string | null;
  mailed: number;
  mailedEnd: number;
  waiting: number;
};

/** Which administrators were mailed that the provider is silent. `later`: it has not lasted for `minutes` yet. */
export type SilenceTold =
  | { as: "sent"; count: number }
  | { as: "later"; minutes: number }
  | { as: "waiting" | "none" | "off" };

/** `lanes`: of the process that answered, whose calls are held back there. */
export type Health = {
  reading: HealthReading;
  judged: Judged;
  silentLanes: Lane[];
  open: IncidentRow[];
  past: IncidentRow[];
  hasMailServer: boolean;
  /** For how long all is well before an incident ends. */
  calmMs: number;
  /** For how long the provider is silent before that is an incident. */
  silenceMs: number;
};
