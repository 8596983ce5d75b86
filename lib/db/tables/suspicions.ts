import { sql } from "drizzle-orm";
import { bigserial, date, foreignKey, index, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { instant, tenant } from "@/lib/db/columns";
import type { SuspicionState } from "@/lib/db/enums/suspicions";
import { staff } from "./staff";

/** Stays when its case is deleted, so it refers to none. */
export const suspicion = pgTable(
  "suspicion",
  {
    tenant,
    id: uuid("id").notNull(),
    kycUUID: text("kyc_uuid").notNull(),
    document: text("document").notNull(),
    /** Days in São Paulo, as `enteredOn` and `reportedOn` are. */
    occurredOn: date("occurred_on", { mode: "string" }).notNull(),
    state: text("state").$type<SuspicionState>().notNull(),
    enteredOn: date("entered_on", { mode: "string" }).notNull(),
    reportNumber: text("report_number"),
    reportedOn: date("reported_on", { mode: "string" }),
    staffId: uuid("staff_id")
      .notNull()
      .references(() => staff.id),
    createdAt: instant("created_at")
      .notNull()
      .default(sql`clock_timestamp()`),
    changedAt: instant("changed_at")
      .notNull()
      .default(sql`clock_timestamp()`),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.id] }),
    index("suspicion_state").on(table.tenant, table.state, table.changedAt),
    // One is open about a case at a time.
    uniqueIndex("suspicion_open")
      .on(table.tenant, table.kycUUID)
      .where(sql`state in ('suspected', 'analysing', 'to-report')`),
    index("suspicion_case").on(table.tenant, table.kycUUID, table.createdAt),
  ],
);

/** Append-only. The first one has its suspicion's id. */
export const suspicionStep = pgTable(
  "suspicion_step",
  {
    tenant,
    id: uuid("id").notNull(),
    seq: bigserial("seq", { mode: "number" }),
    suspicionId: uuid("suspicion_id").notNull(),
    state: text("state").$type<SuspicionState>().notNull(),
    /** People write names into it. */
    textSealed: text("text_sealed").notNull(),
    staffId: uuid("staff_id")
      .notNull()
      .references(() => staff.id),
    at: instant("at")
      .notNull()
      .default(sql`clock_timestamp()`),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.id] }),
    foreignKey({
      columns: [table.tenant, table.suspicionId],
      foreignColumns: [suspicion.tenant, suspicion.id],
    }).onDelete("cascade"),
    index("suspicion_step_of").on(table.tenant, table.suspicionId, table.seq),
  ],
);
