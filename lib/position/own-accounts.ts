import { and, count, eq, inArray } from "drizzle-orm";
import { normaliseDocument } from "@/lib/contract/fold";
import type { Db } from "@/lib/db/connection";
import { lookupHashes } from "@/lib/db/seal";
import { account } from "@/lib/db/tables/customers";
import { positionReading } from "@/lib/db/tables/position";
import { tenantOf } from "@/lib/settings/env";

const subjectOf = (ref: string) => `account:${ref}`;

/** Those whose holder is the company, by the CNPJ of its settings; null: none is set, and nobody can tell. */
export async function ownAccounts(store: Db, tenant: string): Promise<ReadonlySet<string> | null> {
  const cnpj = tenantOf(tenant)?.company?.cnpj;
  if (cnpj === undefined) return null;
  const rows = await store
    .select({ ref: account.ref })
    .from(account)
    .where(and(eq(account.tenant, tenant), inArray(account.documentHash, lookupHashes(normaliseDocument(cnpj)))));
  return new Set(rows.map(({ ref }) => subjectOf(ref)));
}

/** Whether the sums of a day keep them apart: a day that was read before its CNPJ was set does not. */
export async function tellsOwn(store: Db, tenant: string, day: string | null): Promise<boolean> {
  const own = await ownAccounts(store, tenant);
  if (own === null || day === null) return false;
  if (own.size === 0) return true;
  const [mixed] = await store
    .select({ n: count() })
    .from(positionReading)
    .where(
      and(
        eq(positionReading.tenant, tenant),
        eq(positionReading.day, day),
        eq(positionReading.kind, "account"),
        inArray(positionReading.subject, [...own]),
      ),
    );
  return mixed?.n === 0;
}
