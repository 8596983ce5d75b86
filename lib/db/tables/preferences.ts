import { sql } from "drizzle-orm";
import { boolean, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { instant, tenant } from "@/lib/db/columns";
import { staff } from "./staff";
import type { ViewArea } from "@/lib/db/enums/preferences";

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
    /** The query of the URL; never a document. */
    search: text("search").notNull(),
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
