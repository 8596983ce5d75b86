import { foreignKey, index, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { providerIntent } from "./provider";
import { instant, tenant } from "@/lib/db/columns";
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
