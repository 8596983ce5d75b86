import { inArray } from "drizzle-orm";
import { type OpenProposal, openProposals } from "@/lib/approvals/open";
import { maskWithin } from "@/lib/contract/document";
import type { KycProcessName, KycStatus, KycType } from "@/lib/contract/kyc";
import { type kycCase, staff } from "@/lib/store/schema";
import type { Db } from "@/lib/store/store";
import { graveCases } from "./gravity";
import { type UnconfirmedDecision, unconfirmedDecisions } from "./unconfirmed";
import { providerText } from "@/lib/unknown";

export type KycRow = {
  kycUUID: string;
  /** As the provider masks it. */
  vatNumber: string;
  kycType: KycType;
  process: KycProcessName;
  status: KycStatus;
  /** Times are ISO. */
  firstSeenAt: string;
  changedAt: string;
  /** Whose it is to work on; null: nobody's. */
  assignee: { id: string; name: string } | null;
  assignedAt: string | null;
  /** Since when it waits for our people and until when they have; null for one that never waited. */
  waitingSince: string | null;
  dueAt: string | null;
  /** Null while it is open. */
  decidedAt: string | null;
  tags: string[];
  /** Our people's last decision about it, while the provider has not confirmed it. */
  unconfirmed: UnconfirmedDecision | null;
  /** A decision that waits for a second person. */
  proposal: OpenProposal | null;
  /** Whether one made now would. */
  needsSecond: boolean;
};

type Kept = typeof kycCase.$inferSelect;

async function namesOf(store: Db, rows: readonly Kept[]): Promise<Map<string, string>> {
  const ids = [...new Set(rows.flatMap(({ assigneeId }) => assigneeId ?? []))];
  if (ids.length === 0) return new Map();
  const people = await store.select({ id: staff.id, name: staff.name }).from(staff).where(inArray(staff.id, ids));
  return new Map(people.map(({ id, name }) => [id, name]));
}

const iso = (at: Date | null) => at?.toISOString() ?? null;

/** The cases as screens show them, with what is still open about each. */
export async function caseRows(store: Db, tenant: string, rows: readonly Kept[]): Promise<KycRow[]> {
  const ids = rows.map(({ kycUUID }) => kycUUID);
  const unconfirmed = await unconfirmedDecisions(store, tenant, ids);
  const objects = ids.map((id) => `kyc:${id}`);
  const proposals = await openProposals(store, { tenant, kind: "kyc.decision" }, objects);
  const grave = await graveCases(store, tenant, rows);
  const names = await namesOf(store, rows);
  return rows.map((row) => ({
    kycUUID: row.kycUUID,
    vatNumber: providerText(maskWithin(row.vatNumber)),
    kycType: row.kycType,
    process: row.process,
    status: row.status,
    firstSeenAt: row.firstSeenAt.toISOString(),
    changedAt: row.changedAt.toISOString(),
    assignee: row.assigneeId === null ? null : { id: row.assigneeId, name: names.get(row.assigneeId) ?? "" },
    assignedAt: iso(row.assignedAt),
    waitingSince: iso(row.waitingSince),
    dueAt: iso(row.dueAt),
    decidedAt: iso(row.decidedAt),
    tags: row.tags,
    unconfirmed: unconfirmed.get(row.kycUUID) ?? null,
    proposal: proposals.get(`kyc:${row.kycUUID}`) ?? null,
    needsSecond: grave.has(row.kycUUID),
  }));
}
