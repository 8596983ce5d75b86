import { numeric, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { ledgerAsset } from "@/service/ledger/schema";

export const OTC_SIDES = ["BUY", "SELL"] as const;
export const OTC_STATUSES = ["QUOTED", "CONFIRMED", "SETTLED", "CANCELLED"] as const;

/** `quantity` in base units of the asset, sums in cents. */
export const otcTrade = pgTable("otc_trade", {
  id: text("id").primaryKey(),
  clientId: text("client_id").notNull(),
  side: text("side", { enum: OTC_SIDES }).notNull(),
  assetId: text("asset_id")
    .notNull()
    .references(() => ledgerAsset.id),
  quantity: numeric("quantity", { precision: 78, scale: 0, mode: "bigint" }).notNull(),
  priceCents: numeric("price_cents", { precision: 78, scale: 0, mode: "bigint" }).notNull(),
  totalCents: numeric("total_cents", { precision: 78, scale: 0, mode: "bigint" }).notNull(),
  status: text("status", { enum: OTC_STATUSES }).notNull(),
  createdAt: timestamp("created_at", { withTimezone: true, precision: 3 }).notNull(),
  settledAt: timestamp("settled_at", { withTimezone: true, precision: 3 }),
});
