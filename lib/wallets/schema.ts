import { boolean, index, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import type { BalanceEntry, Network } from "@/lib/contract/crypto";
import type { ShownBody } from "@/lib/text/shown-body";
import { instant, tenant } from "@/lib/store/columns";

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
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.id] }),
    index("wallet_family").on(table.tenant, table.family, table.createdAt),
    index("wallet_user").on(table.tenant, table.userId),
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

/** What an order of coins said: the provider's write has no key, so its intent keeps no body. */
export const cryptoOrder = pgTable(
  "crypto_order",
  {
    tenant,
    intentId: uuid("intent_id").notNull(),
    orderSealed: text("order_sealed").notNull(),
    orderedAt: instant("ordered_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenant, table.intentId] })],
);
