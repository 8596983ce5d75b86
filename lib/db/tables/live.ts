import { sql } from "drizzle-orm";
import { bigserial, index, pgTable, text } from "drizzle-orm/pg-core";
import { instant, tenant } from "@/lib/db/columns";
import type { Topic } from "@/lib/permission/topics";

export const liveEvent = pgTable(
  "live_event",
  {
    id: bigserial("id", { mode: "number" }).primaryKey(),
    tenant,
    topic: text("topic").$type<Topic>().notNull(),
    object: text("object"),
    at: instant("at")
      .notNull()
      .default(sql`clock_timestamp()`),
  },
  (table) => [index("live_event_at").on(table.at)],
);
