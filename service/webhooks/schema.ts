import { sql } from "drizzle-orm";
import { bigserial, index, integer, pgTable, text, timestamp, unique, uuid } from "drizzle-orm/pg-core";

/** The outbox, written in the causing transaction. `body` holds the bytes that get signed. */
export const webhookEvent = pgTable(
  "webhook_event",
  {
    id: uuid("id").primaryKey(),
    clientId: text("client_id").notNull(),
    event: text("event").notNull(),
    body: text("body").notNull(),
    status: text("status", { enum: ["PENDING", "DELIVERED", "FAILED"] })
      .notNull()
      .default("PENDING"),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    dueAt: timestamp("due_at", { withTimezone: true }).notNull(),
    attempts: integer("attempts").notNull().default(0),
    sequence: bigserial("sequence", { mode: "number" }).notNull(),
  },
  (table) => [
    // Sent rows cost nothing.
    index("webhook_event_waiting")
      .on(table.clientId, table.sequence, table.dueAt)
      .where(sql`${table.status} = 'PENDING'`),
    index("webhook_event_due")
      .on(table.dueAt)
      .where(sql`${table.status} = 'PENDING'`),
    index("webhook_event_client").on(table.clientId, table.createdAt),
  ],
);

export const webhookAttempt = pgTable(
  "webhook_attempt",
  {
    eventId: uuid("event_id")
      .notNull()
      .references(() => webhookEvent.id),
    number: integer("number").notNull(),
    at: timestamp("at", { withTimezone: true }).notNull(),
    httpStatus: integer("http_status"),
    error: text("error"),
  },
  (table) => [unique("webhook_attempt_number").on(table.eventId, table.number)],
);
