import { randomUUID } from "node:crypto";
import { and, eq, gt, isNull } from "drizzle-orm";
import { storeNow } from "@/lib/db/clock";
import { type Db, db } from "@/lib/db/connection";
import type { DrillEnd } from "@/lib/db/enums/webhooks";
import { holdLock } from "@/lib/db/lock";
import { publish } from "@/lib/db/publish";
import { receiverDrill } from "@/lib/db/tables/webhooks";
import { AppError } from "@/lib/errors/app-error";
import type { Actor } from "@/lib/permission/grant";
import { fallAsleep, wakeUp } from "./receiver";

const MS = 1_000;

/** Row and memory change together under it, however begins and ends meet. */
const drillLock = (tenant: string): string => `drill ${tenant}`;

const isUnderWay = (tenant: string, now: Date) =>
  and(eq(receiverDrill.tenant, tenant), isNull(receiverDrill.endedAt), gt(receiverDrill.untilAt, now));

/** Throws `AppError` conflict where one is under way. */
export async function beginDrill({ tenant, id: staffId }: Actor<"settings:manage">, seconds: number): Promise<void> {
  let isUnkept = false;
  try {
    await (
      await db()
    ).transaction(async (tx) => {
      await holdLock(tx, drillLock(tenant));
      const beganAt = await storeNow(tx);
      if ((await tx.$count(receiverDrill, isUnderWay(tenant, beganAt))) > 0) throw new AppError("conflict");
      const untilAt = new Date(beganAt.getTime() + seconds * MS);
      await tx.insert(receiverDrill).values({ tenant, id: randomUUID(), staffId, beganAt, untilAt });
      await publish(tx, { tenant, topic: "webhooks" });
      isUnkept = fallAsleep(tenant, Date.now() + seconds * MS);
      if (!isUnkept) throw new AppError("conflict");
    });
    isUnkept = false;
  } finally {
    if (isUnkept) wakeUp(tenant);
  }
}

async function end(store: Db, tenant: string, endedBy: DrillEnd): Promise<void> {
  await store.transaction(async (tx) => {
    await holdLock(tx, drillLock(tenant));
    const endedAt = await storeNow(tx);
    const ended = await tx
      .update(receiverDrill)
      .set({ endedAt, endedBy })
      .where(isUnderWay(tenant, endedAt))
      .returning({ id: receiverDrill.id });
    if (ended.length > 0) await publish(tx, { tenant, topic: "webhooks" });
    wakeUp(tenant);
  });
}

export const endDrill = async ({ tenant }: Actor<"settings:manage">): Promise<void> =>
  end(await db(), tenant, "person");

/** Of an earlier start: nothing of it sleeps any more. */
export const endEarlierDrills = (store: Db, tenant: string): Promise<void> => end(store, tenant, "restart");
