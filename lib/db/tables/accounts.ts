import { sql } from "drizzle-orm";
import {
  boolean,
  date,
  foreignKey,
  index,
  integer,
  numeric,
  pgTable,
  primaryKey,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import { providerIntent } from "./provider";
import { civilDayOfAt, instant, tenant, valueOfAmount } from "@/lib/db/columns";
import { staff } from "./staff";
import { account } from "./customers";

/** A sent closing, by its intent, which holds its outcome. Never the holder's token or code. */
export const accountClosure = pgTable(
  "account_closure",
  {
    tenant,
    intentId: uuid("intent_id").notNull(),
    accountRef: uuid("account_ref")
      .notNull()
      .references(() => account.ref),
    /** The reason sent to the provider; people write names into it. */
    reasonSealed: text("reason_sealed").notNull(),
    staffId: uuid("staff_id")
      .notNull()
      .references(() => staff.id),
    createdAt: instant("created_at").notNull(),
    /** When the provider last showed the account open after a closing; null: never. */
    seenOpenAt: instant("seen_open_at"),
    /** When the provider was last asked about it. */
    lookedAt: instant("looked_at"),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.intentId] }),
    foreignKey({ columns: [table.tenant, table.intentId], foreignColumns: [providerIntent.tenant, providerIntent.id] }),
    index("account_closure_account").on(table.tenant, table.accountRef, table.createdAt),
  ],
);

/** An entry of a statement, kept once however often and however spelt it is told. */
export const accountEntry = pgTable(
  "account_entry",
  {
    tenant,
    accountRef: uuid("account_ref").notNull(),
    /** Hash over what never changes of it, in one spelling: its id, day, direction and amount. */
    key: text("key").notNull(),
    /** Of those under one key. */
    ordinal: integer("ordinal").notNull(),
    transactionId: text("transaction_id").notNull(),
    type: text("type").notNull(),
    status: text("status").notNull(),
    /** Null: not known. */
    direction: text("direction").$type<"in" | "out">(),
    directionWord: text("direction_word").notNull(),
    /** Without its sign. */
    amount: text("amount").notNull(),
    value: numeric("value").generatedAlwaysAs(valueOfAmount),
    at: instant("at").notNull(),
    day: date("day", { mode: "string" }).generatedAlwaysAs(civilDayOfAt),
    isDated: boolean("is_dated").notNull(),
    isBooked: boolean("is_booked").notNull(),
    /** The transaction that it names as returned. */
    returnOf: text("return_of"),
    /** Its other side is in another account of the tenant; kept by triggers, whichever of the two is known first. */
    isOwn: boolean("is_own").notNull().default(false),
    /** When it was told first, or otherwise than before. */
    keptAt: instant("kept_at").notNull(),
    droppedAt: instant("dropped_at"),
    textSealed: text("text_sealed").notNull(),
    documentHash: text("document_hash"),
    documentSealed: text("document_sealed"),
    nameHash: text("name_hash"),
    nameSealed: text("name_sealed"),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.accountRef, table.key, table.ordinal] }),
    index("account_entry_at").on(table.tenant, table.at, table.accountRef, table.key, table.ordinal),
    index("account_entry_of").on(table.tenant, table.accountRef, table.at),
    index("account_entry_transaction").on(table.tenant, table.transactionId),
    index("account_entry_return")
      .on(table.tenant, table.returnOf)
      .where(sql`return_of is not null`),
    index("account_entry_document")
      .on(table.tenant, table.documentHash)
      .where(sql`document_hash is not null`),
    index("account_entry_name")
      .on(table.tenant, table.nameHash)
      .where(sql`name_hash is not null`),
  ],
);

/** How far the statement of an account is kept. */
export const accountReading = pgTable(
  "account_reading",
  {
    tenant,
    accountRef: uuid("account_ref").notNull(),
    /** Everything from this civil day until then is kept; null: it was never read whole. */
    fromDay: text("from_day"),
    until: instant("until"),
    /** Entries of the last whole reading that are not understood. */
    unread: integer("unread").notNull().default(0),
    triedAt: instant("tried_at"),
    failures: integer("failures").notNull().default(0),
    why: text("why"),
    /** When an event last named the account. */
    movedAt: instant("moved_at"),
  },
  (table) => [primaryKey({ columns: [table.tenant, table.accountRef] })],
);
