import { sql } from "drizzle-orm";
import {
  bigint,
  bigserial,
  boolean,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { instant, tenant } from "@/lib/db/columns";
import { intentClaim } from "./intent-claim";
import type { CallKind, CallMethod, FindingKind, Lane } from "@/lib/db/enums/provider";

/** The last 62 seconds, newest last. */
const perSecond = (name: string) => integer(name).array().notNull();

/** Written only by `bank_budget_take` and `bank_budget_refused`, under the row's lock (see the migration). */
export const providerBudget = pgTable("bank_budget", {
  origin: text("origin").primaryKey(),
  second: bigint("second", { mode: "number" }).notNull(),
  money: perSecond("money"),
  people: perSecond("people"),
  watchers: perSecond("watchers"),
  refused: perSecond("refused"),
  /** The limit after the last 429, growing again. */
  loweredTo: integer("lowered_to"),
  pausedUntil: instant("paused_until"),
  /** Until then lower lanes yield on every instance. */
  moneyWaitsUntil: instant("money_waits_until"),
  peopleWaitUntil: instant("people_wait_until"),
});

export const INTENT_STATES = ["SENDING", "DONE", "HELD", "REFUSED", "UNKNOWN"] as const;
/** HELD: with the provider's analyst; UNKNOWN: may have taken effect; REFUSED: certainly did not. */
export type IntentState = (typeof INTENT_STATES)[number];

/** Stored before a connection opens, and executed at most once. */
export const providerIntent = pgTable(
  "bank_intent",
  {
    tenant,
    id: uuid("id").notNull(),
    operation: text("operation").notNull(),
    object: text("object").notNull(),
    isExclusive: boolean("is_exclusive").notNull(),
    actor: text("actor").notNull(),
    bodyHash: text("body_hash").notNull(),
    bodySealed: text("body_sealed"),
    /** From 1; incremented each time a refused one is sent anew. */
    opening: integer("opening").notNull().default(1),
    /** Belongs to the opening, and is the same after a restore; the Idempotency-Key where there is one. */
    key: uuid("key").notNull(),
    state: text("state").$type<IntentState>().notNull(),
    attempts: integer("attempts").notNull(),
    mayHaveExecuted: boolean("may_have_executed").notNull(),
    owner: uuid("owner").notNull(),
    sendingUntil: instant("sending_until").notNull(),
    nextTryAt: instant("next_try_at"),
    createdAt: instant("created_at").notNull(),
    firstSentAt: instant("first_sent_at"),
    finishedAt: instant("finished_at"),
    status: integer("status"),
    requestId: text("request_id"),
    /** SHA-256 in hex of the last answer's text; null without one. */
    answerHash: text("answer_hash"),
    code: text("code"),
    antifraudId: text("antifraud_id"),
    pendingExpiresAt: instant("pending_expires_at"),
    endedBy: text("ended_by"),
    contradictedAt: instant("contradicted_at"),
    keptSealed: text("kept_sealed"),
    saidSealed: text("said_sealed"),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.id] }),
    foreignKey({ columns: [table.tenant, table.id], foreignColumns: [intentClaim.tenant, intentClaim.id] }),
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

/** Kept for 30 days, by millions: every filter has an index ending in (at, seq). */
export const providerCall = pgTable(
  "bank_call",
  {
    seq: bigserial("seq", { mode: "number" }).primaryKey(),
    tenant,
    at: instant("at").notNull(),
    /** The reference that an error shows; attempts may share it. */
    requestId: text("request_id").notNull(),
    providerRequestId: text("provider_request_id"),
    method: text("method").$type<CallMethod>().notNull(),
    path: text("path").notNull(),
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
    index("bank_call_provider_request")
      .on(table.tenant, table.providerRequestId)
      .where(sql`provider_request_id is not null`),
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

/** What the answers of a São Paulo day have in common with the contract, counted; names of fields, never a value. */
export const providerFinding = pgTable(
  "bank_finding",
  {
    tenant,
    day: text("day").notNull(),
    /** `GET /v1/bank-accounts/balance` */
    operation: text("operation").notNull(),
    is: text("is").$type<FindingKind>().notNull(),
    /** A field's path, or the name of an optional part. */
    field: text("field").notNull(),
    /** The type of JSON that came instead of the documented one. */
    found: text("found").notNull(),
    documented: text("documented").notNull(),
    answers: integer("answers").notNull(),
    firstAt: instant("first_at").notNull(),
    lastAt: instant("last_at").notNull(),
  },
  (table) => [
    primaryKey({
      name: "bank_finding_pkey",
      columns: [table.tenant, table.day, table.operation, table.is, table.field, table.found],
    }),
  ],
);
