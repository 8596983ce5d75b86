import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  boolean,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { intentClaim } from "./intent-claim";
import type { BalanceEntry, ChainFamily, Network } from "@/lib/contract/crypto";
import type { ShownBody } from "@/lib/text/shown-body";
import { civilDayOfAt, instant, tenant, valueOfAmount } from "@/lib/db/columns";
import { staff } from "./staff";
import type { SendState, WalletRequestKind, WalletUse } from "@/lib/db/enums/wallets";

/** A balance entry, or the displayable part of an unreadable one. */
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
    /** As the provider's list tells it of a checkout address; null when untold. */
    referenceHash: text("reference_hash"),
    referenceSealed: text("reference_sealed"),
    /** Null when the provider does not say. */
    isForwardPayment: boolean("is_forward_payment"),
    createdAt: instant("created_at").notNull(),
    seenAt: instant("seen_at").notNull(),
    /** By our clock; null: seen before this was stored. */
    firstSeenAt: instant("first_seen_at"),
    /** Of its address, in lower case; a trigger adds the one above. */
    spellings: text("spellings").array().notNull().default([]),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.id] }),
    index("wallet_family").on(table.tenant, table.family, table.createdAt),
    index("wallet_user").on(table.tenant, table.userId),
    index("wallet_reference").on(table.tenant, table.referenceHash),
    index("wallet_address").on(table.tenant, sql`lower(${table.address})`),
    index("wallet_spellings").using("gin", table.spellings),
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
    /** Orders the reads, as a failing network must not starve the others. */
    triedAt: instant("tried_at"),
    movedAt: instant("moved_at"),
  },
  (table) => [primaryKey({ columns: [table.tenant, table.walletId, table.network] })],
);

export const END_LENGTH = 4;

export const addressEnd = (address: AnyPgColumn) => sql<string>`right(lower(${address}), 4)`;

/** Ignores case and a leading `0x`, on which providers differ. */
export const hashKey = (hash: AnyPgColumn) => sql<string>`regexp_replace(lower(${hash}), '^0x', '')`;

/** An order of coins, sent or proposed: the provider's write has no key, so its intent keeps no body. */
export const cryptoOrder = pgTable(
  "crypto_order",
  {
    tenant,
    intentId: uuid("intent_id").notNull(),
    orderSealed: text("order_sealed").notNull(),
    orderedAt: instant("ordered_at").notNull(),
    /** Network, both addresses, asset and amount in one spelling; null: stored before this existed. */
    fingerprintSealed: text("fingerprint_sealed"),
    fingerprintHash: text("fingerprint_hash"),
    /** True until its end is noticed; its proposal and intent record the end first. */
    isOpen: boolean("is_open").notNull().default(false),
    /** The hash of the chain transaction that carried it. */
    txHash: text("tx_hash"),
    /** To filter and to add up by; null: stored before this was kept, or the order does not open. */
    walletId: text("wallet_id"),
    network: text("network").$type<Network>(),
    asset: text("asset"),
    /** Null of the network's coin. */
    token: text("token"),
    amount: text("amount"),
    value: numeric("value").generatedAlwaysAs(valueOfAmount),
    /** Of its proposal and its intent, by triggers of theirs. */
    state: text("state").$type<SendState>().notNull().default("NOT_SENT"),
    /** The address in its family's one spelling. */
    destinationSealed: text("destination_sealed"),
    destinationHash: text("destination_hash"),
    /** As read before it was sent: the newest entry of the wallet's history, and what was held of the network's coin. */
    headHash: text("head_hash"),
    headAt: instant("head_at"),
    heldBefore: text("held_before"),
    heldBeforeAt: instant("held_before_at"),
    /** And of the asset that is sent; null: not read, or sent before this was kept. */
    assetBefore: text("asset_before"),
    assetBeforeAt: instant("asset_before_at"),
    /** In the network's coin, by what was held before and after; null where it cannot be derived. */
    derivedFee: text("derived_fee"),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.intentId] }),
    foreignKey({ columns: [table.tenant, table.intentId], foreignColumns: [intentClaim.tenant, intentClaim.id] }),
    index("crypto_order_newest").on(table.tenant, table.orderedAt, table.intentId),
    index("crypto_order_state").on(table.tenant, table.state, table.orderedAt, table.intentId),
    index("crypto_order_wallet").on(table.tenant, table.walletId, table.orderedAt, table.intentId),
    index("crypto_order_coin").on(table.tenant, table.network, table.asset),
    index("crypto_order_sums").on(table.tenant, table.state, table.network, table.asset, table.token, table.value),
    index("crypto_order_destination").on(table.tenant, table.destinationHash),
    index("crypto_order_fingerprint").on(table.tenant, table.fingerprintHash),
    uniqueIndex("crypto_order_open")
      .on(table.tenant, table.fingerprintHash)
      .where(sql`is_open`),
    index("crypto_order_hash").on(table.tenant, hashKey(table.txHash)),
  ],
);

