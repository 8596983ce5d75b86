import { index, jsonb, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import type { CaseDetails } from "./case";

export const CASE_STATUSES = ["HELD", "RELEASED", "REJECTED", "EXPIRED", "BLOCKED"] as const;

/** `id` is the antifraudId, and of the transaction once released. HELD: the amount stays blocked until `expiresAt`. */
export const antifraudCase = pgTable(
  "antifraud_case",
  {
    id: uuid("id").primaryKey(),
    clientId: text("client_id").notNull(),
    details: jsonb("details").$type<CaseDetails>().notNull(),
    status: text("status", { enum: CASE_STATUSES }).notNull(),
    createdAt: timestamp("created_at", { withTimezone: true, precision: 3 }).notNull(),
    expiresAt: timestamp("expires_at", { withTimezone: true, precision: 3 }),
    decidedAt: timestamp("decided_at", { withTimezone: true, precision: 3 }),
  },
  (table) => [index("antifraud_case_client").on(table.clientId, table.createdAt)],
);
