import { and, desc, eq, sql } from "drizzle-orm";
import type { Actor } from "@/lib/auth/grant";
import { db } from "@/lib/store/store";
import { type Assignee, readAssignees } from "./assignees";
import { kycEvent } from "./schema";

/** Of the last so many times that somebody put a tag on a case. */
const LATELY = 2_000;

export type QueueChoices = { people: Assignee[]; tags: string[] };

/** Whom the queue's filter and its bulk changes can name, and the tags in use lately. */
export async function readChoices({ tenant }: Actor<"kyc:read">): Promise<QueueChoices> {
  const store = await db();
  const tag = sql<string>`${kycEvent.detail}->>'tag'`.as("tag");
  const lately = store
    .select({ tag })
    .from(kycEvent)
    .where(and(eq(kycEvent.tenant, tenant), eq(kycEvent.kind, "tagged")))
    .orderBy(desc(kycEvent.at))
    .limit(LATELY)
    .as("lately");
  const tags = await store.selectDistinct({ tag: lately.tag }).from(lately).orderBy(lately.tag);
  return { people: await readAssignees(store, tenant), tags: tags.map((row) => row.tag) };
}
