import { and, eq, ne } from "drizzle-orm";
import type { Db } from "@/lib/db/connection";
import { account } from "@/lib/db/tables/customers";
import { listPlaces, placeKey } from "@/lib/wallets/records";

export async function countListed(store: Db, tenant: string): Promise<number> {
  const accounts = await store.$count(account, and(eq(account.tenant, tenant), ne(account.standing, "CLOSED")));
  const places = await listPlaces(store, tenant);
  return accounts + new Set(places.map(({ network, address }) => placeKey(network, address))).size;
}
