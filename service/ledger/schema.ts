import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  numeric,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
} from "drizzle-orm/pg-core";
import { NETWORKS } from "@/lib/contract/crypto";

/** Exact, signed, wide enough for any token. */
const units = (name: string) => numeric(name, { precision: 78, scale: 0, mode: "bigint" });

/** `network` null: BRL; `tokenAddress` null: a native coin. */
export const ledgerAsset = pgTable("ledger_asset", {
  id: text("id").primaryKey(),
  network: text("network", { enum: NETWORKS }),
  symbol: text("symbol").notNull(),
  decimals: integer("decimals").notNull(),
  tokenAddress: text("token_address"),
});

export const ACCOUNT_KINDS = ["available", "blocked", "outside"] as const;

/** `outside` may go negative, so it keeps no balance and is never locked; the others keep theirs with the entries. */
export const ledgerAccount = pgTable(
  "ledger_account",
  {
    id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
    holder: text("holder").notNull(),
    assetId: text("asset_id")
      .notNull()
      .references(() => ledgerAsset.id),
    kind: text("kind", { enum: ACCOUNT_KINDS }).notNull(),
    balance: units("balance"),
    entryCount: bigint("entry_count", { mode: "number" }),
    isClosed: boolean("is_closed").notNull().default(false),
  },
  (table) => [
    unique("ledger_account_holder").on(table.holder, table.assetId, table.kind),
    check("ledger_account_never_negative", sql`${table.balance} >= 0`),
    check(
      "ledger_account_outside",
      sql`(${table.kind} = 'outside') = (${table.balance} is null) and (${table.balance} is null) = (${table.entryCount} is null)`,
    ),
  ],
);

export const MOVEMENT_TYPES = ["PIX", "TED", "INTERNAL", "FEE", "HOLD", "RELEASE", "CHAIN"] as const;

export const ledgerMovement = pgTable("ledger_movement", {
  id: text("id").primaryKey(),
  type: text("type", { enum: MOVEMENT_TYPES }).notNull(),
  description: text("description").notNull(),
  occurredAt: timestamp("occurred_at", { withTimezone: true, precision: 3 }).notNull(),
});

/** `sequence` is gapless per account; with `balanceAfter` null for `outside`. */
export const ledgerEntry = pgTable(
  "ledger_entry",
  {
    movementId: text("movement_id")
      .notNull()
      .references(() => ledgerMovement.id),
    accountId: integer("account_id")
      .notNull()
      .references(() => ledgerAccount.id),
    sequence: bigint("sequence", { mode: "number" }),
    amount: units("amount").notNull(),
    balanceAfter: units("balance_after"),
    occurredAt: timestamp("occurred_at", { withTimezone: true, precision: 3 }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.movementId, table.accountId] }),
    unique("ledger_entry_sequence").on(table.accountId, table.sequence),
    index("ledger_entry_statement").on(table.accountId, table.occurredAt, table.sequence),
    check("ledger_entry_moves_something", sql`${table.amount} <> 0`),
  ],
);
