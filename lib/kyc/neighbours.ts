import { and } from "drizzle-orm";
import type { Actor } from "@/lib/permission/grant";
import { kycCase } from "@/lib/db/tables/kyc";
import { db } from "@/lib/db/connection";
import { whereCase } from "./holder";
import { KycFilter } from "./inputs";
import { askerOf, matching, ordering } from "./queue-filter";

type Neighbours = { previous: string | null; next: string | null };

/** Works even when the case no longer matches the filter. */
export async function readNeighbours(
  actor: Actor<"kyc:read">,
  kycUUID: string,
  given: Partial<KycFilter>,
): Promise<Neighbours> {
  const filter = KycFilter.parse(given);
  const store = await db();
  const fits = matching(await askerOf(store, actor), filter);
  const own = whereCase({ tenant: actor.tenant, kycUUID });
  const [from] = await store
    .select({ cursor: ordering(filter).cursor })
    .from(kycCase)
    .where(own);
  if (from === undefined) return { previous: null, next: null };
  const beside = async (isBackwards: boolean) => {
    const { orderBy, afterCursor } = ordering(filter, isBackwards);
    const [row] = await store
      .select({ kycUUID: kycCase.kycUUID })
      .from(kycCase)
      .where(and(fits, afterCursor(from.cursor)))
      .orderBy(orderBy)
      .limit(1);
    return row?.kycUUID ?? null;
  };
  const [previous, next] = await Promise.all([beside(true), beside(false)]);
  return { previous, next };
}
