import { bigint, pgTable, text } from "drizzle-orm/pg-core";

export const clockOffset = pgTable("clock_offset", {
  id: text("id").primaryKey(),
  offsetMs: bigint("offset_ms", { mode: "number" }).notNull(),
});
