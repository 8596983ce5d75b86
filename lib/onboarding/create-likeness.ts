import { and, desc, eq, gt, inArray, isNull, ne, notInArray, sql } from "drizzle-orm";
import type { AccountLikeness } from "@/lib/account-creation";
import { bankIntent } from "@/lib/bank/intent-schema";
import { ofIntent } from "@/lib/bank/lost-answer";
import { lookupHashes } from "@/lib/store/seal";
import { onboarding, staff } from "@/lib/store/schema";
import type { Db, Tx } from "@/lib/store/store";
import { onboardingRequest } from "./schema";

/** Of a document with more of them, the last ones speak for all. */
const MOST = 20;

export type Sought = {
  tenant: string;
  /** In clear, without points. */
  document: string;
  /** The request that asks. */
  except: string | null;
};

async function unsettledRequests(tx: Db | Tx, { tenant, document, except }: Sought): Promise<AccountLikeness[]> {
  const rows = await tx
    .select({ request: onboardingRequest, byName: staff.name })
    .from(onboardingRequest)
    .innerJoin(bankIntent, ofIntent(onboardingRequest))
    .innerJoin(staff, eq(staff.id, onboardingRequest.staffId))
    .where(
      and(
        eq(onboardingRequest.tenant, tenant),
        inArray(onboardingRequest.documentHash, lookupHashes(document)),
        inArray(bankIntent.state, ["SENDING", "UNKNOWN"]),
        isNull(onboardingRequest.onboardingId),
        isNull(onboardingRequest.waivedAt),
        except === null ? undefined : ne(onboardingRequest.intentId, except),
      ),
    )
    .orderBy(desc(onboardingRequest.createdAt))
    .limit(MOST);
  return rows.map(({ request: { intentId, createdAt }, byName }) => ({
    ref: intentId,
    id: null,
    at: createdAt.toISOString(),
    byName,
    status: null,
    isUnsettled: true,
  }));
}

/** Onboardings of the document that go on, and those that led to an account. */
async function livingOnboardings(tx: Db | Tx, { tenant, document }: Sought): Promise<AccountLikeness[]> {
  const rows = await tx
    .select({ row: onboarding, byName: staff.name })
    .from(onboarding)
    .leftJoin(onboardingRequest, eq(onboardingRequest.onboardingId, onboarding.id))
    .leftJoin(staff, eq(staff.id, onboardingRequest.staffId))
    .where(
      and(
        eq(onboarding.tenant, tenant),
        inArray(onboarding.documentHash, lookupHashes(document)),
        notInArray(onboarding.status, ["ERROR"]),
      ),
    )
    .orderBy(desc(onboarding.seq))
    .limit(MOST);
  return rows.map(({ row: { id, firstSeenAt, status }, byName }) => ({
    ref: id,
    id,
    at: firstSeenAt.toISOString(),
    byName,
    status,
    isUnsettled: false,
  }));
}

/** What stands in the way of another account for the document, or should be seen first; newest first of each. */
export async function likenessesOf(tx: Db | Tx, sought: Sought): Promise<AccountLikeness[]> {
  return [...(await unsettledRequests(tx, sought)), ...(await livingOnboardings(tx, sought))];
}

/** The last onboarding that is kept of the tenant: what comes of a request that is sent now stands behind. */
export async function lastSeq(tx: Db | Tx, tenant: string): Promise<number> {
  const [row] = await tx
    .select({ seq: sql<number>`coalesce(max(${onboarding.seq}), 0)`.mapWith(Number) })
    .from(onboarding)
    .where(and(eq(onboarding.tenant, tenant), gt(onboarding.seq, 0)));
  return row?.seq ?? 0;
}
