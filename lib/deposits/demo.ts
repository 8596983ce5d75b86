import { randomUUID } from "node:crypto";
import { and, asc, eq, sql } from "drizzle-orm";
import { sha256 } from "@/lib/text/decode";
import type { Db } from "@/lib/db/connection";
import { deposit, depositNotice } from "@/lib/db/tables/deposits";
import type { Actor } from "@/lib/permission/grant";
import { civilDay, civilDaysAgo, DAY_MS } from "@/lib/text/time";
import { importExpected } from "./expect";
import { handleOne } from "./handle";
import { handledOf, handlingVersion } from "./handled";

type Desk = {
  finance: Actor<"wallets:label">;
  /** A file of addresses with their references. */
  name: (csv: string) => Promise<unknown>;
};

const readArrivals = (store: Db, tenant: string, network: "BITCOIN" | "TRON" | "XRPL") =>
  store
    .select()
    .from(deposit)
    .where(and(eq(deposit.tenant, tenant), eq(deposit.kind, "arrival"), eq(deposit.network, network)))
    .orderBy(asc(deposit.at));

/** What somebody reported and no chain shows yet. */
async function reportTwice(store: Db, tenant: string, { address, addressKey, amount }: typeof deposit.$inferSelect) {
  const receivedAt = new Date(Date.now() - DAY_MS / 12);
  const told = { family: "BTC", network: "BITCOIN", amount, token: "", receivedAt } as const;
  const place = { address: address ?? "", addressKey: addressKey ?? "" };
  const row = { tenant, identity: sha256(`demo ${addressKey ?? ""}`), eventId: randomUUID() };
  await store
    .insert(depositNotice)
    .values({ ...row, ...told, ...place })
    .onConflictDoNothing();
}

/** Deposits of each class, once, where nobody expects any; false while too few have arrived. */
export async function recallDeposits(store: Db, { finance, name }: Desk): Promise<boolean> {
  const { tenant } = finance;
  const isExpected = and(eq(deposit.tenant, tenant), sql`${deposit.kind} = 'expected'`);
  if ((await store.$count(deposit, isExpected)) > 0) return true;
  const [first, second] = await readArrivals(store, tenant, "BITCOIN");
  const [onTron] = await readArrivals(store, tenant, "TRON");
  const [onXrpl] = await readArrivals(store, tenant, "XRPL");
  if (first === undefined || second === undefined || onTron === undefined) return false;
  await reportTwice(store, tenant, first);
  await name(`${first.address ?? ""};pedido-20418\n${onTron.address ?? ""};pedido-20431`);
  const rows = [
    ["pedido-20418", first.amount, "", "BITCOIN", ""],
    ["pedido-20418", second.amount, "BTC", "", civilDay(new Date(second.at.getTime() - DAY_MS))],
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
