import { and, desc, eq, exists, getTableColumns, inArray, ne, notInArray, type SQL, sql } from "drizzle-orm";
import { type Sent, upload } from "@/lib/action";
import {
  isUnderApproval,
  type PendingApproval,
  pendingApprovalOn,
  readPendingApprovals,
} from "@/lib/approvals/records";
import { ruleInForce, standardOf } from "@/lib/approvals/policy";
import type { Policy } from "@/lib/approvals/view";
import type { Actor } from "@/lib/permission/grant";
import { can, type Permission, type Role } from "@/lib/permission/permission";
import { AppError } from "@/lib/errors/app-error";
import { providerIntent, type IntentState } from "@/lib/db/tables/provider";
import { addUpload, downloadFile, removeFile } from "@/lib/notes/file";
import { addNote, retractNote } from "@/lib/notes/note";
import type { NoteTarget } from "@/lib/notes/target";
import type { Noting, Removing, Retracting } from "@/lib/notes/inputs";
import { FILE_MOST_BYTES } from "@/lib/notes/view";
import { maskWithin } from "@/lib/contract/document";
import { isStorable } from "@/lib/contract/shared";
import type { Holder } from "@/lib/errors/result";
import { publish } from "@/lib/db/publish";
import type { Download } from "@/lib/query";
import { staff } from "@/lib/db/tables/staff";
import { type CheckedItem, kycCase, kycDecision, kycEvent } from "@/lib/db/tables/kyc";
import { shownSealed } from "@/lib/db/seal";
import { type Db, db, type Tx } from "@/lib/db/connection";
import { isUuid } from "@/lib/text/decode";
import type { CaseDecision } from "./inputs";
import type { CaseEventKind } from "@/lib/db/enums/kyc";

/** Support talks to the holder and must not know what the team suspects. */
const READERS = ["kyc:note", "approvals:authorize", "audit:read"] as const satisfies readonly Permission[];

export const readsNotes = (roles: readonly Role[]): boolean => READERS.some((permission) => can(roles, permission));

export type CaseEvent = {
  tenant: string;
  kycUUID: string;
  kind: CaseEventKind;
  /** Staff id; null: the provider or the system. */
  actor: string | null;
  /** Ids, codes and numbers; never personal data. */
  detail?: Record<string, string | number | boolean | null>;
};

export async function noteEvents(tx: Db | Tx, events: readonly CaseEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx.insert(kycEvent).values(events.map(({ detail = {}, ...event }) => ({ ...event, detail })));
}

/** Whatever came of it: the dossier names the case's notes and files. */
const isDecided = async (store: Db | Tx, tenant: string, kycUUID: string): Promise<boolean> =>
  (await store.$count(kycDecision, and(eq(kycDecision.tenant, tenant), eq(kycDecision.kycUUID, kycUUID)))) > 0;

/** From the proposal on: what its approver was shown must still be there. */
export const isCaseHeld = async (store: Db | Tx, tenant: string, kycUUID: string): Promise<boolean> =>
  (await isDecided(store, tenant, kycUUID)) || isUnderApproval(store, tenant, `kyc:${kycUUID}`);

export const caseTarget = (tenant: string, kycUUID: string): NoteTarget => ({
  object: `kyc:${kycUUID}`,
  isThere: async (tx) => (await tx.$count(kycCase, and(eq(kycCase.tenant, tenant), eq(kycCase.kycUUID, kycUUID)))) > 0,
  isHeld: (tx) => isCaseHeld(tx, tenant, kycUUID),
  notify: async (tx, { kind, by: actor, ...detail }) => {
    await noteEvents(tx, [{ tenant, kycUUID, kind, actor, detail }]);
    await publish(tx, { tenant, topic: "kyc", object: kycUUID });
  },
});

export async function putToCase(actor: Actor<"kyc:note">, sent: Sent): Promise<null> {
  const kycUUID = sent.segments["id"] ?? "";
  if (!isStorable(kycUUID)) throw new AppError("not-found", { code: "casework" });
  return addUpload(actor, caseTarget(actor.tenant, kycUUID), sent);
}

export const removeFromCase = (actor: Actor<"kyc:note">, { id, ...removal }: Removing): Promise<null> =>
  removeFile(actor, caseTarget(actor.tenant, id), removal);

