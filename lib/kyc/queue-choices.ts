import { and, desc, eq, sql } from "drizzle-orm";
import type { Actor } from "@/lib/permission/grant";
import { kycEvent } from "@/lib/db/tables/kyc";
import { db } from "@/lib/db/connection";
import { type Assignee, readAssignees } from "./assignees";

const RECENT = 2_000;

export type QueueChoices = { people: Assignee[]; tags: string[] };

export async function readChoices({ tenant }: Actor<"kyc:read">): Promise<QueueChoices> {
  const store = await db();
  const tag = sql<string>`${kycEvent.detail}->>'tag'`.as("tag");
  const recent = store
    .select({ tag })
    .from(kycEvent)
    .where(and(eq(kycEvent.tenant, tenant), eq(kycEvent.kind, "tagged")))
    .orderBy(desc(kycEvent.at))
    .limit(RECENT)
    .as("lately");
  const tags = await store.selectDistinct({ tag: recent.tag }).from(recent).orderBy(recent.tag);
  return { people: await readAssignees(store, tenant), tags: tags.map((row) => row.tag) };
}
