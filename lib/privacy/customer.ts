import { and, eq, inArray } from "drizzle-orm";
import type { CustomerObject } from "@/lib/customer";
import { kycStart } from "@/lib/kyc/schema";
import { startOf } from "@/lib/kyc/started";
import { accountDocument, onboardingDocument } from "@/lib/store/document";
import { account, kycCase, onboarding } from "@/lib/store/schema";
import { lookupHashes } from "@/lib/store/seal";
import type { Db } from "@/lib/store/store";
import { isUuid } from "@/lib/uuid";
import { type CustomerRecord, objectOf } from "./rules";

async function documentAt(store: Db, tenant: string, { kind, id }: CustomerRecord): Promise<string | null> {
  if (kind === "kyc") return (await startOf(store, tenant, id))?.subject.vatNumber ?? null;
  if (!isUuid(id)) return null;
  if (kind === "account") {
    const [row] = await store
      .select()
      .from(account)
      .where(and(eq(account.tenant, tenant), eq(account.ref, id)));
    return row === undefined ? null : accountDocument(row);
  }
  const [row] = await store
    .select()
    .from(onboarding)
    .where(and(eq(onboarding.tenant, tenant), eq(onboarding.id, id)));
  return row === undefined ? null : onboardingDocument(row);
}

/** Every record of this document: accounts, onboardings, and the cases that were started here with it. */
async function objectsWith(store: Db, tenant: string, document: string): Promise<CustomerObject[]> {
  const hashes = lookupHashes(document);
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
  const document = await documentAt(store, tenant, one);
  if (document !== null) return objectsWith(store, tenant, document);
  if (one.kind !== "kyc") return null;
  const isIt = and(eq(kycCase.tenant, tenant), eq(kycCase.kycUUID, one.id));
  return (await store.$count(kycCase, isIt)) === 0 ? null : [objectOf(one)];
}