/** Recorded before it is answered. Throws not-found, and forbidden to who may not read notes. */
export async function takeFile(
  actor: Actor<"kyc:read">,
  kycUUID: string,
  fileId: string,
): Promise<Download<Uint8Array>> {
  if (!isStorable(kycUUID) || !isUuid(fileId)) throw new AppError("not-found", { code: "casework" });
  if (!readsNotes(actor.roles)) throw new AppError("forbidden", { code: "kyc:note" });
  return downloadFile(actor, `kyc:${kycUUID}`, fileId);
}

export type CaseKey = { tenant: string; kycUUID: string };

export const whereCase = ({ tenant, kycUUID }: CaseKey) =>
  and(eq(kycCase.tenant, tenant), eq(kycCase.kycUUID, kycUUID));

function withHolder(store: Db | Tx, key: CaseKey) {
  const { assigneeId: id, assignedAt, status } = kycCase;
  return store
    .select({ id, name: staff.name, assignedAt, status })
    .from(kycCase)
    .leftJoin(staff, eq(staff.id, id))
    .where(whereCase(key));
}

type HolderRow = Awaited<ReturnType<typeof withHolder>>[number];

const holderIn = ({ id, name, assignedAt }: HolderRow): Holder | null =>
  id === null ? null : { id, name: name ?? "", since: (assignedAt ?? new Date(0)).toISOString() };

export async function readHolder(store: Db | Tx, key: CaseKey): Promise<Holder | null> {
  const [found] = await withHolder(store, key);
  return found === undefined ? null : holderIn(found);
}

/** Locks the case until the transaction ends. Throws `AppError` not-found. */
export async function holdCase(tx: Tx, key: CaseKey): Promise<Holder | null> {
  const [found] = await withHolder(tx, key).for("update", { of: kycCase });
  if (found === undefined) throw new AppError("not-found", { code: "kyc-case" });
  return holderIn(found);
}

/** Throws conflict `case-not-yours`, with whose it is and since when. */
export async function requireOwnCase(tx: Tx, key: CaseKey, staffId: string): Promise<void> {
  const holder = await holdCase(tx, key);
  if (holder?.id !== staffId) throw new AppError("conflict", { code: "case-not-yours", holder });
}

export const noteOnCase = (actor: Actor<"kyc:note">, { id, ...note }: Noting): Promise<null> =>
  addNote(actor, caseTarget(actor.tenant, id), note);

export const retractOnCase = (actor: Actor<"kyc:note">, { id, noteId }: Retracting): Promise<null> =>
  retractNote(actor, caseTarget(actor.tenant, id), noteId);

export const addCaseFile = upload("kyc:note", FILE_MOST_BYTES, putToCase);

type Other = { decision: "APPROVED" | "REPROVED"; isSending: boolean; by: Holder };

export async function lastDecision(
  store: Db,
  { tenant, kycUUID }: CaseKey,
  except: string | null,
): Promise<Other | null> {
  const { decision, createdAt, staffId } = kycDecision;
  const { state, finishedAt } = providerIntent;
  const [last] = await store
    .select({ decision, createdAt, staffId, state, finishedAt, name: staff.name })
    .from(kycDecision)
    .innerJoin(
      providerIntent,
      and(eq(providerIntent.tenant, kycDecision.tenant), eq(providerIntent.id, kycDecision.intentId)),
    )
    .innerJoin(staff, eq(staff.id, staffId))
    .where(
      and(
        eq(kycDecision.tenant, tenant),
        eq(kycDecision.kycUUID, kycUUID),
        except === null ? undefined : ne(kycDecision.intentId, except),
        ne(state, "REFUSED"),
      ),
    )
    .orderBy(desc(createdAt))
    .limit(1);
  if (last === undefined) return null;
  const since = (last.finishedAt ?? last.createdAt).toISOString();
  const by = { id: last.staffId, name: last.name, since };
  return { decision: last.decision, isSending: last.state === "SENDING", by };
}

async function proposer(store: Db, { tenant, kycUUID }: CaseKey): Promise<Holder | null> {
  const object = `kyc:${kycUUID}`;
  const pendingApproval = (await readPendingApprovals(store, { tenant, kind: "kyc.decision" }, [object])).get(object);
  return pendingApproval === undefined
    ? null
    : { id: pendingApproval.makerId, name: pendingApproval.makerName, since: pendingApproval.at };
}

