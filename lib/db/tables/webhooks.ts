import { sql } from "drizzle-orm";
import { bigserial, boolean, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import type { ErrorKind } from "@/lib/errors/result";
import { instant, tenant } from "@/lib/db/columns";
import type { EventState, Wake } from "@/lib/db/enums/webhooks";

const isWaiting = sql`state = 'WAITING'`;

/** Stored once, however often it came. Its body is sealed, and never trusted. */
export const webhookEvent = pgTable(
  "webhook_event",
  {
    tenant,
    id: uuid("id").notNull(),
    seq: bigserial("seq", { mode: "number" }),
    /** From unsigned headers; the id may be null. */
    event: text("event").notNull(),
    eventId: text("event_id"),
    bodyHash: text("body_hash").notNull(),
    bodySealed: text("body_sealed").notNull(),
    sizeBytes: integer("size_bytes").notNull(),
    isByPreviousSecret: boolean("is_by_previous_secret").notNull(),
    receivedAt: instant("received_at")
      .notNull()
      .default(sql`clock_timestamp()`),
    /** Counts: in all, same body without an id, same id with another body. */
    lastAt: instant("last_at")
      .notNull()
      .default(sql`clock_timestamp()`),
    arrivals: integer("arrivals").notNull().default(1),
    otherIds: integer("other_ids").notNull().default(0),
    otherBodies: integer("other_bodies").notNull().default(0),
    state: text("state").$type<EventState>().notNull(),
    /** Null when it concerns nothing we know. */
    wakes: text("wakes").$type<Wake>(),
    /** Keyed hash, since the id in it may be a document. */
    hintKey: text("hint_key"),
    object: text("object"),
    nextTryAt: instant("next_try_at")
      .notNull()
      .default(sql`clock_timestamp()`),
    doneAt: instant("done_at"),
    failure: text("failure").$type<ErrorKind>(),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.id] }),
    uniqueIndex("webhook_event_id").on(table.tenant, table.eventId),
    uniqueIndex("webhook_event_body")
      .on(table.tenant, table.bodyHash)
      .where(sql`event_id is null`),
    index("webhook_event_same_body").on(table.tenant, table.bodyHash),
    index("webhook_event_order").on(table.tenant, table.seq),
    index("webhook_event_state").on(table.tenant, table.state, table.seq),
    index("webhook_event_object").on(table.tenant, table.object, table.seq),
    index("webhook_event_last").on(table.tenant, table.lastAt),
    index("webhook_event_waiting").on(table.tenant, table.hintKey, table.seq).where(isWaiting),
    index("webhook_event_done").on(table.tenant, table.hintKey, table.doneAt),
    index("webhook_event_age").on(table.tenant, table.receivedAt),
  ],
);
