import { boolean, foreignKey, index, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { approval } from "./approvals";
import { providerIntent } from "./provider";
import { instant, tenant } from "@/lib/db/columns";
import { intentClaim } from "./intent-claim";
import { staff } from "./staff";
import type { TransferKind } from "@/lib/db/enums/transfers";

/** A transfer that somebody ordered; what became of it is its intent's state, what was ordered its intent's body. */
export const transfer = pgTable(
  "transfer",
  {
    tenant,
    intentId: uuid("intent_id").notNull(),
    kind: text("kind").$type<TransferKind>().notNull(),
    accountId: text("account_id").notNull(),
    /** Reais, with two decimals. */
    amount: text("amount").notNull(),
    /** Keyed hash of source, destination, amount and São Paulo's day: orders that have it in common may be one order given twice. */
    fingerprint: text("likeness").notNull(),
    /** Ordered although there was another one like it. */
    isRepeat: boolean("is_repeat").notNull(),
    /** Keyed hash of the account that is paid, whoever is said to hold it. */
    payeeHash: text("payee_hash").notNull().default(""),
    staffId: uuid("staff_id")
      .notNull()
      .references(() => staff.id),
    /** What carried it, as written when it was put on record; null: it left alone. */
    approvalId: uuid("approval_id"),
    createdAt: instant("created_at").notNull(),
    transactionId: text("transaction_id"),
    endToEndId: text("end_to_end_id"),
    /** The entry that brought the money back, when it was seen, and when the statement was last read for it. */
    returnId: text("return_id"),
    returnedAt: instant("returned_at"),
    returnReadAt: instant("return_read_at"),
    /** Of one that antifraud held: when the provider decided, as it tells, and while it is held the entry that may be of it. */
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

/** Whom the tenant paid, or somebody saved. Without a name it is not offered: it says that it was paid before. */
export const payee = pgTable(
  "payee",
  {
    tenant,
    id: uuid("id").notNull(),
    kind: text("kind").$type<TransferKind>().notNull(),
    /** Account and holder, on lines of their own. */
    destinationSealed: text("destination_sealed").notNull(),
    destinationHash: text("destination_hash").notNull(),
    /** What a transfer to it is told besides; null where somebody removed it from those that are offered. */
    detailsSealed: text("details_sealed"),
    savedAt: instant("saved_at").notNull(),
    paidAt: instant("paid_at"),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.id] }),
    uniqueIndex("payee_destination").on(table.tenant, table.destinationHash),
  ],
);

/** Whom an order pays, to be looked for: by keyed hashes alone. A list's filter and its sum need it of proposals, too. */
export const transferPayee = pgTable(
  "transfer_payee",
  {
    tenant,
    intentId: uuid("intent_id").notNull(),
    /** Reais, with two decimals; null where the order does not open. */
    amount: text("amount"),
    /** The provider's own account that is paid. */
    accountId: text("account_id"),
    /** The bank that a TED goes to. */
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
