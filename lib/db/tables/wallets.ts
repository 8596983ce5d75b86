import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { intentClaim } from "./intent-claim";
import type { BalanceEntry, ChainFamily, Network } from "@/lib/contract/crypto";
import type { ShownBody } from "@/lib/text/shown-body";
import { instant, tenant } from "@/lib/db/columns";
import { staff } from "./staff";
import type { WalletRequestKind, WalletUse } from "@/lib/db/enums/wallets";

/** Or, of an unreadable one, what may be shown of it. */
export type StoredEntry = BalanceEntry | { shape: ShownBody };

export const wallet = pgTable(
  "wallet",
  {
    tenant,
    id: text("id").notNull(),
    address: text("address").notNull(),
    family: text("family").notNull(),
    coin: text("coin").notNull(),
    status: text("status").notNull(),
    userId: text("user_id"),
    /** Null: the provider does not say. */
    isForwardPayment: boolean("is_forward_payment"),
    createdAt: instant("created_at").notNull(),
    seenAt: instant("seen_at").notNull(),
    /** By our clock; null: seen before this was kept. */
    firstSeenAt: instant("first_seen_at"),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.id] }),
    index("wallet_family").on(table.tenant, table.family, table.createdAt),
    index("wallet_user").on(table.tenant, table.userId),
    index("wallet_address").on(table.tenant, sql`lower(${table.address})`),
  ],
);

/** One row per address and network, which is one call. */
export const walletBalance = pgTable(
  "wallet_balance",
  {
    tenant,
    walletId: text("wallet_id").notNull(),
    network: text("network").$type<Network>().notNull(),
    entries: jsonb("entries").$type<StoredEntry[]>().notNull(),
    asOf: instant("as_of"),
    /** A network that fails must not starve the others. */
    triedAt: instant("tried_at"),
    movedAt: instant("moved_at"),
  },
  (table) => [primaryKey({ columns: [table.tenant, table.walletId, table.network] })],
);

export const END_LENGTH = 4;

export const addressEnd = (address: AnyPgColumn) => sql<string>`right(lower(${address}), 4)`;

/** Of a transaction's hash, which some write with `0x` and some without, in letters of either case. */
export const hashKey = (hash: AnyPgColumn) => sql<string>`regexp_replace(lower(${hash}), '^0x', '')`;

/** What an order of coins said, sent or proposed: the provider's write has no key, so its intent keeps no body. */
export const cryptoOrder = pgTable(
  "crypto_order",
  {
    tenant,
    intentId: uuid("intent_id").notNull(),
    orderSealed: text("order_sealed").notNull(),
    orderedAt: instant("ordered_at").notNull(),
    /** Network, both addresses, asset and amount in one spelling; null: stored before this was kept. */
    fingerprintSealed: text("fingerprint_sealed"),
    fingerprintHash: text("fingerprint_hash"),
    /** Until somebody learns that it ended: its proposal and its intent say so first. */
    isOpen: boolean("is_open").notNull().default(false),
    /** Of the transaction on the chain that carried it. */
    txHash: text("tx_hash"),
    /** To filter and to add up by; null: stored before this was kept, or the order does not open. */
    walletId: text("wallet_id"),
    network: text("network").$type<Network>(),
    asset: text("asset"),
    /** Null of the network's coin. */
    token: text("token"),
    amount: text("amount"),
    /** The address in its family's one spelling. */
    destinationSealed: text("destination_sealed"),
    destinationHash: text("destination_hash"),
    /** As read before it was sent: the newest entry of the wallet's history, and what was held of the network's coin. */
    headHash: text("head_hash"),
    headAt: instant("head_at"),
    heldBefore: text("held_before"),
    heldBeforeAt: instant("held_before_at"),
    /** In the network's coin, by what was held before and after; null where it cannot be derived. */
    derivedFee: text("derived_fee"),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.intentId] }),
    foreignKey({ columns: [table.tenant, table.intentId], foreignColumns: [intentClaim.tenant, intentClaim.id] }),
    index("crypto_order_newest").on(table.tenant, table.orderedAt, table.intentId),
    index("crypto_order_destination").on(table.tenant, table.destinationHash),
    index("crypto_order_fingerprint").on(table.tenant, table.fingerprintHash),
    uniqueIndex("crypto_order_open")
      .on(table.tenant, table.fingerprintHash)
      .where(sql`is_open`),
    index("crypto_order_hash").on(table.tenant, hashKey(table.txHash)),
  ],
);

