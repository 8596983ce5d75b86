import {
  boolean,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import { instant, tenant } from "@/lib/db/columns";
import { staff } from "./staff";
import type { Figure, PositionKind, PositionPart } from "@/lib/db/enums/position";

/** A São Paulo day: one reading of every balance. */
export const positionRound = pgTable(
  "position_round",
  {
    tenant,
    day: date("day", { mode: "string" }).notNull(),
    startedAt: instant("started_at").notNull(),
    /** Null while something was not tried yet. */
    finishedAt: instant("finished_at"),
    total: integer("total").notNull(),
    tried: integer("tried").notNull(),
    failed: integer("failed").notNull(),
    /** Listed items that cannot be read, and are in no sum. */
    outside: integer("outside").notNull().default(0),
    /** Of the readings that hold money; of all where none does. */
    oldestAt: instant("oldest_at"),
    newestAt: instant("newest_at"),
    /** When somebody last asked for it to be read again: what was read before is due. */
    againAt: instant("again_at"),
    /** Null while something was not tried since `againAt`. */
    againFinishedAt: instant("again_finished_at"),
    againTried: integer("again_tried").notNull().default(0),
    againFailed: integer("again_failed").notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.tenant, table.day] })],
);

/** One call: an account, or a wallet on one network. */
export const positionReading = pgTable(
  "position_reading",
  {
    tenant,
    day: date("day", { mode: "string" }).notNull(),
    /** `account:<ref>` or `wallet:<id>`. */
    subject: text("subject").notNull(),
    /** Empty for an account. */
    network: text("network").notNull(),
    kind: text("kind").$type<PositionKind>().notNull(),
    /** Of `readAt`, which a later failure leaves as they are; null when it was never read. */
    figures: jsonb("figures").$type<Figure[]>(),
    readAt: instant("read_at"),
    attempts: integer("attempts").notNull(),
    triedAt: instant("tried_at").notNull(),
    isUnanswered: boolean("is_unanswered").notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.day, table.subject, table.network] }),
    foreignKey({ columns: [table.tenant, table.day], foreignColumns: [positionRound.tenant, positionRound.day] }),
  ],
);

export const positionSum = pgTable(
  "position_sum",
  {
    tenant,
    day: date("day", { mode: "string" }).notNull(),
    network: text("network").notNull(),
    asset: text("asset").notNull(),
    token: text("token").notNull(),
    kind: text("kind").$type<PositionKind>().notNull(),
    part: text("part").$type<PositionPart>().notNull(),
    /** Null when nothing of it was read. */
    amount: numeric("amount"),
    readings: integer("readings").notNull(),
    unread: integer("unread").notNull(),
    oldestAt: instant("oldest_at"),
  },
  (table) => [
    primaryKey({
      columns: [table.tenant, table.day, table.network, table.asset, table.token, table.kind, table.part],
    }),
  ],
);

/** An asset's price in reais, as a person typed it. */
export const positionRate = pgTable(
  "position_rate",
  {
    tenant,
    id: uuid("id").notNull().defaultRandom(),
    network: text("network").notNull(),
    asset: text("asset").notNull(),
    token: text("token").notNull(),
    value: numeric("value").notNull(),
    day: date("day", { mode: "string" }).notNull(),
    source: text("source").notNull(),
    staffId: uuid("staff_id")
      .notNull()
      .references(() => staff.id),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.id] }),
    index("position_rate_of").on(table.tenant, table.network, table.asset, table.token, table.day),
  ],
);
