import { sql } from "drizzle-orm";
import { boolean, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { instant } from "@/lib/db/columns";

export const staff = pgTable(
  "staff",
  {
    id: uuid("id").primaryKey(),
    email: text("email").notNull(),
    name: text("name").notNull(),
    /** Null until chosen, and for single sign-on. */
    passwordHash: text("password_hash"),
    /** Refused with any provider but the embedded service. */
    isDemo: boolean("is_demo").notNull().default(false),
    /** Set only by command. */
    isBreakGlass: boolean("is_break_glass").notNull().default(false),
    disabledAt: instant("disabled_at"),
    createdAt: instant("created_at").notNull().defaultNow(),
  },
  (table) => [uniqueIndex("staff_email").on(sql`lower(${table.email})`)],
);
