import { and, desc, eq } from "drizzle-orm";
import { z } from "zod";
import { ofIntent, openBody } from "@/lib/provider/intents/intent-record";
import { providerIntent } from "@/lib/db/tables/provider";
import { staff } from "@/lib/db/tables/staff";
import type { account } from "@/lib/db/tables/customers";
import type { Db } from "@/lib/db/connection";
import { transfer } from "@/lib/db/tables/transfers";
import type { AccountUser } from "./view";

const OrderedBody = z.object({ userId: z.string() });

/** From the provider, else as typed for the last confirmed transfer. */
export async function findUser(store: Db, row: typeof account.$inferSelect): Promise<AccountUser | null> {
  const { tenant, accountId, userId: reported } = row;
  if (reported !== null) return { userId: reported, typed: null };
  const [last] = await store
    .select({ at: transfer.createdAt, byName: staff.name, intent: providerIntent })
    .from(transfer)
    .innerJoin(providerIntent, ofIntent(transfer))
    .innerJoin(staff, eq(staff.id, transfer.staffId))
    .where(and(eq(transfer.tenant, tenant), eq(transfer.accountId, accountId), eq(providerIntent.state, "DONE")))
    .orderBy(desc(transfer.createdAt))
    .limit(1);
  const userId = last === undefined ? undefined : OrderedBody.safeParse(openBody(last.intent)).data?.userId;
  if (last === undefined || userId === undefined) return null;
  return { userId, typed: { byName: last.byName, at: last.at.toISOString() } };
}
