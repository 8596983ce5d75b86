import { sql } from "drizzle-orm";
import type { Db, Tx } from "./connection";
import { liveEvent } from "@/lib/db/tables/live";
import type { Topic } from "@/lib/permission/topics";

export const LIVE_CHANNEL = "retaguarda_live";

/** Beyond that, the whole topic counts as changed. */
export const MAX_OBJECTS = 50;
/** PostgreSQL's notification holds 8,000 bytes, and a provider's id may be long. */
const OBJECT_MAX_LENGTH = 500;

export type Published = { tenant: string; topic: Topic; object?: string | null };

type PublishedAll = Omit<Published, "object"> & { objects: readonly (string | null)[] };

const isTooLong = (object: string | null) => object !== null && object.length > OBJECT_MAX_LENGTH;

/** Reaches all instances once `tx` commits: call it in the transaction of the change. */
export async function publishAll(tx: Db | Tx, { tenant, topic, objects }: PublishedAll): Promise<void> {
  if (objects.length === 0) return;
  const named = objects.length > MAX_OBJECTS ? [null] : objects.map((object) => (isTooLong(object) ? null : object));
  const rows = named.map((object) => sql`(${tenant}, ${topic}, ${object})`);
  await tx.execute(sql`
    with kept as (
      insert into ${liveEvent} (tenant, topic, object) values ${sql.join(rows, sql`, `)}
      returning id, tenant, topic, object
    )
    select pg_notify(${LIVE_CHANNEL}, row_to_json(kept)::text) from kept`);
}

export const publish = (tx: Db | Tx, { object = null, ...what }: Published): Promise<void> =>
  publishAll(tx, { ...what, objects: [object] });
