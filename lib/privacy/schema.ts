import { pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { instant, tenant } from "@/lib/store/columns";

/** Who has which record open: what keeps one reading from being put on record over and over. */
export const customerLook = pgTable(
  "customer_look",
  {
    tenant,
    /** Staff id. */
    actor: text("actor").notNull(),
    /** What was looked at, as the audit names it: `account:<ref>`. */
    object: text("object").notNull(),
    /** When this was put on record last. */
    recordedAt: instant("recorded_at").notNull(),
    /** When it was last rendered. */
    seenAt: instant("seen_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenant, table.actor, table.object] })],
);
