import { foreignKey, index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { bankIntent } from "@/lib/bank/intent-schema";
import { instant, tenant } from "@/lib/store/columns";
import { staff } from "@/lib/store/schema";

/** What somebody decided; what became of it is its intent's state. */
export const kycDecision = pgTable(
  "kyc_decision",
  {
    intentId: uuid("intent_id").primaryKey(),
    tenant,
    kycUUID: text("kyc_uuid").notNull(),
    decision: text("decision").$type<"APPROVED" | "REPROVED">().notNull(),
    /** Sealed: people write names into it. */
    reason: text("reason").notNull(),
    staffId: uuid("staff_id")
      .notNull()
      .references(() => staff.id),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    foreignKey({ columns: [table.tenant, table.intentId], foreignColumns: [bankIntent.tenant, bankIntent.id] }),
    index("kyc_decision_case").on(table.tenant, table.kycUUID, table.createdAt),
  ],
);
