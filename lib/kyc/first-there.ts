import { and, desc, eq, ne } from "drizzle-orm";
import { openProposals } from "@/lib/approvals/open";
import { BankError } from "@/lib/bank/error";
import { bankIntent } from "@/lib/bank/intent-schema";
import type { Holder } from "@/lib/result";
import { kycCase, staff } from "@/lib/store/schema";
import { type Db, db } from "@/lib/store/store";
import { caseAt, type CasePlace } from "./held";
import type { CaseDecision } from "./rules";
import { kycDecision } from "./schema";

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
  const [current] = await store.select({ status, process }).from(kycCase).where(caseAt(place));
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
