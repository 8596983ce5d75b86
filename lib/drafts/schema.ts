import { sql } from "drizzle-orm";
import { integer, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { instant, tenant } from "@/lib/store/columns";
import { staff } from "@/lib/store/schema";

/** A long form as somebody left it: one for each person, tenant and form. */
export const draft = pgTable(
  "draft",
  {
    tenant,
    /** Names what is sent from it, too: sent twice, it takes effect once. */
    id: uuid("id").notNull(),
    staffId: uuid("staff_id")
      .notNull()
      .references(() => staff.id),
    /** Which form it is. */
    form: text("form").notNull(),
    /** Counts the savings, so that two tabs do not overwrite each other unseen. */
    version: integer("version").notNull().default(0),
    /** What was typed, by the name of the field, as JSON; null: nothing yet. */
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
