import { sql } from "drizzle-orm";
import { bigint, bigserial, index, integer, pgTable, text, timestamp, unique } from "drizzle-orm/pg-core";
import { CHAIN_FAMILIES, NETWORKS } from "@/lib/contract/crypto";
import { ledgerAsset, ledgerMovement } from "@/service/ledger/schema";

/** BIP-39, hexadecimal; every address comes from it. At most one row. */
export const walletSeed = pgTable("wallet_seed", {
  id: text("id").primaryKey(),
  seed: text("seed").notNull(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
});

/** The next wallet's index. */
export const walletDerivation = pgTable("wallet_derivation", {
  family: text("family", { enum: CHAIN_FAMILIES }).primaryKey(),
  count: integer("count").notNull(),
});

/** `reference`: of a checkout address; null on other wallets. */
export const wallet = pgTable(
  "wallet",
  {
    id: text("id").primaryKey(),
    sequence: bigserial("sequence", { mode: "number" }).notNull(),
    clientId: text("client_id").notNull(),
    family: text("family", { enum: CHAIN_FAMILIES }).notNull(),
    derivationIndex: integer("derivation_index").notNull(),
    address: text("address").notNull().unique(),
    userId: text("user_id"),
    reference: text("reference"),
    isForwardPayment: integer("is_forward_payment").notNull(),
    status: text("status", { enum: ["ACTIVE"] }).notNull(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    unique("wallet_derivation_index").on(table.family, table.derivationIndex),
    index("wallet_client").on(table.clientId, table.sequence),
    index("wallet_master")
      .on(table.clientId, table.family, table.sequence)
      .where(sql`${table.isForwardPayment} = 0 and ${table.userId} is null`),
  ],
);

/** Decimal strings, `fee` in the native coin; null where the wallet paid none. */
export const chainEntry = pgTable(
  "chain_entry",
  {
    sequence: bigserial("sequence", { mode: "number" }).notNull(),
    walletId: text("wallet_id")
      .notNull()
      .references(() => wallet.id),
    movementId: text("movement_id")
      .notNull()
      .references(() => ledgerMovement.id),
    network: text("network", { enum: NETWORKS }).notNull(),
    assetId: text("asset_id")
      .notNull()
      .references(() => ledgerAsset.id),
    hash: text("hash").notNull(),
    blockNumber: bigint("block_number", { mode: "number" }).notNull(),
    subtype: text("subtype", { enum: ["incoming", "outgoing"] }).notNull(),
    amount: text("amount").notNull(),
    fee: text("fee"),
    counterAddress: text("counter_address").notNull(),
    occurredAt: timestamp("occurred_at", { withTimezone: true, precision: 3 }).notNull(),
  },
  (table) => [
    unique("chain_entry_movement").on(table.walletId, table.movementId, table.subtype),
    index("chain_entry_history").on(table.walletId, table.network, table.blockNumber, table.sequence),
  ],
);
