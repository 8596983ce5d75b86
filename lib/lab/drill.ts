import { randomUUID } from "node:crypto";
import { and, eq, gt, isNull } from "drizzle-orm";
import { storeNow } from "@/lib/db/clock";
import { type Db, db } from "@/lib/db/connection";
import type { DrillEnd } from "@/lib/db/enums/webhooks";
import { publish } from "@/lib/db/publish";
import { receiverDrill } from "@/lib/db/tables/webhooks";
import { AppError } from "@/lib/errors/app-error";
import type { Actor } from "@/lib/permission/grant";
import { fallAsleep, wakeUp } from "./receiver";

const MS = 1_000;

/** Throws `AppError` conflict where one is under way. */
export async function beginDrill({ tenant, id: staffId }: Actor<"settings:manage">, seconds: number): Promise<void> {
  const store = await db();
  if (!fallAsleep(tenant, Date.now() + seconds * MS)) throw new AppError("conflict");
  let isKept = false;
  try {
    const beganAt = await storeNow(store);
    const untilAt = new Date(beganAt.getTime() + seconds * MS);
    await store.insert(receiverDrill).values({ tenant, id: randomUUID(), staffId, beganAt, untilAt });
    isKept = true;
  } finally {
    if (!isKept) wakeUp(tenant);
  }
  await publish(store, { tenant, topic: "webhooks" });
}

async function end(store: Db, tenant: string, endedBy: DrillEnd): Promise<void> {
  const endedAt = await storeNow(store);
  const isUnderWay = and(isNull(receiverDrill.endedAt), gt(receiverDrill.untilAt, endedAt));
  await store
    .update(receiverDrill)
    .set({ endedAt, endedBy })
    .where(and(eq(receiverDrill.tenant, tenant), isUnderWay));
}

export async function endDrill({ tenant }: Actor<"settings:manage">): Promise<void> {
  const store = await db();
  wakeUp(tenant);
  await end(store, tenant, "person");
  await publish(store, { tenant, topic: "webhooks" });
}

/** Of an earlier start: nothing of it sleeps any more. */
export const endEarlierDrills = (store: Db, tenant: string): Promise<void> => end(store, tenant, "restart");
