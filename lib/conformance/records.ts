import { and, eq, gte } from "drizzle-orm";
import type { Db } from "@/lib/db/connection";
import { providerFinding } from "@/lib/db/tables/provider";
import { civilDaysAgo } from "@/lib/text/time";
import { changesOn, differingOn } from "./threshold";

const COMPARED_DAYS = 14;

/** `begun`: operations whose answers differ since today; `ended`: whether an operation answered today without differing. */
export type AnswerChanges = { begun: ReadonlySet<string>; ended: (operation: string) => boolean };

export async function readAnswerChanges(store: Db, tenant: string): Promise<AnswerChanges> {
  const { day, operation, is, field, found, answers } = providerFinding;
  const today = civilDaysAgo(0);
  const isRecent = and(eq(providerFinding.tenant, tenant), gte(day, civilDaysAgo(COMPARED_DAYS)));
  const findings = await store
    .select({ day, operation, is, field, found, answers })
    .from(providerFinding)
    .where(isRecent);
  const differing = differingOn(today, findings);
  const answered = findings.filter((one) => one.day === today && one.is === "ANSWERED");
  return {
    begun: new Set(changesOn(today, findings).map((one) => one.operation)),
    ended: (asked) => answered.some((one) => one.operation === asked) && !differing.has(asked),
  };
}
