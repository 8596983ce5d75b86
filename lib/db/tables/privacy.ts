import { index, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import type { CustomerObject, RevealedObject, RevealReason } from "@/lib/db/enums/privacy";
import { instant, tenant } from "@/lib/db/columns";

/** Keeps one access from being recorded repeatedly. */
export const customerAccess = pgTable(
  "customer_look",
  {
    tenant,
    actor: text("actor").notNull(),
    /** The object, as the audit names it: `account:<ref>`. */
    object: text("object").$type<CustomerObject>().notNull(),
    recordedAt: instant("recorded_at").notNull(),
    seenAt: instant("seen_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenant, table.actor, table.object] })],
);

/** The text, which may hold names, is sealed here; the fact is in the audit record. */
export const reveal = pgTable(
  "reveal",
  {
    id: uuid("id").primaryKey(),
    tenant,
    actor: text("actor").notNull(),
    object: text("object").$type<RevealedObject>().notNull(),
    reason: text("reason").$type<RevealReason>().notNull(),
    noteSealed: text("note_sealed").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    index("reveal_actor").on(table.tenant, table.actor, table.createdAt),
    index("reveal_object").on(table.tenant, table.object, table.createdAt),
  ],
);
