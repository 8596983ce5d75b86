import { desc, gt, lt } from "drizzle-orm";
import { z } from "zod";
import { storeTimeBefore } from "@/lib/store/clock";
import type { Db } from "@/lib/store/store";
import { liveEvent } from "./schema";
import { isTopic, type Topic } from "./standing";

/** A stream away for longer is told to read everything again. */
export const KEPT_MS = 10 * 60_000;
export const MOST_KEPT = 5_000;

export type LiveEvent = {
  id: number;
  tenant: string;
  topic: Topic;
  object: string | null;
  asOf: string | null;
  atMs: number;
};

const Notification = z
  .object({
    id: z.int(),
    tenant: z.string(),
    topic: z.string().refine(isTopic),
    object: z.string().nullable(),
    as_of: z.coerce.date().nullable(),
    at: z.coerce.date(),
  })
  .transform(({ as_of, at, ...rest }): LiveEvent => ({
    ...rest,
    asOf: as_of?.toISOString() ?? null,
    atMs: at.getTime(),
  }));

/** Rejects for anything else on the channel. */
export async function readNotification(payload: string): Promise<LiveEvent> {
  return Notification.parse(JSON.parse(payload));
}

export async function readKept(db: Db, sinceMs = 0): Promise<LiveEvent[]> {
  const rows = await db
    .select()
    .from(liveEvent)
    .where(gt(liveEvent.at, new Date(sinceMs)))
    .orderBy(desc(liveEvent.id))
    .limit(MOST_KEPT);
  return rows
    .map(({ asOf, at, ...row }) => ({ ...row, asOf: asOf?.toISOString() ?? null, atMs: at.getTime() }))
    .toReversed();
}

export async function forgetOld(db: Db): Promise<void> {
  await db.delete(liveEvent).where(lt(liveEvent.at, storeTimeBefore(KEPT_MS)));
}
