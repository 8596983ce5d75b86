import { executeOrPropose } from "@/lib/approvals/propose";
import { sendTransfer } from "@/lib/transfers/transfer";
import { sql } from "drizzle-orm";
import { type Actor, grant } from "@/lib/permission/grant";
import { ROLES } from "@/lib/permission/permission";
import { providerIntent } from "@/lib/db/tables/provider";
import { staff } from "@/lib/db/tables/staff";
import { db } from "@/lib/db/connection";
import { InternalOrder } from "@/lib/transfers/inputs";
import { transfersWatch } from "@/lib/transfers/watch";
import type { Order } from "./worker";

/** Somebody on the desk, who holds every role, at the tenant this process was started for. */
function orderer(staffId: string): Actor<"transfers:create"> {
  const actor = grant({ staffId, tenant: process.env["BANK_CLIENT_ID"] ?? "", roles: ROLES }, "transfers:create");
  if (actor === null) throw new Error("no role grants transfers:create");
  return actor;
}

/** Puts the person on the desk who orders. */
export async function hire(staffId: string): Promise<void> {
  const someone = { id: staffId, email: "bench@bench.example", name: "Bench", passwordHash: "none" };
  await (await db()).insert(staff).values(someone).onConflictDoNothing();
}

/** Orders it, though there may have been another one like it; small enough to need no second person. */
export async function orderTransfer(staffId: string, order: Order): Promise<void> {
  const written = { ...order, isRepeat: true, userId: "bench", description: order.intentId };
  const done = await executeOrPropose(sendTransfer, orderer(staffId), InternalOrder.parse(written));
  if (done.state === "PROPOSED") throw new Error(`${order.amount} needs a second person`);
}

/** Takes up what is left; its time, which a person would wait for, the bench lets be over at once. */
export async function takeUp(): Promise<void> {
  const before = sql`clock_timestamp() - interval '1 second'`;
  const isUnknown = sql`case when ${providerIntent.state} = 'UNKNOWN' then ${before} end`;
  await (await db()).update(providerIntent).set({ sendingUntil: before, nextTryAt: isUnknown });
  await transfersWatch.sweep(orderer("bench").tenant);
}
