import { sql } from "drizzle-orm";
import { integer, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { instant, tenant } from "@/lib/db/columns";
import { staff } from "./staff";

export const draft = pgTable(
  "draft",
  {
    tenant,
    /** Also the intent on sending. */
    id: uuid("id").notNull(),
    staffId: uuid("staff_id")
      .notNull()
      .references(() => staff.id),
    form: text("form").notNull(),
    /** Keeps two tabs from overwriting each other. */
    version: integer("version").notNull().default(0),
    /** JSON by field; null: nothing yet. */
    fieldsSealed: text("fields_sealed"),
    savedAt: instant("saved_at")
      .notNull()
      .default(sql`clock_timestamp()`),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.id] }),
    uniqueIndex("draft_owner").on(table.tenant, table.staffId, table.form),
  ],
);
