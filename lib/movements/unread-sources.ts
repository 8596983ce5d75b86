import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "@/lib/db/connection";
import type { SourceKind } from "@/lib/db/enums/movements";
import { accountReading } from "@/lib/db/tables/accounts";
import { account } from "@/lib/db/tables/customers";
import { chainReading, wallet } from "@/lib/db/tables/wallets";
import { networksOf } from "@/lib/wallets/inputs";
import { FAMILY_NAMES } from "@/lib/wallets/view";
import { otherIds } from "./where";

export const FAMILY_PLACES: SQL = sql.join(
  FAMILY_NAMES.flatMap((family) => networksOf(family).map((network) => sql`(${family}::text, ${network}::text)`)),
  sql`, `,
);

/** Whether the wallet `one` on the network `on_chain.network` is read under another id. */
export async function isOtherId(store: Db, tenant: string): Promise<SQL> {
  const others = (await otherIds(store, tenant)).map((one) => sql`(${one.walletId}::text, ${one.network}::text)`);
  return others.length === 0 ? sql`false` : sql`(one.id, on_chain.network) in (${sql.join(others, sql`, `)})`;
}

const Told = z.object({ rows: z.tuple([z.object({ account: z.boolean(), wallet: z.boolean() })]) });

/** Of which kinds each listed source was read at least once; not of a kind without any, as its list may be unread. */
export async function readKinds(store: Db, tenant: string): Promise<Record<SourceKind, boolean>> {
  const isOther = await isOtherId(store, tenant);
  const found = await store.execute(sql`select
    exists (select from ${account} where ${account.tenant} = ${tenant}) and not exists (
      select from ${account}
      left join ${accountReading} on ${accountReading.tenant} = ${account.tenant} and ${accountReading.accountRef} = ${account.ref}
      where ${account.tenant} = ${tenant} and ${accountReading.until} is null
    ) as account,
    exists (select from ${wallet} where ${wallet.tenant} = ${tenant}) and not exists (
      select from ${wallet} as one
      left join (values ${FAMILY_PLACES}) as on_chain (family, network) on on_chain.family = one.family
      left join ${chainReading} as reading on reading.tenant = one.tenant and reading.wallet_id = one.id
        and reading.network = on_chain.network and reading.token_address = ''
      where one.tenant = ${tenant} and reading.as_of is null and not ${isOther}
    ) as wallet`);
  return Told.parse(found).rows[0];
}
