import { sql } from "drizzle-orm";
import { boolean, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { instant, tenant } from "@/lib/store/columns";

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
