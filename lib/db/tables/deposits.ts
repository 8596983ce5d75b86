import { sql } from "drizzle-orm";
import { index, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import type { ChainFamily, Network } from "@/lib/contract/crypto";
import { instant, tenant } from "@/lib/db/columns";
import type { DepositCause, DepositClass, DepositReason, DepositStage, Evidence } from "@/lib/db/enums/deposits";
import { hashKey } from "./wallets";

/** What a crypto-cash-in says, once however often it comes; its delivery is deleted after 30 days. */
export const depositNotice = pgTable(
  "deposit_notice",
  {
    tenant,
    /** Hash of the transaction, address and amount in one spelling; without a transaction of the event's id. */
    identity: text("identity").notNull(),
    /** The delivery that said it first. */
    eventId: uuid("event_id").notNull(),
    family: text("family").$type<ChainFamily>().notNull(),
    address: text("address").notNull(),
    addressKey: text("address_key").notNull(),
    /** Null: not told. */
    network: text("network").$type<Network>(),
    txHash: text("tx_hash"),
    amount: text("amount"),
    /** Empty of the network's coin, which was told. */
    token: text("token"),
    asset: text("asset"),
    at: instant("at"),
    receivedAt: instant("received_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.identity] }),
    index("deposit_notice_address").on(table.tenant, table.addressKey),
    index("deposit_notice_event").on(table.tenant, table.eventId),
  ],
);

/** An arrival at a checkout address, or what somebody expects of a reference. */
export const deposit = pgTable(
  "deposit",
  {
    tenant,
    id: uuid("id").notNull(),
    kind: text("kind").$type<"expected" | "arrival">().notNull(),
    /** Null: what was expected has arrived, or the arrival is gone from its network. Past its time what is expected is late. */
    standing: text("standing").$type<DepositClass>(),
    cause: text("cause").$type<DepositCause>(),
    stage: text("stage").$type<DepositStage>(),
    referenceHash: text("reference_hash"),
    referenceSealed: text("reference_sealed"),
    address: text("address"),
    addressKey: text("address_key"),
    network: text("network").$type<Network>(),
    txHash: text("tx_hash"),
    amount: text("amount").notNull(),
    /** Null: not told; empty of the network's coin. */
    token: text("token"),
    asset: text("asset"),
    /** When it arrived; of what is expected when it was typed. */
    at: instant("at").notNull(),
    /** The end of the day on which it is expected, of an arrival as it was matched. */
    dueAt: instant("due_at"),
    /** The row that expected this arrival. */
    expectedId: uuid("expected_id"),
    matchedAt: instant("matched_at"),
    evidence: jsonb("evidence").$type<Evidence>(),
    sweepWalletId: text("sweep_wallet_id"),
    seenAt: instant("seen_at").notNull(),
    /** Who typed what is expected. */
    staffId: uuid("staff_id"),
    ownerId: uuid("owner_id"),
    reason: text("reason").$type<DepositReason>(),
    noteSealed: text("note_sealed"),
    handledBy: uuid("handled_by"),
    handledAt: instant("handled_at"),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.id] }),
    index("deposit_listed").on(table.tenant, table.at, table.id),
    index("deposit_standing").on(table.tenant, table.standing, table.at, table.id),
    index("deposit_reference").on(table.tenant, table.referenceHash),
    index("deposit_address").on(table.tenant, table.addressKey),
    index("deposit_hash").on(table.tenant, hashKey(table.txHash)),
    index("deposit_owner").on(table.tenant, table.ownerId),
    index("deposit_swept")
      .on(table.tenant, table.sweepWalletId)
      .where(sql`sweep_wallet_id is not null`),
  ],
);