/** Null when the case is still what the person saw. */
async function decidedMeanwhile(store: Db, key: CaseKey, { intentId, expected }: CaseDecision) {
  const { status, process } = kycCase;
  const [current] = await store.select({ status, process }).from(kycCase).where(whereCase(key));
  if (current === undefined || current.status === expected.status) return null;
  const other = await lastDecision(store, key, intentId);
  return other === null || other.isSending || other.decision !== current.status ? null : { current, ...other };
}

export async function explainConflict(tenant: string, order: CaseDecision, refusal: AppError): Promise<AppError> {
  const store = await db();
  const key = { tenant, kycUUID: order.kycUUID };
  const { details } = refusal;
  switch (details.code ?? "") {
    case "approval-open":
      return new AppError("conflict", { ...details, holder: await proposer(store, key) });
    case "decision-in-flight": {
      const other = await lastDecision(store, key, order.intentId);
      return new AppError("conflict", { ...details, holder: other?.isSending === true ? other.by : null });
    }
    case "case-changed":
    case "case-not-yours": {
      const first = await decidedMeanwhile(store, key, order);
      if (first === null) return refusal;
      const { current, by: holder, decision: decided } = first;
      return new AppError("conflict", { ...details, code: "case-decided", current, holder, decided });
    }
    default:
      return refusal;
  }
}

const FINAL: readonly string[] = ["APPROVED", "REPROVED"];

export const isFinal = (status: string): boolean => FINAL.includes(status);

/** One in flight may yet be refused; meanwhile no other is sent. */
const UNDECIDED: readonly IntentState[] = ["SENDING", "REFUSED"];

export async function decidedAmong(
  store: Db | Tx,
  { tenant, except = null }: { tenant: string; except?: string | null },
  cases: readonly string[],
): Promise<Set<string>> {
  if (cases.length === 0) return new Set();
  const rows = await store
    .selectDistinct({ kycUUID: kycDecision.kycUUID })
    .from(kycDecision)
    .innerJoin(
      providerIntent,
      and(eq(providerIntent.tenant, kycDecision.tenant), eq(providerIntent.id, kycDecision.intentId)),
    )
    .where(
      and(
        eq(kycDecision.tenant, tenant),
        inArray(kycDecision.kycUUID, [...cases]),
        except === null ? undefined : ne(kycDecision.intentId, except),
        notInArray(providerIntent.state, [...UNDECIDED]),
      ),
    );
  return new Set(rows.map(({ kycUUID }) => kycUUID));
}

export type UnconfirmedDecision = { decision: "APPROVED" | "REPROVED"; byName: string; at: string };

const SETTLED: readonly IntentState[] = ["DONE", "REFUSED"];

type StandingOfCase = {
  /** The last decision, unless it is confirmed or refused. */
  unconfirmed: UnconfirmedDecision | null;
  pendingApproval: PendingApproval | null;
  /** The next decision is for a second person. */
  needsSecond: boolean;
  assigneeName: string | null;
};

const ofCase = and(eq(kycDecision.tenant, kycCase.tenant), eq(kycDecision.kycUUID, kycCase.kycUUID));
const intentOfDecision = and(
  eq(providerIntent.tenant, kycDecision.tenant),
  eq(providerIntent.id, kycDecision.intentId),
);

function lastOf(store: Db) {
  const { decision, createdAt: at } = kycDecision;
  return store
    .select({ decision, at, byName: sql<string>`${staff.name}`.as("decided_by"), state: providerIntent.state })
    .from(kycDecision)
    .innerJoin(providerIntent, intentOfDecision)
    .innerJoin(staff, eq(staff.id, kycDecision.staffId))
    .where(ofCase)
    .orderBy(desc(at))
    .limit(1)
    .as("last");
}

type Choice = { where: SQL | undefined; by: SQL; edge: SQL<string>; limit: number };

export type SelectedCaseRow = { row: typeof kycCase.$inferSelect; edge: string; standing: StandingOfCase };

