import { bigint, pgTable, text } from "drizzle-orm/pg-core";

/** How far the control routes have moved the service's clock ahead of the machine's; at most one row. */
export const clockOffset = pgTable("clock_offset", {
  id: text("id").primaryKey(),
  offsetMs: bigint("offset_ms", { mode: "number" }).notNull(),
});
