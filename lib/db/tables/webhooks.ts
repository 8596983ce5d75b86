import { sql } from "drizzle-orm";
import { bigserial, boolean, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import type { ErrorKind } from "@/lib/errors/result";
import { instant, tenant } from "@/lib/db/columns";
import type { WebhookEvent } from "@/lib/contract/webhook-events";
import type { EventState, ExpectedState, ObservedChange, Wake } from "@/lib/db/enums/webhooks";

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
    /** Counts: in all, same body without an id (rows of an earlier release), same id with another body. */
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

/** One per change of an object that was read from the interface and must have had its event. */
export const expectedEvent = pgTable(
  "expected_event",
  {
    tenant,
    /** Of the row that noted the change: it is expected once, however often that is read. */
    key: text("key").notNull(),
    seq: bigserial("seq", { mode: "number" }),
    event: text("event").$type<WebhookEvent>().notNull(),
    change: text("change").$type<ObservedChange>().notNull(),
    object: text("object").notNull(),
    /** What the event must tell: an onboarding's status, a deposit's address, transaction and amount; null: nothing more. */
    mark: text("mark"),
    seenAt: instant("seen_at").notNull(),
    state: text("state").$type<ExpectedState>().notNull().default("EXPECTED"),
    /** The delivery that it was paired with. */
    eventRef: uuid("event_ref"),
    arrivedAt: instant("arrived_at"),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.key] }),
    index("expected_event_order").on(table.tenant, table.seq),
    index("expected_event_state").on(table.tenant, table.state, table.seq),
    index("expected_event_object").on(table.tenant, table.object),
    index("expected_event_ref").on(table.tenant, table.eventRef),
    index("expected_event_age").on(table.tenant, table.seenAt),
  ],
);
