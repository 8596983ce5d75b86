import { index, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import type { CustomerObject, RevealReason } from "./view";
import { instant, tenant } from "@/lib/store/columns";

/** Who has which record open: what keeps one reading from being put on record over and over. */
export const customerLook = pgTable(
  "customer_look",
  {
    tenant,
    /** Staff id. */
    actor: text("actor").notNull(),
    /** What was looked at, as the audit names it: `account:<ref>`. */
    object: text("object").$type<CustomerObject>().notNull(),
    /** When this was put on record last. */
    recordedAt: instant("recorded_at").notNull(),
    /** When it was last rendered. */
    seenAt: instant("seen_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenant, table.actor, table.object] })],
);

/** Why somebody was shown a document in clear. That it was shown is on record; the words, which may hold names, are here. */
export const reveal = pgTable(
  "reveal",
  {
    id: uuid("id").primaryKey(),
    tenant,
    /** Staff id. */
    actor: text("actor").notNull(),
    object: text("object").$type<CustomerObject>().notNull(),
    reason: text("reason").$type<RevealReason>().notNull(),
    noteSealed: text("note_sealed").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    index("reveal_actor").on(table.tenant, table.actor, table.createdAt),
    index("reveal_object").on(table.tenant, table.object, table.createdAt),
  ],
);
