import { randomUUID } from "node:crypto";
import { account, onboarding } from "@/lib/store/schema";
import { sealDocument } from "@/lib/store/document";
import type { Db } from "@/lib/store/store";

/** An account of this document; returns its reference. */
export async function givenAccount(db: Db, document: string, tenant = "aurora"): Promise<string> {
  const ref = randomUUID();
  const kept = sealDocument({ table: "account", id: ref }, document);
  const named = { accountId: `account-${ref}`, branch: "0001", number: "1234567" };
  await db.insert(account).values({ ref, tenant, ...named, ...kept, firstSeenAt: new Date() });
  return ref;
}

/** An open onboarding of this document; returns its id. */
export async function givenOnboarding(db: Db, document: string, tenant = "aurora"): Promise<string> {
  const id = randomUUID();
  const at = new Date();
  const kept = sealDocument({ table: "onboarding", id }, document);
  const dates = { firstSeenAt: at, changedAt: at, checkedAt: at };
  await db.insert(onboarding).values({ id, tenant, status: "PROCESSING", messages: [], ...kept, ...dates });
  return id;
}
