import { and, eq } from "drizzle-orm";
import type { z } from "zod";
import { namedDocument } from "@/lib/contract/document";
import { db } from "@/lib/db/connection";
import { kycCase } from "@/lib/db/tables/kyc";
import type { Actor } from "@/lib/permission/grant";
import { isOfDocument } from "@/lib/text/typed-document";
import type { SameDocumentQuery } from "./inputs";
import { caseMatches } from "./queue-filter";
import { findSameDocument } from "./same-document";
import type { SoughtCase } from "./view";

/** A possible document or name enters a URL only as an existing case, tag or id. */
export async function seekCase(
  actor: Actor<"kyc:read">,
  { query }: z.output<typeof SameDocumentQuery>,
): Promise<SoughtCase> {
  const { kind } = namedDocument(query);
  if (kind === "several" || kind === "mistyped") return { kycUUID: null, by: kind };
  if (kind !== "none" || isOfDocument(query)) return findSameDocument(actor, { query });
  const isSought = and(eq(kycCase.tenant, actor.tenant), caseMatches(query));
  const [row] = await (await db()).select({ kycUUID: kycCase.kycUUID }).from(kycCase).where(isSought).limit(1);
  return { kycUUID: row?.kycUUID ?? null, by: "search" };
}
