import { foreignKey, index, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { providerIntent } from "./provider";
import type { EvidenceSource, Outcome } from "@/lib/db/enums/outcomes";
import { instant, tenant } from "@/lib/db/columns";
import { staff } from "./staff";
import { intentClaim } from "./intent-claim";

export const outcomeConclusion = pgTable(
  "outcome_conclusion",
  {
    tenant,
    id: uuid("id").notNull(),
    intentId: uuid("intent_id").notNull(),
    outcome: text("outcome").$type<Outcome>().notNull(),
    source: text("source").$type<EvidenceSource>().notNull(),
    /** A transaction, a case or a ticket of the provider's. */
    reference: text("reference").notNull(),
    reasonSealed: text("reason_sealed").notNull(),
    staffId: uuid("staff_id")
      .notNull()
      .references(() => staff.id),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.id] }),
    foreignKey({ columns: [table.tenant, table.id], foreignColumns: [intentClaim.tenant, intentClaim.id] }),
    foreignKey({ columns: [table.tenant, table.intentId], foreignColumns: [providerIntent.tenant, providerIntent.id] }),
    index("outcome_conclusion_intent").on(table.tenant, table.intentId, table.createdAt),
  ],
);

export const outcomeExclusion = pgTable(
  "outcome_exclusion",
  {
    tenant,
    intentId: uuid("intent_id").notNull(),
    candidate: text("candidate").notNull(),
    staffId: uuid("staff_id")
      .notNull()
      .references(() => staff.id),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.intentId, table.candidate] }),
    foreignKey({ columns: [table.tenant, table.intentId], foreignColumns: [providerIntent.tenant, providerIntent.id] }),
  ],
);
