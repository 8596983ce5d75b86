import { sql } from "drizzle-orm";
import {
  bigserial,
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { ErrorKind } from "@/lib/errors/result";
import { instant, tenant } from "@/lib/db/columns";
import type { WebhookEvent } from "@/lib/contract/webhook-events";
import type {
  EventState,
  DrillEnd,
  ExpectedState,
  KeptHeaders,
  ObservedChange,
  Refusal,
  ReplayItemState,
  ReplayState,
  SignatureForm,
  Wake,
} from "@/lib/db/enums/webhooks";
import { staff } from "./staff";

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
    /** Null: received before headers were kept. */
    headers: jsonb("headers").$type<KeptHeaders>(),
    bodyHash: text("body_hash").notNull(),
    bodySealed: text("body_sealed").notNull(),
    sizeBytes: integer("size_bytes").notNull(),
    isByPreviousSecret: boolean("is_by_previous_secret").notNull(),
    receivedAt: instant("received_at")
      .notNull()
      .default(sql`clock_timestamp()`),
    /** Counts: in all, same id with another body. */
    lastAt: instant("last_at")
      .notNull()
      .default(sql`clock_timestamp()`),
    arrivals: integer("arrivals").notNull().default(1),
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

/** A time in which this console took no deliveries on purpose. Beside the embedded service alone. */
export const receiverDrill = pgTable(
  "receiver_drill",
  {
    tenant,
    id: uuid("id").notNull(),
    staffId: uuid("staff_id")
      .notNull()
      .references(() => staff.id),
    beganAt: instant("began_at").notNull(),
    untilAt: instant("until_at").notNull(),
    /** Null: it ended, or ends, at `untilAt`. */
    endedAt: instant("ended_at"),
    endedBy: text("ended_by").$type<DrillEnd>(),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.id] }),
    index("receiver_drill_listed").on(table.tenant, table.beganAt),
  ],
);

/** The last refused deliveries of a tenant, without their bodies. A flood is only counted. */
export const webhookRefusal = pgTable(
  "webhook_refusal",
  {
    tenant,
    id: uuid("id").notNull(),
    seq: bigserial("seq", { mode: "number" }),
    at: instant("at").notNull(),
    why: text("why").$type<Refusal>().notNull(),
    /** Null: its headers were not compared. */
    form: text("form").$type<SignatureForm>(),
    /** From unsigned headers. */
    event: text("event").notNull(),
    eventId: text("event_id"),
    headers: jsonb("headers").$type<KeptHeaders>().notNull(),
    /** Null: its body did not arrive whole. Keyed: what a plain hash hides of a short body could be guessed. */
    sizeBytes: integer("size_bytes"),
    fingerprint: text("fingerprint"),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.id] }),
    index("webhook_refusal_order").on(table.tenant, table.seq),
    index("webhook_refusal_event").on(table.tenant, table.eventId),
  ],
);

/** Deliveries that somebody had looked at again: what was filtered, and what it was planned to cost. */
export const webhookReplay = pgTable(
  "webhook_replay",
  {
    tenant,
    id: uuid("id").notNull(),
    staffId: uuid("staff_id")
      .notNull()
      .references(() => staff.id),
    createdAt: instant("created_at").notNull(),
    /** As in the list's address; for one delivery its id. */
    filter: text("filter").notNull(),
    state: text("state").$type<ReplayState>().notNull().default("RUNNING"),
    deliveries: integer("deliveries").notNull(),
    plannedCalls: integer("planned_calls").notNull(),
    plannedMinutes: integer("planned_minutes").notNull(),
    finishedAt: instant("finished_at"),
    stoppedBy: uuid("stopped_by").references(() => staff.id),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.id] }),
    index("webhook_replay_listed").on(table.tenant, table.createdAt),
    index("webhook_replay_open")
      .on(table.tenant)
      .where(sql`state = 'RUNNING'`),
  ],
);

/** One delivery of a replay. A delivery waits in one replay at most, whoever started it. */
export const webhookReplayItem = pgTable(
  "webhook_replay_item",
  {
    tenant,
    replayId: uuid("replay_id").notNull(),
    deliveryId: uuid("delivery_id").notNull(),
    seq: bigserial("seq", { mode: "number" }),
    hintKey: text("hint_key").notNull(),
    state: text("state").$type<ReplayItemState>().notNull().default("WAITING"),
    /** Any read since then settles it. */
    askedAt: instant("asked_at").notNull(),
    nextTryAt: instant("next_try_at").notNull(),
    failures: integer("failures").notNull().default(0),
    failure: text("failure").$type<ErrorKind>(),
    doneAt: instant("done_at"),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.replayId, table.deliveryId] }),
    foreignKey({
      name: "webhook_replay_item_replay",
      columns: [table.tenant, table.replayId],
      foreignColumns: [webhookReplay.tenant, webhookReplay.id],
    }).onDelete("cascade"),
    uniqueIndex("webhook_replay_once").on(table.tenant, table.deliveryId).where(isWaiting),
    index("webhook_replay_item_delivery").on(table.tenant, table.deliveryId),
    index("webhook_replay_item_waiting").on(table.tenant, table.hintKey, table.seq).where(isWaiting),
  ],
);