/** In one statement, which chooses the cases before it looks for what concerns them. */
export async function selectCaseRows(
  store: Db,
  tenant: string,
  { where, by, edge, limit }: Choice,
): Promise<SelectedCaseRow[]> {
  const chosen = store
    .select({ ...getTableColumns(kycCase), edge: edge.as("edge") })
    .from(kycCase)
    .where(where)
    .orderBy(by)
    .limit(limit)
    .as("kyc_case");
  const last = lastOf(store);
  const pendingApproval = pendingApprovalOn(store, { tenant, kind: "kyc.decision" }, sql`'kyc:' || ${kycCase.kycUUID}`);
  const settling = store
    .select({ one: sql`1` })
    .from(kycDecision)
    .innerJoin(providerIntent, intentOfDecision)
    .where(and(ofCase, notInArray(providerIntent.state, [...UNDECIDED])));
  const rows = await store
    .select({
      row: kycCase,
      edge: chosen.edge,
      last: { decision: last.decision, at: last.at, byName: last.byName, state: last.state },
      isDecided: sql<boolean>`${exists(settling)}`,
      pendingApproval: {
        approvalId: pendingApproval.approvalId,
        makerId: pendingApproval.makerId,
        makerName: pendingApproval.makerName,
        at: pendingApproval.at,
      },
      rule: sql<Policy["rule"] | null>`${ruleInForce(store, tenant, "kyc.decision")}`,
      assigneeName: staff.name,
    })
    .from(chosen)
    .leftJoin(staff, eq(staff.id, kycCase.assigneeId))
    .leftJoinLateral(last, sql`true`)
    .leftJoinLateral(pendingApproval, sql`true`)
    .orderBy(by);
  return rows.map(({ row, edge: at, ...read }) => ({ row, edge: at, standing: toStanding({ ...row, ...read }) }));
}

type Read = {
  status: string;
  last: { decision: UnconfirmedDecision["decision"]; at: Date; byName: string; state: IntentState } | null;
  isDecided: boolean;
  pendingApproval: (Omit<PendingApproval, "at"> & { at: Date }) | null;
  rule: Policy["rule"] | null;
  assigneeName: string | null;
};

function toStanding({
  status,
  last,
  isDecided: hasDecided,
  pendingApproval,
  rule,
  assigneeName,
}: Read): StandingOfCase {
  const inForce = rule ?? standardOf("kyc.decision").rule;
  const isUnconfirmed = last !== null && !SETTLED.includes(last.state);
  return {
    unconfirmed: isUnconfirmed ? { decision: last.decision, byName: last.byName, at: last.at.toISOString() } : null,
    pendingApproval: pendingApproval && { ...pendingApproval, at: pendingApproval.at.toISOString() },
    needsSecond: inForce === "always" || (inForce !== "never" && (isFinal(status) || hasDecided)),
    assigneeName,
  };
}

/** The provider never holds a decision. */
type DecisionState = Exclude<IntentState, "HELD">;

export type DecisionView = {
  intentId: string;
  decision: "APPROVED" | "REPROVED";
  reason: string;
  reasonCode: string | null;
  /** For the team alone; null where there is none or the reader may not see it. */
  note: string | null;
  checklist: readonly CheckedItem[];
  /** Null before there were rules; 0: the standard ones. */
  rulesVersion: number | null;
  byName: string;
  at: string;
  state: DecisionState;
};

type DecisionsRequest = { tenant: string; kycUUID: string; showsNotes: boolean };

export async function readDecisions(
  store: Db,
  { tenant, kycUUID, showsNotes }: DecisionsRequest,
): Promise<DecisionView[]> {
  const rows = await store
    .select({ decided: kycDecision, byName: staff.name, state: providerIntent.state })
    .from(kycDecision)
    .innerJoin(
      providerIntent,
      and(eq(providerIntent.tenant, kycDecision.tenant), eq(providerIntent.id, kycDecision.intentId)),
    )
    .innerJoin(staff, eq(staff.id, kycDecision.staffId))
    .where(and(eq(kycDecision.tenant, tenant), eq(kycDecision.kycUUID, kycUUID)))
    .orderBy(desc(kycDecision.createdAt));
  return rows.map(({ decided, byName, state }) => {
    const { intentId, decision, reason, reasonCode, noteSealed, checklist, rulesVersion, createdAt } = decided;
    const row = [tenant, intentId];
    return {
      intentId,
      decision,
      reason: maskWithin(shownSealed(reason, { column: "kyc_decision.reason", row })),
      reasonCode,
      note:
        showsNotes && noteSealed !== null
          ? maskWithin(shownSealed(noteSealed, { column: "kyc_decision.note_sealed", row }))
          : null,
      checklist,
      rulesVersion,
      byName,
      at: createdAt.toISOString(),
      state: state === "HELD" ? "UNKNOWN" : state,
    };
  });
}
