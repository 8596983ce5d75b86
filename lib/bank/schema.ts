import { sql } from "drizzle-orm";
import { bigserial, index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { instant, tenant } from "@/lib/store/columns";
import type { Call, CallKind } from "./call-log";
import type { Lane } from "./lane";

/** Every attempt at the provider, kept for 30 days: by millions, so each way to look is an index that ends in (at, seq). */
export const bankCall = pgTable(
  "bank_call",
  {
    /** In the order of writing; tells calls of one millisecond apart. */
    seq: bigserial("seq", { mode: "number" }).primaryKey(),
    tenant,
    at: instant("at").notNull(),
    /** Our own: what an error shows as its reference. Several attempts may share it. */
    requestId: text("request_id").notNull(),
    providerRequestId: text("provider_request_id"),
    method: text("method").$type<Call["method"]>().notNull(),
    path: text("path").notNull(),
    /** HTTP; null when no answer came. */
    status: integer("status"),
    kind: text("kind").$type<CallKind>().notNull(),
    code: text("code"),
    durationMs: integer("duration_ms").notNull(),
    waitedMs: integer("waited_ms").notNull(),
    lane: text("lane").$type<Lane>().notNull(),
    attempt: integer("attempt").notNull(),
    actor: text("actor").notNull(),
    object: text("object"),
  },
  (table) => [
    index("bank_call_newest").on(table.tenant, table.at, table.seq),
    index("bank_call_path").on(table.tenant, table.path, table.at, table.seq),
    index("bank_call_actor").on(table.tenant, table.actor, table.at, table.seq),
    index("bank_call_request").on(table.requestId),
    index("bank_call_object")
      .on(table.tenant, table.object, table.at, table.seq)
      .where(sql`object is not null`),
    index("bank_call_failed")
      .on(table.tenant, table.at, table.seq)
      .where(sql`kind <> 'ok'`),
    index("bank_call_kind")
      .on(table.tenant, table.kind, table.at, table.seq)
      .where(sql`kind <> 'ok'`),
    index("bank_call_slow")
      .on(table.tenant, table.at, table.seq)
      .where(sql`duration_ms >= 1000`),
    index("bank_call_money")
      .on(table.tenant, table.at, table.seq)
      .where(sql`lane = 'money'`),
  ],
);
