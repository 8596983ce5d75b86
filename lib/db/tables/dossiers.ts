import { sql } from "drizzle-orm";
import { foreignKey, index, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { providerIntent, type IntentState } from "./provider";
import { instant, tenant } from "@/lib/db/columns";
import { staff } from "./staff";

/** Written with its intent and sealed with the intent's end; a trigger refuses any other change. */
export const dossier = pgTable(
  "dossier",
  {
    tenant,
    id: uuid("id").notNull(),
    object: text("object").notNull(),
    intentId: uuid("intent_id").notNull(),
    /** A refused intent that is resent is another decision. */
    opening: uuid("opening").notNull(),
    staffId: uuid("staff_id")
      .notNull()
      .references(() => staff.id),
    createdAt: instant("created_at")
      .notNull()
      .default(sql`clock_timestamp()`),
    /** SHA-256 in hex of the canonical JSON; audited before anything is sent. */
    frozenHash: text("frozen_hash").notNull(),
    frozenSealed: text("frozen_sealed"),
    /** The answer read right before sending; null before, and once it is part of the file. */
    recheckSealed: text("recheck_sealed"),
    sealedAt: instant("sealed_at"),
    endState: text("end_state").$type<IntentState>(),
    fileSealed: text("file_sealed"),
    sha256: text("sha256"),
    signedBy: text("signed_by"),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.id] }),
    foreignKey({ columns: [table.tenant, table.intentId], foreignColumns: [providerIntent.tenant, providerIntent.id] }),
    uniqueIndex("dossier_opening").on(table.tenant, table.intentId, table.opening),
    index("dossier_object").on(table.tenant, table.object, table.createdAt),
  ],
);
