import { bigint, pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "@/lib/store/columns";

/** Where each tenant's record ends; nothing but the trigger that chains a row may change it. */
export const auditHead = pgTable("audit_head", {
  tenant: text("tenant").primaryKey(),
  seq: bigint("seq", { mode: "number" }).notNull(),
  at: instant("at").notNull(),
  hash: text("hash").notNull(),
});
