import { sql } from "drizzle-orm";
import {
  bigint,
  bigserial,
  boolean,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { ErrorKind } from "@/lib/errors/result";
import { instant, tenant } from "@/lib/store/columns";
import type { Lane } from "./budget";
import type { Call, CallKind } from "./call-log";

/** One number for each of the last 62 seconds, the newest last. */
const perSecond = (name: string) => integer(name).array().notNull();

/**
 * What all instances together asked of one provider lately. Only `bank_budget_take` and `bank_budget_refused` write it, under
 * the row's lock; they stand beside the table in its migration.
 */
export const bankBudget = pgTable("bank_budget", {
  /** Of the provider's address, for it counts what comes from ours. */
  origin: text("origin").primaryKey(),
  /** The newest one counted, since 1970 by the store's clock. */
  second: bigint("second", { mode: "number" }).notNull(),
  money: perSecond("money"),
  people: perSecond("people"),
  watchers: perSecond("watchers"),
  /** How many of them the provider answered with 429. */
  refused: perSecond("refused"),
  /** The limit after the last 429; it grows again from there. */
  loweredTo: integer("lowered_to"),
  pausedUntil: instant("paused_until"),
  /** While money waits on some instance the other lanes yield, while people do, the watchers. */
  moneyWaitsUntil: instant("money_waits_until"),
  peopleWaitUntil: instant("people_wait_until"),
});

export const INTENT_STATES = ["SENDING", "DONE", "HELD", "REFUSED", "UNKNOWN"] as const;
/** HELD waits for the provider's analyst; UNKNOWN may or may not have taken effect; REFUSED certainly has not. */
export type IntentState = (typeof INTENT_STATES)[number];

/** A write at the provider as somebody meant it: on record before a connection is opened, and carried out at most once. */
export const bankIntent = pgTable(
  "bank_intent",
  {
    tenant,
    /** Made when the form opened. */
    id: uuid("id").notNull(),
    /** The path, as the interface writes it. */
    operation: text("operation").notNull(),
    /** What it is done to: `kyc:<kycUUID>`. */
    object: text("object").notNull(),
    /** No two of these may be in flight for one object. */
    isExclusive: boolean("is_exclusive").notNull(),
    /** Staff id. */
    actor: text("actor").notNull(),
    /** Keyed hash of the body's bytes. */
    bodyHash: text("body_hash").notNull(),
    /** The bytes themselves, where they may be sent again. */
    bodySealed: text("body_sealed"),
    /** A new one each time the intent is opened; sent as the Idempotency-Key where the operation takes one. */
    key: uuid("key").notNull(),
    state: text("state").$type<IntentState>().notNull(),
    attempts: integer("attempts").notNull(),
    /** Whether one of the attempts made so far may have taken effect. */
    mayHaveExecuted: boolean("may_have_executed").notNull(),
    /** The instance that is sending, or was the last one to. */
    owner: uuid("owner").notNull(),
    /** Who is still SENDING by then died. */
    sendingUntil: instant("sending_until").notNull(),
    /** When the same bytes go out again under the same key, to learn what became of them; null: not by themselves. */
    nextTryAt: instant("next_try_at"),
    createdAt: instant("created_at").notNull(),
    firstSentAt: instant("first_sent_at"),
    finishedAt: instant("finished_at"),
    /** HTTP, of the last answer. */
    status: integer("status"),
    requestId: text("request_id"),
    /** SHA-256 in hex of the last answer's text; null when there was none. */
    answerHash: text("answer_hash"),
    code: text("code"),
    antifraudId: text("antifraud_id"),
    pendingExpiresAt: instant("pending_expires_at"),
    /** Staff id of who said what became of it, where nothing at the provider did. */
    endedBy: text("ended_by"),
    /** When the provider showed that it was otherwise. */
    contradictedAt: instant("contradicted_at"),
    /** What a screen shows of the answer, as JSON. */
    keptSealed: text("kept_sealed"),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.id] }),
    uniqueIndex("bank_intent_in_flight")
      .on(table.tenant, table.operation, table.object)
      .where(sql`state = 'SENDING' and is_exclusive`),
    index("bank_intent_undecided")
      .on(table.tenant, table.operation)
      .where(sql`state in ('SENDING', 'UNKNOWN')`),
    index("bank_intent_unresolved")
      .on(table.tenant, table.createdAt)
      .where(sql`state in ('UNKNOWN', 'HELD') or contradicted_at is not null`),
    index("bank_intent_object").on(table.tenant, table.object, table.createdAt),
  ],
);

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
