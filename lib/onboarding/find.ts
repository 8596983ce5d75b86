import { and, desc, eq, inArray, or, sql } from "drizzle-orm";
import { z } from "zod";
import type { Actor } from "@/lib/auth/grant";
import { shownOnboardingDocument } from "@/lib/store/document";
import { onboarding } from "@/lib/store/schema";
import { lookupHashes } from "@/lib/store/seal";
import { db } from "@/lib/store/store";
import { isUuid } from "@/lib/uuid";
import { CustomerQuery, isDocument } from "./rules";

export const Finding = z.object({ query: CustomerQuery });

/** `id` names one of the document's onboardings, by which the queue shows them all; null: nobody's, or several people's. */
export type FoundPerson = { id: string | null; people: number };

const PREFIX_MIN_LENGTH = 4;
/** Beyond this many it is too short a beginning anyway. */
const MOST_ALIKE = 20;

/** What was typed as the beginning of a provider's id, its own signs taken literally. */
const beginsWith = (typed: string) => sql`starts_with(${onboarding.onBoardingId}, ${typed})`;

/**
 * Finds onboardings that are kept here by CPF or CNPJ, or by an id or its beginning; asks nobody. What is typed stays out of
 * every address: the answer is an id of ours.
 */
export async function find(
  { tenant }: Actor<"onboarding:read">,
  { query }: z.output<typeof Finding>,
): Promise<FoundPerson> {
  const isIt = isDocument(query)
    ? inArray(onboarding.documentHash, lookupHashes(query))
    : or(
        eq(onboarding.onBoardingId, query),
        isUuid(query) ? eq(onboarding.id, query) : undefined,
        query.length < PREFIX_MIN_LENGTH ? undefined : beginsWith(query),
      );
  const rows = await (
    await db()
  )
    .select()
    .from(onboarding)
    .where(and(eq(onboarding.tenant, tenant), isIt))
    .orderBy(desc(sql`${onboarding.onBoardingId} = ${query}`), desc(onboarding.seq))
    .limit(MOST_ALIKE);
  const exact = rows.filter(({ id, onBoardingId }) => id === query || onBoardingId === query);
  const found = exact.length > 0 ? exact : rows;
  const people = new Set(found.map((row) => shownOnboardingDocument(row).hashes[0])).size;
  return { id: people === 1 ? (found[0]?.id ?? null) : null, people };
}
