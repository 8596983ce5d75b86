import { sql } from "drizzle-orm";
import { bigserial, boolean, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import type { ErrorKind } from "@/lib/errors/result";
import { instant, tenant } from "@/lib/store/columns";
import type { EventState, Wake } from "./view";

const isWaiting = sql`state = 'WAITING'`;

/** An event as its signed delivery brought it, once however often it came. What it says is sealed, and never believed. */
export const webhookEvent = pgTable(
  "webhook_event",
  {
    tenant,
    id: uuid("id").notNull(),
    seq: bigserial("seq", { mode: "number" }),
    /** As the header gives them, which nobody signs; the id is null when there was none. */
    event: text("event").notNull(),
    eventId: text("event_id"),
    bodyHash: text("body_hash").notNull(),
    bodySealed: text("body_sealed").notNull(),
    sizeBytes: integer("size_bytes").notNull(),
    /** The signature was that of the secret which is being given up. */
    isByPreviousSecret: boolean("is_by_previous_secret").notNull(),
    receivedAt: instant("received_at")
      .notNull()
      .default(sql`clock_timestamp()`),
    /** When it last came, and how often: in all, with the same body under another id, under the same id with another body. */
    lastAt: instant("last_at")
      .notNull()
      .default(sql`clock_timestamp()`),
    arrivals: integer("arrivals").notNull().default(1),
    otherIds: integer("other_ids").notNull().default(0),
    otherBodies: integer("other_bodies").notNull().default(0),
    state: text("state").$type<EventState>().notNull(),
    /** What is to be looked at again; null: nothing that we know of. */
    wakes: text("wakes").$type<Wake>(),
    /** The same for all that one look answers: a keyed hash, for the id in it may be a document. */
    hintKey: text("hint_key"),
    /** The record of ours that was looked at, as the call log names it: `onboarding:<id>`. */
    object: text("object"),
    nextTryAt: instant("next_try_at")
      .notNull()
      .default(sql`clock_timestamp()`),
    /** When what it woke was looked at, or given up. */
    doneAt: instant("done_at"),
    failure: text("failure").$type<ErrorKind>(),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.id] }),
    uniqueIndex("webhook_event_id").on(table.tenant, table.eventId),
    uniqueIndex("webhook_event_body").on(table.tenant, table.bodyHash),
    index("webhook_event_order").on(table.tenant, table.seq),
    index("webhook_event_state").on(table.tenant, table.state, table.seq),
    index("webhook_event_object").on(table.tenant, table.object, table.seq),
    index("webhook_event_last").on(table.tenant, table.lastAt),
    index("webhook_event_waiting").on(table.tenant, table.hintKey, table.seq).where(isWaiting),
    index("webhook_event_done").on(table.tenant, table.hintKey, table.doneAt),
    index("webhook_event_age").on(table.tenant, table.receivedAt),
  ],
);