/** What came of it is the state of its intent. Stored before it is sent: no answer and no list names its reference. */
export const walletRequest = pgTable(
  "wallet_request",
  {
    tenant,
    /** Nothing was sent under it where the address was made elsewhere, and came by a file. */
    intentId: uuid("intent_id").notNull(),
    kind: text("kind").$type<WalletRequestKind>().notNull(),
    family: text("family").$type<ChainFamily>().notNull(),
    isForward: boolean("is_forward").notNull(),
    referenceHash: text("reference_hash"),
    referenceSealed: text("reference_sealed"),
    customerHash: text("customer_hash"),
    customerSealed: text("customer_sealed"),
    staffId: uuid("staff_id")
      .notNull()
      .references(() => staff.id),
    createdAt: instant("created_at").notNull(),
    walletId: text("wallet_id"),
    address: text("address"),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.intentId] }),
    foreignKey({ columns: [table.tenant, table.intentId], foreignColumns: [intentClaim.tenant, intentClaim.id] }),
    index("wallet_request_reference").on(table.tenant, table.referenceHash),
    index("wallet_request_customer").on(table.tenant, table.customerHash),
    index("wallet_request_created").on(table.tenant, table.kind, table.createdAt),
    index("wallet_request_address").on(table.tenant, sql`lower(address)`),
  ],
);

/** What finance says of a wallet; the provider is told nothing of it. */
export const walletLabel = pgTable(
  "wallet_label",
  {
    tenant,
    walletId: text("wallet_id").notNull(),
    label: text("label"),
    use: text("use").$type<WalletUse>(),
    setBy: uuid("set_by").notNull(),
    setAt: instant("set_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenant, table.walletId] })],
);

/** A movement on a chain, kept once however often and by whichever question it is told. */
export const chainMovement = pgTable(
  "chain_movement",
  {
    tenant,
    walletId: text("wallet_id").notNull(),
    network: text("network").$type<Network>().notNull(),
    /** Hash over what tells one from another, in one spelling: transaction, direction, counterparty and amount. */
    key: text("key").notNull(),
    /** Of those alike in one transaction. */
    ordinal: integer("ordinal").notNull(),
    hash: text("hash").notNull(),
    subtype: text("subtype").notNull(),
    counterAddress: text("counter_address").notNull(),
    amount: text("amount").notNull(),
    blockNumber: text("block_number"),
    at: instant("at").notNull(),
    isDated: boolean("is_dated").notNull().default(true),
    /** The provider's word; null: none. */
    status: text("status"),
    droppedAt: instant("dropped_at"),
    /** Null: the asset is not told. */
    tokenAddress: text("token_address"),
    asset: text("asset"),
    /** In the native coin, as the difference of two readings of the balance; null where it cannot be derived. */
    derivedFee: text("derived_fee"),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.walletId, table.network, table.key, table.ordinal] }),
    index("chain_movement_at").on(table.tenant, table.walletId, table.at),
    index("chain_movement_hash").on(table.tenant, sql`lower(${table.hash})`),
    index("chain_movement_counterparty").on(table.tenant, sql`lower(${table.counterAddress}) text_pattern_ops`),
    index("chain_movement_ending").on(table.tenant, addressEnd(table.counterAddress)),
  ],
);

/** How far the history of a wallet on a network is read. */
export const chainReading = pgTable(
  "chain_reading",
  {
    tenant,
    walletId: text("wallet_id").notNull(),
    network: text("network").$type<Network>().notNull(),
    /** The question: empty for all that the provider tells, else of this token alone. */
    tokenAddress: text("token_address").notNull().default(""),
    asOf: instant("as_of"),
    triedAt: instant("tried_at"),
    /** The page to go on from while the past is not read to its end. */
    nextPage: integer("next_page").notNull().default(0),
    isWhole: boolean("is_whole").notNull().default(false),
    /** Entries of the last reading that are not understood. */
    unread: integer("unread").notNull().default(0),
    /** Held of the native coin when it was read, and when that was told. */
    native: text("native"),
    nativeAt: instant("native_at"),
  },
  (table) => [primaryKey({ columns: [table.tenant, table.walletId, table.network, table.tokenAddress] })],
);
