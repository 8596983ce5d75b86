import { and, eq } from "drizzle-orm";
import type { Actor } from "@/lib/auth/grant";
import { kycCase } from "@/lib/store/schema";
import { db } from "@/lib/store/store";
import { askerOf } from "./queue";
import { matching, ordering } from "./queue-filter";
import { KycFilter } from "./rules";

/** The cases beside one in the queue under a filter, by their ids; null: there is none on that side. */
export type Neighbours = { previous: string | null; next: string | null };

/** Works from where the case stands in that order, also when it does not fit the filter any more. */
export async function readNeighbours(
  actor: Actor<"kyc:read">,
  kycUUID: string,
  given: Partial<KycFilter>,
): Promise<Neighbours> {
  const filter = KycFilter.parse(given);
  const store = await db();
  const fits = matching(await askerOf(store, actor), filter);
  const own = and(eq(kycCase.tenant, actor.tenant), eq(kycCase.kycUUID, kycUUID));
  const [from] = await store
    .select({ edge: ordering(filter).edge })
    .from(kycCase)
    .where(own);
  if (from === undefined) return { previous: null, next: null };
  const beside = async (isBackwards: boolean) => {
    const { by, beyond } = ordering(filter, isBackwards);
    const [row] = await store
      .select({ kycUUID: kycCase.kycUUID })
      .from(kycCase)
      .where(and(fits, beyond(from.edge)))
      .orderBy(by)
      .limit(1);
    return row?.kycUUID ?? null;
  };
  return { previous: await beside(true), next: await beside(false) };
}
