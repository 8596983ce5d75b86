import { randomUUID } from "node:crypto";
import { account, onboarding } from "@/lib/db/tables/customers";
import { sealDocument } from "@/lib/db/document";
import type { Db } from "@/lib/db/connection";

function accountOf(document: string, tenant: string) {
  const ref = randomUUID();
  const stored = sealDocument({ table: "account", id: ref }, document);
  const named = { accountId: `account-${ref}`, branch: "0001", number: "1234567" };
  return { ref, tenant, ...named, ...stored, firstSeenAt: new Date() };
}

/** An account of this document; returns its reference. */
export async function givenAccount(db: Db, document: string, tenant = "aurora"): Promise<string> {
  const row = accountOf(document, tenant);
  await db.insert(account).values(row);
  return row.ref;
}

/** That many accounts, each with its own document. */
export async function givenAccounts(db: Db, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, number) => accountOf(String(number), "aurora"));
  await db.insert(account).values(rows);
}

/** An open onboarding of this document; returns its id. */
export async function givenOnboarding(db: Db, document: string, tenant = "aurora"): Promise<string> {
  const id = randomUUID();
  const at = new Date();
  const stored = sealDocument({ table: "onboarding", id }, document);
  const dates = { firstSeenAt: at, changedAt: at, checkedAt: at };
  await db.insert(onboarding).values({ id, tenant, status: "PROCESSING", messages: [], ...stored, ...dates });
  return id;
}