/** The state of its intent is the outcome. Stored before sending, as no answer and no list returns the reference. */
export const walletRequest = pgTable(
  "wallet_request",
  {
    tenant,
    /** Nothing was sent under it when the address was made elsewhere and imported. */
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

/** Finance's label of a wallet, which is not sent to the provider. */
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

/** A chain movement, stored once however often and by whichever query it is read. */
export const chainMovement = pgTable(
  "chain_movement",
  {
    tenant,
    walletId: text("wallet_id").notNull(),
    network: text("network").$type<Network>().notNull(),
    /** Hash of the identifying fields, in one spelling: transaction, direction, counterparty and amount. */
    key: text("key").notNull(),
    /** Counts equal movements in one transaction. */
    ordinal: integer("ordinal").notNull(),
    hash: text("hash").notNull(),
    subtype: text("subtype").notNull(),
    counterAddress: text("counter_address").notNull(),
    amount: text("amount").notNull(),
    /** Null of what is no amount: a provider may write anything. */
    value: numeric("value").generatedAlwaysAs(valueOfAmount),
    blockNumber: text("block_number"),
    at: instant("at").notNull(),
    day: date("day", { mode: "string" }).generatedAlwaysAs(civilDayOfAt),
    isDated: boolean("is_dated").notNull().default(true),
    /** The provider's word; null when absent. */
    status: text("status"),
    droppedAt: instant("dropped_at"),
    /** Null when untold; a word alone has no token's contract. */
    tokenAddress: text("token_address"),
    asset: text("asset"),
    /** In the native coin, of the transaction, as its entries tell it of what the wallet sent; null when untold. */
    toldFee: text("told_fee"),
    /** In the native coin, as the difference of two balances; null when it cannot be derived. */
    derivedFee: text("derived_fee"),
    /** Its counterparty is a wallet of the tenant; kept by triggers, whichever of the two is known first. */
    isOwn: boolean("is_own").notNull().default(false),
    /** When it was last written by the store's clock; null: before this was kept. */
    writtenAt: instant("written_at").$onUpdate(() => sql`clock_timestamp()`),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.walletId, table.network, table.key, table.ordinal] }),
    index("chain_movement_written").on(table.tenant, table.writtenAt),
    index("chain_movement_at").on(table.tenant, table.walletId, table.at),
    index("chain_movement_listed").on(table.tenant, table.at, table.walletId, table.network, table.key, table.ordinal),
    index("chain_movement_words").on(table.tenant, table.subtype, sql`coalesce(${table.status}, '')`),
    index("chain_movement_hash").on(table.tenant, sql`lower(${table.hash})`),
    index("chain_movement_counterparty").on(table.tenant, sql`lower(${table.counterAddress}) text_pattern_ops`),
    index("chain_movement_ending").on(table.tenant, addressEnd(table.counterAddress)),
  ],
);

/** How far a wallet's history on a network has been read. */
export const chainReading = pgTable(
  "chain_reading",
  {
    tenant,
    walletId: text("wallet_id").notNull(),
    network: text("network").$type<Network>().notNull(),
    /** The query: empty for everything, else this token alone. */
    tokenAddress: text("token_address").notNull().default(""),
    asOf: instant("as_of"),
    triedAt: instant("tried_at"),
    /** The next page while the history is not read to its end. */
    nextPage: integer("next_page").notNull().default(0),
    isWhole: boolean("is_whole").notNull().default(false),
    /** Unreadable entries in the last reading. */
    unread: integer("unread").notNull().default(0),
    /** The native balance at the reading, and when it was reported. */
    native: text("native"),
    nativeAt: instant("native_at"),
  },
  (table) => [primaryKey({ columns: [table.tenant, table.walletId, table.network, table.tokenAddress] })],
);
