import { sql } from "drizzle-orm";
import { bigserial, boolean, index, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import type { ErrorKind } from "@/lib/result";
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

/** The access token that all processes of a tenant share, and what is known of the last try to renew it. */
export const bankToken = pgTable(
  "bank_token",
  {
    tenant,
    /** A token is for the provider that gave it: the same Client_ID elsewhere has another one. */
    baseUrl: text("base_url").notNull(),
    /** Counts the tokens; a 401 speaks of one of them. */
    generation: integer("generation").notNull(),
    /** Sealed; null before the first one, and once the provider no longer took it. */
    token: text("token"),
    issuedAt: instant("issued_at"),
    renewAt: instant("renew_at"),
    expiresAt: instant("expires_at"),
    /** Fetched because the provider refused the one before. */
    isReplacement: boolean("is_replacement").notNull().default(false),
    /** Token requests that failed since the last one that did not. */
    failures: integer("failures").notNull().default(0),
    failureKind: text("failure_kind").$type<ErrorKind>(),
    failureCode: text("failure_code"),
    /** Keyed hash of the credentials that the last failure was with: other ones are tried at once. */
    failedWith: text("failed_with"),
    retryAt: instant("retry_at"),
  },
  (table) => [primaryKey({ columns: [table.tenant, table.baseUrl] })],
);
