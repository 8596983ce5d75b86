import { sql } from "drizzle-orm";
import { index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import type { AlarmCause, CustomerObject, RevealedObject, RevealReason } from "@/lib/db/enums/privacy";
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

/** Unusually many reveals of one person; open until somebody ends it with a note. */
export const revealAlarm = pgTable(
  "reveal_alarm",
  {
    tenant,
    id: uuid("id").notNull(),
    actor: text("actor").notNull(),
    cause: text("cause").$type<AlarmCause>().notNull(),
    reveals: integer("reveals").notNull(),
    bound: integer("bound").notNull(),
    openedAt: instant("opened_at").notNull(),
    ownerId: text("owner_id"),
    endedAt: instant("ended_at"),
    endedBy: text("ended_by"),
    noteSealed: text("note_sealed"),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.id] }),
    uniqueIndex("reveal_alarm_open")
      .on(table.tenant, table.actor)
      .where(sql`ended_at is null`),
    index("reveal_alarm_opened").on(table.tenant, table.openedAt),
  ],
);
