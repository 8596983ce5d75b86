import { boolean, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { instant, tenant } from "@/lib/db/columns";

/** What an id that a browser chose stands for, from its first use on. Never removed, nor moved to another act or person. */
export const intentClaim = pgTable(
  "intent_claim",
  {
    tenant,
    id: uuid("id").notNull(),
    /** The path of what is written at the provider; else the name of the act. */
    kind: text("kind").notNull(),
    /** Keyed hash; null where an earlier version did not keep it. */
    bodyHash: text("body_hash"),
    actor: text("actor").notNull(),
    isProposed: boolean("is_proposed").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenant, table.id] })],
);
