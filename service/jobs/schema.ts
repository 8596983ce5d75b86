import { bigserial, index, integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";

/** Written in the transaction that causes it, gone in the one that does it. */
export const job = pgTable(
  "job",
  {
    id: bigserial("id", { mode: "number" }).primaryKey(),
    kind: text("kind").notNull(),
    subject: text("subject").notNull(),
    dueAt: timestamp("due_at", { withTimezone: true }).notNull(),
    attempts: integer("attempts").notNull().default(0),
  },
  (table) => [index("job_due").on(table.dueAt, table.id), index("job_subject").on(table.kind, table.subject)],
);
