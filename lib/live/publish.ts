import { sql } from "drizzle-orm";
import type { Db, Tx } from "@/lib/store/store";
import { liveEvent } from "./schema";
import type { Topic } from "./standing";

export const LIVE_CHANNEL = "retaguarda_live";

const MOST_OBJECTS = 50;
/** A notification holds 8,000 bytes; ids are the provider's. */
const OBJECT_MAX_LENGTH = 500;

export type Published = {
  tenant: string;
  topic: Topic;
  object?: string | null;
  /** Nothing changed; all of it was read at this instant. */
  asOf?: Date;
};

/** On all instances once `tx` commits: call it in the transaction of the change. */
export async function publish(tx: Db | Tx, { tenant, topic, object = null, asOf }: Published): Promise<void> {
  const named = object !== null && object.length > OBJECT_MAX_LENGTH ? null : object;
  await tx.execute(sql`
    with kept as (
      insert into ${liveEvent} (tenant, topic, object, as_of)
      values (${tenant}, ${topic}, ${named}, ${asOf?.toISOString() ?? null}::timestamptz)
      returning id, tenant, topic, object, as_of, at
    )
    select pg_notify(${LIVE_CHANNEL}, row_to_json(kept)::text) from kept`);
}

export async function publishAll(
  tx: Db | Tx,
  { tenant, topic, objects }: { tenant: string; topic: Topic; objects: readonly string[] },
): Promise<void> {
  if (objects.length > MOST_OBJECTS) return publish(tx, { tenant, topic });
  for (const object of objects) await publish(tx, { tenant, topic, object });
}
