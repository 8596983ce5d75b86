import { instant } from "@/service/clock";
import type { Call, Service } from "@/service/context";
import { schedule } from "@/service/jobs/schedule";
import { uuid } from "@/service/random";
import type { Tx } from "@/service/store/db";
import type { CaseDetails } from "./details";
import { antifraudCase } from "./schema";

const HELD_FOR_MS = 24 * 3_600_000;

/** The planned work that gives a held amount back when nobody has decided in time. */
export const CASE_EXPIRY = "antifraud-expiry";

export type AntifraudCase = typeof antifraudCase.$inferSelect;

/** A new case for what antifraud held or blocked; held ones wait for 24 hours (our assumption). */
export function newCase(
  { clock, random, tenant }: Call,
  status: "HELD" | "BLOCKED",
  details: CaseDetails,
): AntifraudCase {
  const createdAt = instant(clock);
  const expiresAt = status === "HELD" ? new Date(createdAt.getTime() + HELD_FOR_MS) : null;
  return { id: uuid(random), clientId: tenant.clientId, details, status, createdAt, expiresAt, decidedAt: null };
}

/** Writes cases in the caller's transaction and plans the expiry of those that are held. */
export async function openCases(service: Service, tx: Tx, cases: readonly AntifraudCase[]): Promise<void> {
  if (cases.length === 0) return;
  await tx.insert(antifraudCase).values([...cases]);
  for (const { id, status } of cases)
    if (status === "HELD") await schedule(service, tx, { kind: CASE_EXPIRY, subject: id, delayMs: HELD_FOR_MS });
}
