import { and, desc, eq, inArray, ne, notInArray } from "drizzle-orm";
import { openProposals } from "@/lib/approvals/open";
import { policyOf } from "@/lib/approvals/policy";
import { BankError } from "@/lib/bank/answer";
import { bankIntent, type IntentState } from "@/lib/bank/schema";
import { maskWithin } from "@/lib/contract/document";
import type { Holder } from "@/lib/errors/result";
import { kycCase, staff } from "@/lib/store/schema";
import { shownSealed } from "@/lib/store/seal";
import { type Db, db, type Tx } from "@/lib/store/store";
import { type CasePlace, whereCase } from "./events";
import type { CaseDecision } from "./rules";
import { type CheckedItem, kycDecision } from "./schema";

type Other = { decision: "APPROVED" | "REPROVED"; isSending: boolean; by: Holder };

/** The last decision of our people about the case that was not refused, under another intent than `except`. */
export async function lastDecision(
  store: Db,
  { tenant, kycUUID }: CasePlace,
  except: string | null,
): Promise<Other | null> {
  const { decision, createdAt, staffId } = kycDecision;
  const { state, finishedAt } = bankIntent;
  const [last] = await store
    .select({ decision, createdAt, staffId, state, finishedAt, name: staff.name })
    .from(kycDecision)
    .innerJoin(bankIntent, and(eq(bankIntent.tenant, kycDecision.tenant), eq(bankIntent.id, kycDecision.intentId)))
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

async function proposer(store: Db, { tenant, kycUUID }: CasePlace): Promise<Holder | null> {
  const object = `kyc:${kycUUID}`;
  const proposal = (await openProposals(store, { tenant, kind: "kyc.decision" }, [object])).get(object);
  return proposal === undefined ? null : { id: proposal.makerId, name: proposal.makerName, since: proposal.at };
}

/** What the case is by now, when a colleague's decision made it so; null when it is still what the person saw. */
async function decidedMeanwhile(store: Db, place: CasePlace, { intentId, expected }: CaseDecision) {
  const { status, process } = kycCase;
  const [current] = await store.select({ status, process }).from(kycCase).where(whereCase(place));
  if (current === undefined || current.status === expected.status) return null;
  const other = await lastDecision(store, place, intentId);
  return other === null || other.isSending || other.decision !== current.status ? null : { current, ...other };
}

/** The refusal of a decision, with who was there first and when, where it was one of our people. */
export async function tellingWho(tenant: string, order: CaseDecision, refusal: BankError): Promise<BankError> {
  const store = await db();
  const place = { tenant, kycUUID: order.kycUUID };
  const { details } = refusal;
  switch (details.code ?? "") {
    case "approval-open":
      return new BankError("conflict", { ...details, holder: await proposer(store, place) });
    case "decision-in-flight": {
      const other = await lastDecision(store, place, order.intentId);
      return new BankError("conflict", { ...details, holder: other?.isSending === true ? other.by : null });
    }
    case "case-changed":
    case "case-not-yours": {
      const first = await decidedMeanwhile(store, place, order);
      if (first === null) return refusal;
      const { current, by: holder, decision: decided } = first;
      return new BankError("conflict", { ...details, code: "case-decided", current, holder, decided });
    }
    default:
      return refusal;
  }
}

const FINAL: readonly string[] = ["APPROVED", "REPROVED"];

/** Whether a decision about a case of this status overrules another one. */
export const isFinal = (status: string): boolean => FINAL.includes(status);

/** Which of the cases our own people decided already, under another intent than `except`. */
export async function decidedAmong(
  store: Db | Tx,
  { tenant, except = null }: { tenant: string; except?: string | null },
  cases: readonly string[],
): Promise<Set<string>> {
  if (cases.length === 0) return new Set();
  const rows = await store
    .selectDistinct({ kycUUID: kycDecision.kycUUID })
    .from(kycDecision)
    .innerJoin(bankIntent, and(eq(bankIntent.tenant, kycDecision.tenant), eq(bankIntent.id, kycDecision.intentId)))
    .where(
      and(
        eq(kycDecision.tenant, tenant),
        inArray(kycDecision.kycUUID, [...cases]),
        except === null ? undefined : ne(kycDecision.intentId, except),
        // One that is on its way now may yet be refused; meanwhile none other is sent.
        notInArray(bankIntent.state, ["SENDING", "REFUSED"]),
      ),
    );
  return new Set(rows.map(({ kycUUID }) => kycUUID));
}

type Case = { kycUUID: string; status: string };

/** The cases of which a decision would go to a second person as things stand. */
export async function graveCases(store: Db, tenant: string, cases: readonly Case[]): Promise<Set<string>> {
  const { rule } = await policyOf(store, tenant, "kyc.decision");
  if (rule === "never") return new Set();
  const ids = cases.map(({ kycUUID }) => kycUUID);
  if (rule === "always") return new Set(ids);
  const decided = await decidedAmong(store, { tenant }, ids);
  return new Set(cases.filter((one) => isFinal(one.status) || decided.has(one.kycUUID)).map(({ kycUUID }) => kycUUID));
}

/** A decision of our own people that the provider has neither confirmed nor refused. `at` is ISO. */
export type UnconfirmedDecision = { decision: "APPROVED" | "REPROVED"; byName: string; at: string };

const SETTLED: readonly IntentState[] = ["DONE", "REFUSED"];

/** The last decision of each of these cases, where it is not confirmed yet. */
export async function unconfirmedDecisions(
  store: Db,
  tenant: string,
  cases: readonly string[],
): Promise<Map<string, UnconfirmedDecision>> {
  if (cases.length === 0) return new Map();
  const { kycUUID, decision, createdAt } = kycDecision;
  const latest = await store
    .selectDistinctOn([kycUUID], { kycUUID, decision, createdAt, byName: staff.name, state: bankIntent.state })
    .from(kycDecision)
    .innerJoin(bankIntent, and(eq(bankIntent.tenant, kycDecision.tenant), eq(bankIntent.id, kycDecision.intentId)))
    .innerJoin(staff, eq(staff.id, kycDecision.staffId))
    .where(and(eq(kycDecision.tenant, tenant), inArray(kycUUID, [...cases])))
    .orderBy(kycUUID, desc(createdAt));
  return new Map(
    latest
      .filter(({ state }) => !SETTLED.includes(state))
      .map((last) => [
        last.kycUUID,
        { decision: last.decision, byName: last.byName, at: last.createdAt.toISOString() },
      ]),
  );
}

/** Nothing holds a decision at the provider: what would be held is not known. */
type DecisionState = Exclude<IntentState, "HELD">;

export type DecisionView = {
  intentId: string;
  decision: "APPROVED" | "REPROVED";
  /** What the provider was told. */
  reason: string;
  reasonCode: string | null;
  /** What the team alone reads; null where there is none, and for whoever may not. */
  note: string | null;
  /** In the words that stood there then. */
  checklist: readonly CheckedItem[];
  /** By which version of the rules; null before there were any, 0: the standard ones. */
  rulesVersion: number | null;
  byName: string;
  at: string;
  state: DecisionState;
};

type Reading = { tenant: string; kycUUID: string; readsNotes: boolean };

/** What our own people decided about a case, newest first. */
export async function readDecisions(store: Db, { tenant, kycUUID, readsNotes }: Reading): Promise<DecisionView[]> {
  const rows = await store
    .select({ decided: kycDecision, byName: staff.name, state: bankIntent.state })
    .from(kycDecision)
    .innerJoin(bankIntent, and(eq(bankIntent.tenant, kycDecision.tenant), eq(bankIntent.id, kycDecision.intentId)))
    .innerJoin(staff, eq(staff.id, kycDecision.staffId))
    .where(and(eq(kycDecision.tenant, tenant), eq(kycDecision.kycUUID, kycUUID)))
    .orderBy(desc(kycDecision.createdAt));
  return rows.map(({ decided, byName, state }) => {
    const { intentId, decision, reason, reasonCode, noteSealed, checklist, rulesVersion, createdAt } = decided;
    const row = [intentId];
    return {
      intentId,
      decision,
      reason: maskWithin(shownSealed(reason, { column: "kyc_decision.reason", row })),
      reasonCode,
      note:
        readsNotes && noteSealed !== null
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
