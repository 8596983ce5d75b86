import { instant } from "@/service/clock";
import type { Call, Service } from "@/service/context";
import { schedule } from "@/service/jobs/run-due";
import { toUnits } from "@/service/ledger/account";
import { uuid } from "@/service/random";
import type { Tx } from "@/service/store/transaction";
import { antifraudCase, type CaseDetails } from "@/service/store/schema";

/** Decimal strings in whole units of the asset. */
type Thresholds = { holdFrom: string; blockFrom: string };
export type Screening = "pass" | "hold" | "block";

function reaches(units: bigint, threshold: string, decimals: number): boolean {
  const limit = toUnits(threshold, decimals);
  if (limit === null) throw new RangeError(`the threshold ${threshold} has more than ${decimals} decimals`);
  return units >= limit;
}

/** Our assumption. */
export function judge({ holdFrom, blockFrom }: Thresholds, units: bigint, decimals: number): Screening {
  if (reaches(units, blockFrom, decimals)) return "block";
  return reaches(units, holdFrom, decimals) ? "hold" : "pass";
}

/** `judged`, or a hold that a control route ordered. */
export const screen = ({ holds, tenant }: Call, judged: Screening): Screening =>
  judged === "pass" && holds.waiting(tenant.clientId) > 0 ? "hold" : judged;

export type Outcome<Done> = { kind: "done"; done: Done } | { kind: "held" | "blocked"; case: AntifraudCase };

const HELD_FOR_MS = 24 * 3_600_000;

export const CASE_EXPIRY = "antifraud-expiry";

export type AntifraudCase = typeof antifraudCase.$inferSelect;

/** Held ones wait for 24 hours (our assumption). */
export function newCase(
  { clock, random, tenant }: Call,
  status: "HELD" | "BLOCKED",
  details: CaseDetails,
): AntifraudCase {
  const createdAt = instant(clock);
  const expiresAt = status === "HELD" ? new Date(createdAt.getTime() + HELD_FOR_MS) : null;
  return { id: uuid(random), clientId: tenant.clientId, details, status, createdAt, expiresAt, decidedAt: null };
}

/** In the caller's transaction; plans the expiry of held ones. */
export async function openCases(service: Service, tx: Tx, cases: readonly AntifraudCase[]): Promise<void> {
  if (cases.length === 0) return;
  await tx.insert(antifraudCase).values([...cases]);
  for (const { id, status } of cases)
    if (status === "HELD") await schedule(service, tx, { kind: CASE_EXPIRY, subject: id, delayMs: HELD_FOR_MS });
}
