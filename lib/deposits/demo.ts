import { and, asc, eq, sql } from "drizzle-orm";
import type { Db } from "@/lib/db/connection";
import { deposit } from "@/lib/db/tables/deposits";
import type { Actor } from "@/lib/permission/grant";
import { civilDay, civilDaysAgo, DAY_MS } from "@/lib/text/time";
import { importExpected } from "./expect";
import { handleOne } from "./handle";
import { handledOf, handlingVersion } from "./handled";

const readArrivals = (store: Db, tenant: string, network: "BITCOIN" | "TRON" | "XRPL") =>
  store
    .select()
    .from(deposit)
    .where(and(eq(deposit.tenant, tenant), eq(deposit.kind, "arrival"), eq(deposit.network, network)))
    .orderBy(asc(deposit.at));

/** Deposits of each class, once, where nobody expects any; false while too few have arrived. */
export async function recallDeposits(store: Db, finance: Actor<"wallets:label">): Promise<boolean> {
  const { tenant } = finance;
  const isExpected = and(eq(deposit.tenant, tenant), sql`${deposit.kind} = 'expected'`);
  if ((await store.$count(deposit, isExpected)) > 0) return true;
  const [first, again, later] = await readArrivals(store, tenant, "BITCOIN");
  const [onTron] = await readArrivals(store, tenant, "TRON");
  const [onXrpl] = await readArrivals(store, tenant, "XRPL");
  if (first === undefined || again === undefined || later === undefined || onTron === undefined) return false;
  const rows = [
    ["pedido-20418", first.amount, "", "BITCOIN", ""],
    ["pedido-20418", later.amount, "BTC", "", civilDay(new Date(later.at.getTime() - DAY_MS))],
    ["pedido-20418", "0.15", "BTC", "BITCOIN", civilDaysAgo(-2)],
    ["pedido-20440", "250", "USDT", "TRON", civilDaysAgo(-3)],
    ["pedido-20437", "1.5", "ETH", "ETHEREUM", civilDaysAgo(2)],
  ];
  await importExpected(finance, { csv: rows.map((row) => row.join(";")).join("\n") });
  if (onXrpl !== undefined)
    await handleOne(finance, {
      id: onXrpl.id,
      owner: "me",
      reason: "asked-provider",
      note: "Sem referência: perguntado de qual pedido é.",
      seen: handlingVersion(handledOf(onXrpl)),
    });
  return true;
}
