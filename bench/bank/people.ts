import { sql } from "drizzle-orm";
import { type Actor, grant } from "@/lib/auth/grant";
import { type Permission, ROLES } from "@/lib/auth/permission";
import { bankIntent } from "@/lib/bank/schema";
import { staff } from "@/lib/store/schema";
import { db } from "@/lib/store/store";
import { type Transferred, orderInternalTransfer } from "@/lib/transfers/approvals";
import { InternalOrder } from "@/lib/transfers/rules";
import { transfersWatch } from "@/lib/transfers/watch";
import type { Order } from "./worker";

/** The tenant this process was started for. */
const tenant = (): string => process.env["BANK_CLIENT_ID"] ?? "";

/** Somebody on the desk, who holds every role. */
export function person<P extends Permission>(permission: P, staffId = "bench"): Actor<P> {
  const actor = grant({ staffId, tenant: tenant(), roles: ROLES }, permission);
  if (actor === null) throw new Error(`no role grants ${permission}`);
  return actor;
}

/** Puts the person on the desk who orders. */
export async function hire(staffId: string): Promise<void> {
  const someone = { id: staffId, email: "bench@bench.example", name: "Bench", passwordHash: "none" };
  await (await db()).insert(staff).values(someone).onConflictDoNothing();
}

/** Orders it, though there may have been another one like it; small enough to need no second person. */
export async function orderTransfer(staffId: string, order: Order): Promise<Transferred> {
  const written = { ...order, isRepeat: true, userId: "bench", description: order.intentId };
  const done = await orderInternalTransfer(person("transfers:create", staffId), InternalOrder.parse(written));
  if (done.state === "PROPOSED") throw new Error(`${order.amount} needs a second person`);
  return done;
}

/** Takes up what is left; its time, which a person would wait for, the bench lets be over at once. */
export async function takeUp(): Promise<void> {
  const before = sql`clock_timestamp() - interval '1 second'`;
  const isUnknown = sql`case when ${bankIntent.state} = 'UNKNOWN' then ${before} end`;
  await (await db()).update(bankIntent).set({ sendingUntil: before, nextTryAt: isUnknown });
  await transfersWatch.sweep(person("transfers:create").tenant);
}
