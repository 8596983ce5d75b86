import { pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { tenant } from "@/lib/store/columns";
import { staff } from "@/lib/store/schema";
import type { Role } from "./permission";

/** Where a person belongs, and as what: roles are held at one tenant, never at all of them. */
export const staffMembership = pgTable(
  "staff_membership",
  {
    staffId: uuid("staff_id")
      .notNull()
      .references(() => staff.id),
    tenant,
    roles: text("roles").array().$type<Role[]>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.staffId, table.tenant] })],
);
