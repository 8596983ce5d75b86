import { integer, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import type { ErrorKind } from "@/lib/errors/result";
import { instant, tenant } from "@/lib/db/columns";

/** `asOf`: start of the last complete sweep; `failedAt`: since when it has failed this way. */
export const watchState = pgTable(
  "watch_state",
  {
    tenant,
    name: text("name").notNull(),
    /** Whatever the result, the next one is due an interval later. */
    begunAt: instant("begun_at"),
    memory: jsonb("memory").$type<unknown>(),
    asOf: instant("as_of"),
    failedAt: instant("failed_at"),
    errorKind: text("error_kind").$type<ErrorKind>(),
    errorCode: text("error_code"),
    /** As the process that runs it has it; null for one that no longer runs, and for what is no watch. */
    intervalMs: integer("interval_ms"),
    /** What it owes is counted from here at the earliest: while the console stood still nothing was late. */
    runsSince: instant("runs_since"),
  },
  (table) => [primaryKey({ columns: [table.tenant, table.name] })],
);
