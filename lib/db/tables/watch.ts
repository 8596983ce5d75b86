import { jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
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
  },
  (table) => [primaryKey({ columns: [table.tenant, table.name] })],
);
