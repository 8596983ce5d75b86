import { sql } from "drizzle-orm";
import { bankIntent } from "@/lib/bank/schema";
import { staff } from "@/lib/store/schema";
import { db } from "@/lib/store/store";
import { InternalOrder } from "@/lib/transfers/rules";
import { orderInternalTransfer, type Transferred } from "@/lib/transfers/approvals";
import { transfersWatch } from "@/lib/transfers/watch";
import { person } from "./actors";
import type { Order } from "./ordering";

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
