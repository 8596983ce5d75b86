import { and, eq } from "drizzle-orm";
import type { z } from "zod";
import { documentAmong, documentsWithin, mayHoldDocument, restoredDocuments } from "@/lib/contract/document";
import { db } from "@/lib/db/connection";
import { kycCase } from "@/lib/db/tables/kyc";
import type { Actor } from "@/lib/permission/grant";
import { isOfDocument } from "@/lib/text/typed-document";
import type { SameDocumentQuery } from "./inputs";
import { caseMatches } from "./queue-filter";
import { findSameDocument, type SameDocument } from "./same-document";

export type SoughtCase = SameDocument | { kycUUID: string | null; by: "search" };

/** A possible document or name enters a URL only as an existing case, tag or id. */
export async function seekCase(
  actor: Actor<"kyc:read">,
  { query }: z.output<typeof SameDocumentQuery>,
): Promise<SoughtCase> {
  const document = documentAmong(query);
  if (isOfDocument(document) || restoredDocuments(query).length > 0)
    return findSameDocument(actor, { query: document });
  if (documentsWithin(query).length > 0) return { kycUUID: null, by: "search" };
  if (mayHoldDocument(query)) return { kycUUID: null, by: "document" };
  const isSought = and(eq(kycCase.tenant, actor.tenant), caseMatches(query));
  const [row] = await (await db()).select({ kycUUID: kycCase.kycUUID }).from(kycCase).where(isSought).limit(1);
  return { kycUUID: row?.kycUUID ?? null, by: "search" };
}
