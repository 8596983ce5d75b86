import { integer, jsonb, pgTable, primaryKey, uuid } from "drizzle-orm/pg-core";
import type { BusinessCalendar } from "@/lib/db/enums/calendar";
import { instant, tenant } from "@/lib/db/columns";
import { staff } from "./staff";

/** The last version applies. Append-only. */
export const businessCalendar = pgTable(
  "business_calendar",
  {
    tenant,
    version: integer("version").notNull(),
    calendar: jsonb("calendar").$type<BusinessCalendar>().notNull(),
    staffId: uuid("staff_id")
      .notNull()
      .references(() => staff.id),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenant, table.version] })],
);
