import { date, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { instant, tenant } from "@/lib/db/columns";
import { staff } from "./staff";

/** Somebody looked at who has access. Append-only; the note may hold names. */
export const accessReview = pgTable(
  "access_review",
  {
    tenant,
    id: uuid("id").notNull(),
    staffId: uuid("staff_id")
      .notNull()
      .references(() => staff.id),
    people: integer("people").notNull(),
    noteSealed: text("note_sealed").notNull(),
    nextOn: date("next_on", { mode: "string" }).notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenant, table.id] })],
);
