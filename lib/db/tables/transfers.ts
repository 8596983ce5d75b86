import { boolean, foreignKey, index, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { approval } from "./approvals";
import { providerIntent } from "./provider";
import { instant, tenant } from "@/lib/db/columns";
import { intentClaim } from "./intent-claim";
import { staff } from "./staff";
import type { TransferKind } from "@/lib/db/enums/transfers";

/** An ordered transfer; its intent holds the outcome and the order. */
export const transfer = pgTable(
  "transfer",
  {
    tenant,
    intentId: uuid("intent_id").notNull(),
    kind: text("kind").$type<TransferKind>().notNull(),
    accountId: text("account_id").notNull(),
    /** Reais, with two decimals. */
    amount: text("amount").notNull(),
    /** Keyed hash of source, destination, amount and São Paulo day: equal ones may be one order given twice. */
    fingerprint: text("likeness").notNull(),
    /** Ordered although a similar one existed. */
    isRepeat: boolean("is_repeat").notNull(),
    /** Keyed hash of the paid account, whatever holder is named. */
    payeeHash: text("payee_hash").notNull().default(""),
    staffId: uuid("staff_id")
      .notNull()
      .references(() => staff.id),
    /** The approval behind it, as recorded at the time; null: it needed none. */
    approvalId: uuid("approval_id"),
    createdAt: instant("created_at").notNull(),
    transactionId: text("transaction_id"),
    endToEndId: text("end_to_end_id"),
    /** The entry that returned the money, once seen, and when the statement was last read for it. */
    returnId: text("return_id"),
    returnedAt: instant("returned_at"),
    returnReadAt: instant("return_read_at"),
    /** For a held transfer: when the provider decided, and, while held, the entry that may match. */
    decidedAt: instant("decided_at"),
    candidateId: text("candidate_id"),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.intentId] }),
    foreignKey({ columns: [table.tenant, table.intentId], foreignColumns: [providerIntent.tenant, providerIntent.id] }),
    foreignKey({ columns: [table.tenant, table.approvalId], foreignColumns: [approval.tenant, approval.id] }),
    index("transfer_likeness").on(table.tenant, table.fingerprint),
    index("transfer_account").on(table.tenant, table.accountId, table.createdAt),
    index("transfer_day").on(table.tenant, table.createdAt),
    index("transfer_transaction").on(table.tenant, table.transactionId),
    index("transfer_return").on(table.tenant, table.returnId),
  ],
);

/** A paid or saved payee. Without details it is not offered, and only shows that it was paid. */
export const payee = pgTable(
  "payee",
  {
    tenant,
    id: uuid("id").notNull(),
    kind: text("kind").$type<TransferKind>().notNull(),
    /** Account and holder, one a line. */
    destinationSealed: text("destination_sealed").notNull(),
    destinationHash: text("destination_hash").notNull(),
    /** The other details of a transfer to it; null once removed from the offered ones. */
    detailsSealed: text("details_sealed"),
    savedAt: instant("saved_at").notNull(),
    paidAt: instant("paid_at"),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.id] }),
    uniqueIndex("payee_destination").on(table.tenant, table.destinationHash),
  ],
);

/** An order's payee as keyed hashes, for the search. The list's filter and sum also need it for proposals. */
export const transferPayee = pgTable(
  "transfer_payee",
  {
    tenant,
    intentId: uuid("intent_id").notNull(),
    /** Reais, with two decimals; null when the order does not open. */
    amount: text("amount"),
    /** The paid account, at the same provider. */
    accountId: text("account_id"),
    /** The bank of a TED. */
    ispb: text("ispb"),
    documentSealed: text("document_sealed"),
    documentHash: text("document_hash"),
    /** Without accents, case and punctuation. */
    nameSealed: text("name_sealed"),
    nameHash: text("name_hash"),
    orderedAt: instant("ordered_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.intentId] }),
    foreignKey({ columns: [table.tenant, table.intentId], foreignColumns: [intentClaim.tenant, intentClaim.id] }),
    index("transfer_payee_document").on(table.tenant, table.documentHash, table.orderedAt),
    index("transfer_payee_name").on(table.tenant, table.nameHash, table.orderedAt),
    index("transfer_payee_account").on(table.tenant, table.accountId),
    index("transfer_payee_bank").on(table.tenant, table.ispb),
  ],
);
