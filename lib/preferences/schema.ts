import { sql } from "drizzle-orm";
import { boolean, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { instant, tenant } from "@/lib/store/columns";
import { staff } from "@/lib/store/schema";
import type { ViewArea } from "./rules";

/** Filters that people keep for themselves, list by list. */
export const savedView = pgTable(
  "saved_view",
  {
    tenant,
    id: uuid("id").notNull(),
    staffId: uuid("staff_id")
      .notNull()
      .references(() => staff.id),
    area: text("area").$type<ViewArea>().notNull(),
    name: text("name").notNull(),
    /** The filter as it stands in the list's address; never a document. */
    search: text("search").notNull(),
    /** What the person's list opens with. */
    isDefault: boolean("is_default").notNull().default(false),
    createdAt: instant("created_at")
      .notNull()
      .default(sql`clock_timestamp()`),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.id] }),
    uniqueIndex("saved_view_name").on(table.tenant, table.staffId, table.area, sql`lower(${table.name})`),
    uniqueIndex("saved_view_default")
      .on(table.tenant, table.staffId, table.area)
      .where(sql`is_default`),
  ],
);

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
