import { and, count, eq, inArray } from "drizzle-orm";
import { normaliseDocument } from "@/lib/contract/fold";
import type { Db } from "@/lib/db/connection";
import { lookupHashes } from "@/lib/db/seal";
import { account } from "@/lib/db/tables/customers";
import { positionReading } from "@/lib/db/tables/position";
import { tenantOf } from "@/lib/settings/env";

const subjectOf = (ref: string) => `account:${ref}`;

/** Accounts whose holder is the company, by the CNPJ in its settings; null: none is set. */
export async function ownAccounts(store: Db, tenant: string): Promise<ReadonlySet<string> | null> {
  const cnpj = tenantOf(tenant)?.company?.cnpj;
  if (cnpj === undefined) return null;
  const rows = await store
    .select({ ref: account.ref })
    .from(account)
    .where(and(eq(account.tenant, tenant), inArray(account.documentHash, lookupHashes(normaliseDocument(cnpj)))));
  return new Set(rows.map(({ ref }) => subjectOf(ref)));
}

/** Whether a day's sums separate them: a day read before the CNPJ was set does not. */
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
