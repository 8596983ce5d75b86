import { and, eq, sql } from "drizzle-orm";
import { approval } from "@/lib/db/tables/approvals";
import { kycCase } from "@/lib/db/tables/kyc";
import type { Shown } from "./snapshot";
import { ENDED_STATES } from "./view";
import type { ApprovalState } from "@/lib/db/enums/approvals";

/** A case that moved since its decision was requested, also back to what it was. `at`: when that was first seen. */
export type MovedCase = { from: string; to: string; at: string };

/** Joins the case that a requested decision is about. */
export const isCaseOfRequest = and(
  eq(approval.kind, "kyc.decision"),
  eq(kycCase.tenant, approval.tenant),
  eq(kycCase.kycUUID, sql`substr(${approval.object}, length('kyc:') + 1)`),
);

export const STANDING_CASE = { status: kycCase.status, changedAt: kycCase.changedAt };

export type StandingCase = { status: string; changedAt: Date } | null;

type Requested = { state: ApprovalState; createdAt: Date; shown: Shown | null };

/** Null for an ended request, for one of another kind, and while the case has not moved. */
export function movedCase({ state, createdAt, shown }: Requested, standing: StandingCase): MovedCase | null {
  if (standing === null || ENDED_STATES.some((ended) => ended === state)) return null;
  const before = shown?.facts.find(({ name }) => name === "status")?.before;
  if (before?.as !== "kyc-status") return null;
  if (before.status === standing.status && standing.changedAt <= createdAt) return null;
  return { from: before.status, to: standing.status, at: standing.changedAt.toISOString() };
}
