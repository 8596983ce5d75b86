import { sql } from "drizzle-orm";
import { bigserial, index, pgTable, text } from "drizzle-orm/pg-core";
import { instant, tenant } from "@/lib/store/columns";
import type { Topic } from "./standing";

/** What changed in the store, for screens that are open; kept for as long as a stream may be away. */
export const liveEvent = pgTable(
  "live_event",
  {
    id: bigserial("id", { mode: "number" }).primaryKey(),
    tenant,
    topic: text("topic").$type<Topic>().notNull(),
    /** The object's id; null when it may be any of the topic's. */
    object: text("object"),
    /** Set when nothing changed: a watch found all of the topic as it is at this instant. */
    asOf: instant("as_of"),
    at: instant("at")
      .notNull()
      .default(sql`clock_timestamp()`),
  },
  (table) => [index("live_event_at").on(table.at)],
);
