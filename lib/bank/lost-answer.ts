import { and, eq, gt, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { bankIntent } from "./intent-schema";

/** Only what is looked at so long after it was sent tells that it had no effect. */
const WAIVED_AFTER_MS = 60_000;
/** Older ones stay open, and are no longer looked for. */
const LOOKED_FOR_DAYS = 30;

type Ordered = Record<"tenant" | "intentId", AnyPgColumn>;

/** Joins what was ordered with its intent. */
export const ofIntent = ({ tenant, intentId }: Ordered): SQL | undefined =>
  and(eq(bankIntent.tenant, tenant), eq(bankIntent.id, intentId));

export const isSending = sql<boolean>`${bankIntent.state} = 'SENDING'`;

/** It was sent, and whether it had an effect is not known; still looked for a day after somebody no longer waits for it. */
export function isLookedFor({ createdAt, waivedAt }: Record<"createdAt" | "waivedAt", AnyPgColumn>): SQL | undefined {
  return and(
    inArray(bankIntent.state, ["SENDING", "UNKNOWN"]),
    or(isNull(waivedAt), gt(waivedAt, sql`clock_timestamp() - interval '1 day'`)),
    gt(createdAt, sql`clock_timestamp() - ${LOOKED_FOR_DAYS} * interval '1 day'`),
  );
}

/** What the provider showed at `lookedAt` says whether it had an effect. */
export const wasLookedSince = (lookedAt: AnyPgColumn | SQL) =>
  sql<boolean>`coalesce(${lookedAt} > ${bankIntent.firstSentAt} + ${WAIVED_AFTER_MS} * interval '1 millisecond', false)`;

type Open<Candidate> = { isSending: boolean; candidates: readonly Candidate[] };

/** The one of its candidates that can have come of nothing else among `all`; several need a person. */
export function onlyCandidate<Candidate>(
  one: Open<Candidate>,
  all: readonly Open<Candidate>[],
  idOf: (candidate: Candidate) => string,
): string | null {
  const [candidate, another] = one.candidates;
  if (one.isSending || candidate === undefined || another !== undefined) return null;
  const id = idOf(candidate);
  const claimants = all.filter(({ candidates }) => candidates.some((other) => idOf(other) === id));
  return claimants.length === 1 ? id : null;
}
