import { sql } from "drizzle-orm";
import { bigint, foreignKey, index, integer, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { bytes, instant, tenant } from "@/lib/db/columns";
import { staff } from "./staff";
import type { Locale } from "@/lib/text/format";
import type { MovementFormat, MovementScope, MovementState, SourceKind, Totals } from "@/lib/db/enums/movements";

/** A requested file of movements; deleting it deletes its parts. */
export const movementExport = pgTable(
  "movement_export",
  {
    tenant,
    id: uuid("id").notNull(),
    staffId: uuid("staff_id")
      .notNull()
      .references(() => staff.id),
    createdAt: instant("created_at")
      .notNull()
      .default(sql`clock_timestamp()`),
    format: text("format").$type<MovementFormat>().notNull(),
    /** Whole São Paulo days. */
    fromDay: text("from_day").notNull(),
    toDay: text("to_day").notNull(),
    scope: text("scope").$type<MovementScope>().notNull(),
    locale: text("locale").$type<Locale>().notNull(),
    state: text("state").$type<MovementState>().notNull().default("WAITING"),
    plannedCalls: integer("planned_calls").notNull(),
    plannedMinutes: integer("planned_minutes").notNull(),
    startedAt: instant("started_at"),
    finishedAt: instant("finished_at"),
    totals: jsonb("totals").$type<Totals>(),
    /** In hex, of the whole file; audited, too. */
    sha256: text("sha256"),
    sizeBytes: bigint("size_bytes", { mode: "number" }),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.id] }),
    index("movement_export_listed").on(table.tenant, table.createdAt),
    index("movement_export_open")
      .on(table.tenant, table.createdAt)
      .where(sql`state in ('WAITING', 'RUNNING')`),
  ],
);

/** The sources of one file in order, from 1. */
export const movementSource = pgTable(
  "movement_source",
  {
    tenant,
    exportId: uuid("export_id").notNull(),
    position: integer("position").notNull(),
    kind: text("kind").$type<SourceKind>().notNull(),
    /** The account's; for a wallet its network, a colon and its id. */
    ref: text("ref").notNull(),
    /** The name that people know. */
    label: text("label").notNull(),
    state: text("state").$type<"WAITING" | "READ" | "UNREAD">().notNull().default("WAITING"),
    failures: integer("failures").notNull().default(0),
    /** Why it could not be read, or may lack entries. */
    why: text("why"),
    /** For a wallet: when its history was last read. */
    readAt: instant("read_at"),
    totals: jsonb("totals").$type<Totals>(),
    fileName: text("file_name"),
    sizeBytes: bigint("size_bytes", { mode: "number" }),
    crc32: bigint("crc32", { mode: "number" }),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.exportId, table.position] }),
    foreignKey({
      columns: [table.tenant, table.exportId],
      foreignColumns: [movementExport.tenant, movementExport.id],
    }).onDelete("cascade"),
  ],
);

/** The file in pieces: position 0 is its beginning, the one after the last source its end. Each under its own key. */
export const movementChunk = pgTable(
  "movement_chunk",
  {
    tenant,
    exportId: uuid("export_id").notNull(),
    position: integer("position").notNull(),
    nth: integer("nth").notNull(),
    keySealed: text("key_sealed").notNull(),
    bytes: bytes("bytes").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.exportId, table.position, table.nth] }),
    foreignKey({
      columns: [table.tenant, table.exportId],
      foreignColumns: [movementExport.tenant, movementExport.id],
    }).onDelete("cascade"),
  ],
);
