import { and, desc, eq, inArray, isNull, ne, notInArray } from "drizzle-orm";
import { ofIntent } from "@/lib/provider/intents/intent-record";
import { providerIntent } from "@/lib/db/tables/provider";
import { staff } from "@/lib/db/tables/staff";
import { onboarding } from "@/lib/db/tables/customers";
import { lookupHashes } from "@/lib/db/seal";
import type { Db, Tx } from "@/lib/db/connection";
import type { AccountDuplicate } from "./view";
import { onboardingRequest } from "@/lib/db/tables/onboarding";

const MAX = 20;

type PossibleRepeat = {
  tenant: string;
  /** In clear, digits only. */
  document: string;
  except: string | null;
};

async function unconfirmedRequests(
  tx: Db | Tx,
  { tenant, document, except }: PossibleRepeat,
): Promise<AccountDuplicate[]> {
  const rows = await tx
    .select({ request: onboardingRequest, byName: staff.name })
    .from(onboardingRequest)
    .innerJoin(providerIntent, ofIntent(onboardingRequest))
    .innerJoin(staff, eq(staff.id, onboardingRequest.staffId))
    .where(
      and(
        eq(onboardingRequest.tenant, tenant),
        inArray(onboardingRequest.documentHash, lookupHashes(document)),
        inArray(providerIntent.state, ["SENDING", "UNKNOWN"]),
        isNull(onboardingRequest.onboardingId),
        isNull(onboardingRequest.waivedAt),
        except === null ? undefined : ne(onboardingRequest.intentId, except),
      ),
    )
    .orderBy(desc(onboardingRequest.createdAt))
    .limit(MAX);
  return rows.map(({ request: { intentId, createdAt }, byName }) => ({
    ref: intentId,
    id: null,
    at: createdAt.toISOString(),
    byName,
    status: null,
    isUnconfirmed: true,
  }));
}

async function livingOnboardings(tx: Db | Tx, { tenant, document }: PossibleRepeat): Promise<AccountDuplicate[]> {
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
    .limit(MAX);
  return rows.map(({ row: { id, firstSeenAt, status }, byName }) => ({
    ref: id,
    id,
    at: firstSeenAt.toISOString(),
    byName,
    status,
    isUnconfirmed: false,
  }));
}

export async function accountDuplicates(tx: Db | Tx, holder: PossibleRepeat): Promise<AccountDuplicate[]> {
  return [...(await unconfirmedRequests(tx, holder)), ...(await livingOnboardings(tx, holder))];
}
