import { jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { ledgerMovement } from "@/service/ledger/schema";

export const externalTransfer = pgTable("external_transfer", {
  transactionId: text("transaction_id")
    .primaryKey()
    .references(() => ledgerMovement.id),
  recipient: jsonb("recipient").$type<Record<string, unknown>>().notNull(),
});
