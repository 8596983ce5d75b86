import { sql } from "drizzle-orm";
import type { Db, Tx } from "./connection";
import { liveEvent } from "@/lib/db/tables/live";
import type { Topic } from "@/lib/permission/topics";

export const LIVE_CHANNEL = "retaguarda_live";

/** Beyond that, the whole topic changed. */
export const MAX_OBJECTS = 50;
/** A notification holds 8,000 bytes; ids are the provider's. */
const OBJECT_MAX_LENGTH = 500;

export type Published = { tenant: string; topic: Topic; object?: string | null };

/** On all instances once `tx` commits: call it in the transaction of the change. */
export async function publish(tx: Db | Tx, { tenant, topic, object = null }: Published): Promise<void> {
  const named = object !== null && object.length > OBJECT_MAX_LENGTH ? null : object;
  await tx.execute(sql`
    with kept as (
      insert into ${liveEvent} (tenant, topic, object) values (${tenant}, ${topic}, ${named})
      returning id, tenant, topic, object
    )
    select pg_notify(${LIVE_CHANNEL}, row_to_json(kept)::text) from kept`);
}

type PublishedAll = Omit<Published, "object"> & { objects: readonly string[] };

export async function publishAll(tx: Db | Tx, { objects, ...what }: PublishedAll): Promise<void> {
  if (objects.length > MAX_OBJECTS) return publish(tx, what);
  for (const object of objects) await publish(tx, { ...what, object });
}
