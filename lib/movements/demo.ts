import { randomUUID } from "node:crypto";
import { asc, eq } from "drizzle-orm";
import type { Actor } from "@/lib/permission/grant";
import { account } from "@/lib/db/tables/customers";
import type { Db } from "@/lib/db/connection";
import { civilDaysAgo } from "@/lib/text/time";
import { startMovementFile } from "./order";

const DAYS = 30;
const ACCOUNTS = 10;

/** Shows the demo's finance what a file of movements is. */
export async function exportLastMonth(store: Db, actor: Actor<"statement:export">): Promise<void> {
  const known = await store
    .select({ ref: account.ref })
    .from(account)
    .where(eq(account.tenant, actor.tenant))
    .orderBy(asc(account.createdAt), asc(account.ref))
    .limit(ACCOUNTS);
  const names = known.map(({ ref }) => ref).join("\n");
  const what = { format: "csv", scope: "chosen", names } as const;
  const period = { from: civilDaysAgo(DAYS), to: civilDaysAgo(1) };
  await startMovementFile(actor, { ...period, ...what, id: randomUUID() }, "pt-BR");
}
