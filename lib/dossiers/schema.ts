import { sql } from "drizzle-orm";
import { foreignKey, index, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { bankIntent, type IntentState } from "@/lib/bank/schema";
import { instant, tenant } from "@/lib/store/columns";
import { staff } from "@/lib/store/schema";

/**
 * What was in sight when something was decided: frozen in the transaction that puts its intent on record, sealed for good in
 * the one that writes its end. A trigger refuses any change beyond that.
 */
export const dossier = pgTable(
  "dossier",
  {
    tenant,
    id: uuid("id").notNull(),
    /** What was decided about: `kyc:<kycUUID>`. */
    object: text("object").notNull(),
    intentId: uuid("intent_id").notNull(),
    /** The key that the intent was opened with: one that was refused may be opened again, and is then another decision. */
    opening: uuid("opening").notNull(),
    /** Who decided. */
    staffId: uuid("staff_id")
      .notNull()
      .references(() => staff.id),
    createdAt: instant("created_at")
      .notNull()
      .default(sql`clock_timestamp()`),
    /** SHA-256 in hex of what was frozen, as canonical JSON; on record before anything is sent. */
    frozenHash: text("frozen_hash").notNull(),
    /** What was frozen; null once it is part of the file. */
    frozenSealed: text("frozen_sealed"),
    /** What the provider answered right before it was sent; null as long as it was not asked, and once it is part of the file. */
    recheckSealed: text("recheck_sealed"),
    /** Null while it is not known how the intent ended. */
    sealedAt: instant("sealed_at"),
    /** How it ended, as far as is known. */
    endState: text("end_state").$type<IntentState>(),
    /** The file as it is handed out, to the byte. */
    fileSealed: text("file_sealed"),
    /** In hex, of what was signed. */
    sha256: text("sha256"),
    /** Which key signed. */
    signedBy: text("signed_by"),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.id] }),
    foreignKey({ columns: [table.tenant, table.intentId], foreignColumns: [bankIntent.tenant, bankIntent.id] }),
    uniqueIndex("dossier_opening").on(table.tenant, table.intentId, table.opening),
    index("dossier_object").on(table.tenant, table.object, table.createdAt),
  ],
);
