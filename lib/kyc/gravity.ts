import { and, eq, inArray, ne, notInArray } from "drizzle-orm";
import { policyOf } from "@/lib/approvals/policy";
import { bankIntent } from "@/lib/bank/intent-schema";
import type { Db, Tx } from "@/lib/store/store";
import { kycDecision } from "./schema";

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
