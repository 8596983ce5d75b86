import { index, integer, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";

/** `fingerprint` tells whether another request is the same one. */
export const idempotencyRecord = pgTable(
  "idempotency_record",
  {
    clientId: text("client_id").notNull(),
    key: text("key").notNull(),
    fingerprint: text("fingerprint").notNull(),
    status: integer("status").notNull(),
    /** Repeated byte for byte. */
    body: text("body").notNull(),
    createdAt: timestamp("created_at", { withTimezone: true, precision: 3 }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.clientId, table.key] }),
    index("idempotency_record_age").on(table.createdAt),
  ],
);
