import { boolean, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { instant, tenant } from "@/lib/db/columns";

/** The meaning of a browser's id, from its first use on. Never removed, nor moved to another act or person. */
export const intentClaim = pgTable(
  "intent_claim",
  {
    tenant,
    id: uuid("id").notNull(),
    /** The path of the provider's operation, else the act's name. */
    kind: text("kind").notNull(),
    /** Keyed hash; null in rows of an earlier version. */
    bodyHash: text("body_hash"),
    actor: text("actor").notNull(),
    isProposed: boolean("is_proposed").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenant, table.id] })],
);
