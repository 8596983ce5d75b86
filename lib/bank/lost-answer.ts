import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { bankIntent } from "./intent-schema";

/** Only what is looked at so long after it was sent tells that it had no effect. */
const SHOWS_AFTER_MS = 60_000;
type Ordered = Record<"tenant" | "intentId", AnyPgColumn>;

/** Joins what was ordered with its intent. */
export const ofIntent = ({ tenant, intentId }: Ordered): SQL | undefined =>
  and(eq(bankIntent.tenant, tenant), eq(bankIntent.id, intentId));

export const isSending = sql<boolean>`${bankIntent.state} = 'SENDING'`;

/** It was sent, and whether it had an effect is not known: it stays so until it is found, or a person says. */
export const isLookedFor: SQL = inArray(bankIntent.state, ["SENDING", "UNKNOWN"]);

/** What the provider showed at `lookedAt`, long enough after it was sent, would show its effect. */
export const wasLookedSince = (lookedAt: AnyPgColumn | SQL) =>
  sql<boolean>`coalesce(${lookedAt} > ${bankIntent.firstSentAt} + ${SHOWS_AFTER_MS} * interval '1 millisecond', false)`;

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
