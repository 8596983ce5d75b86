import { and, eq, inArray } from "drizzle-orm";
import type { CustomerObject } from "@/lib/customer";
import { kycStart } from "@/lib/kyc/schema";
import { shownStartOf } from "@/lib/kyc/started";
import { shownAccountDocument, shownOnboardingDocument } from "@/lib/store/document";
import { account, kycCase, onboarding } from "@/lib/store/schema";
import type { Db } from "@/lib/store/store";
import { isUuid } from "@/lib/uuid";
import { type CustomerRecord, objectOf } from "./rules";

/** The hashes of its document; null when there is no such record, and of a case that was not started here. */
async function hashesAt(store: Db, tenant: string, { kind, id }: CustomerRecord): Promise<string[] | null> {
  if (kind === "kyc") return (await shownStartOf(store, tenant, id))?.hashes ?? null;
  if (!isUuid(id)) return null;
  if (kind === "account") {
    const [row] = await store
      .select()
      .from(account)
      .where(and(eq(account.tenant, tenant), eq(account.ref, id)));
    return row === undefined ? null : shownAccountDocument(row).hashes;
  }
  const [row] = await store
    .select()
    .from(onboarding)
    .where(and(eq(onboarding.tenant, tenant), eq(onboarding.id, id)));
  return row === undefined ? null : shownOnboardingDocument(row).hashes;
}

/** Every record of the document of these hashes: accounts, onboardings, and the cases that were started here with it. */
async function objectsWith(store: Db, tenant: string, hashes: string[]): Promise<CustomerObject[]> {
  const accounts = await store
    .select({ id: account.ref })
    .from(account)
    .where(and(eq(account.tenant, tenant), inArray(account.documentHash, hashes)));
  const onboardings = await store
    .select({ id: onboarding.id })
    .from(onboarding)
    .where(and(eq(onboarding.tenant, tenant), inArray(onboarding.documentHash, hashes)));
  const starts = await store
    .select({ id: kycStart.kycUUID })
    .from(kycStart)
    .where(and(eq(kycStart.tenant, tenant), inArray(kycStart.documentHash, hashes)));
  return [
    ...accounts.map(({ id }) => objectOf({ kind: "account", id })),
    ...onboardings.map(({ id }) => objectOf({ kind: "onboarding", id })),
    ...starts.flatMap(({ id }) => (id === null ? [] : [objectOf({ kind: "kyc", id })])),
  ];
}

/**
 * All records of the customer whose record this is, found by the document; null when there is no such record. A KYC case
 * that was started elsewhere is alone: the provider masks its document.
 */
export async function objectsOfCustomer(
  store: Db,
  tenant: string,
  one: CustomerRecord,
): Promise<CustomerObject[] | null> {
  const hashes = await hashesAt(store, tenant, one);
  if (hashes !== null) return objectsWith(store, tenant, hashes);
  if (one.kind !== "kyc") return null;
  const isIt = and(eq(kycCase.tenant, tenant), eq(kycCase.kycUUID, one.id));
  return (await store.$count(kycCase, isIt)) === 0 ? null : [objectOf(one)];
}
