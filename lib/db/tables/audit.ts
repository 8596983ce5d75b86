import { bigint, pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "@/lib/db/columns";

/** Written only by the trigger that chains a row. */
export const auditHead = pgTable("audit_head", {
  tenant: text("tenant").primaryKey(),
  seq: bigint("seq", { mode: "number" }).notNull(),
  at: instant("at").notNull(),
  hash: text("hash").notNull(),
});
