import { and, desc, eq, inArray } from "drizzle-orm";
import { bankIntent, type IntentState } from "@/lib/bank/intent-schema";
import { staff } from "@/lib/store/schema";
import type { Db } from "@/lib/store/store";
import { kycDecision } from "./schema";

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
