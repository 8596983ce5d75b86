import { desc, eq } from "drizzle-orm";
import type { Actor } from "@/lib/auth/grant";
import { staff } from "@/lib/store/schema";
import { db } from "@/lib/store/store";
import { type CaseRules, caseRulesOf, readRules, STANDARD_RULES } from "./case-rules";
import { changesBetween, type RulesChange } from "./rules-diff";
import { kycCaseRules } from "./schema";

/** A version that was put in force: by whom, when (ISO), and what it changed. */
export type RulesStep = { version: number; byName: string; at: string; changes: RulesChange[] };

export type RulesView = {
  /** 0: the standard ones. */
  version: number;
  rules: CaseRules;
  /** Newest first. */
  history: RulesStep[];
};

const MOST_STEPS = 20;

/** The rules that hold at the tenant, and how they came to. */
export async function readCaseRules({ tenant }: Actor<"settings:manage">): Promise<RulesView> {
  const store = await db();
  const { version, rules } = await caseRulesOf(store, tenant);
  const rows = await store
    .select({ row: kycCaseRules, byName: staff.name })
    .from(kycCaseRules)
    .innerJoin(staff, eq(staff.id, kycCaseRules.staffId))
    .where(eq(kycCaseRules.tenant, tenant))
    .orderBy(desc(kycCaseRules.version))
    .limit(MOST_STEPS + 1);
  const history = rows.slice(0, MOST_STEPS).map(({ row, byName }, n) => ({
    version: row.version,
    byName,
    at: row.createdAt.toISOString(),
    changes: changesBetween(readRules(rows[n + 1]?.row.rules ?? STANDARD_RULES), readRules(row.rules)),
  }));
  return { version, rules, history };
}
