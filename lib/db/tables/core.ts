import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  bigint,
  bigserial,
  boolean,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { KycProcessName, KycStatus, KycType } from "@/lib/contract/kyc";
import type { OnboardingMessage, OnboardingStatus } from "@/lib/contract/onboarding";
import type { AccountStanding } from "@/lib/accounts/view";
import type { OnboardingKind, Stage, WhoActs } from "@/lib/onboarding/view";
import type { ErrorKind } from "@/lib/errors/result";
import { instant, tenant } from "@/lib/db/columns";

export const staff = pgTable(
  "staff",
  {
    id: uuid("id").primaryKey(),
    email: text("email").notNull(),
    name: text("name").notNull(),
    /** Null until chosen, and for who signs in elsewhere. */
    passwordHash: text("password_hash"),
    /** Refused against any provider but the embedded service. */
    isDemo: boolean("is_demo").notNull().default(false),
    /** By command alone. */
    isBreakGlass: boolean("is_break_glass").notNull().default(false),
    disabledAt: instant("disabled_at"),
    createdAt: instant("created_at").notNull().defaultNow(),
  },
  (table) => [uniqueIndex("staff_email").on(sql`lower(${table.email})`)],
);

export const AUDIT_OUTCOMES = ["INTENT", "DONE", "HELD", "REFUSED", "UNKNOWN"] as const;
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

/** Append-only by trigger; another one numbers and chains each row. No personal data in clear. */
export const auditEvent = pgTable(
  "audit_event",
  {
    /** Gapless per tenant; set by the trigger, like `at` and `hash`. */
    seq: bigint("seq", { mode: "number" }).notNull().default(0),
    tenant,
    /** Never earlier than in the row before. */
    at: instant("at").notNull().defaultNow(),
    code: text("code").notNull(),
    outcome: text("outcome").$type<AuditOutcome>().notNull(),
    actor: text("actor").notNull(),
    object: text("object"),
    intentId: uuid("intent_id"),
    detail: jsonb("detail").$type<Record<string, string | number | boolean | null>>().notNull(),
    /** SHA-256 in hex over the row and the hash before it. */
    hash: text("hash").notNull().default(""),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.seq] }),
    index("audit_event_at").on(table.tenant, table.at),
    index("audit_event_object").on(table.tenant, table.object, table.seq),
    index("audit_event_actor").on(table.tenant, table.actor, table.code, table.seq),
    index("audit_event_person").on(table.tenant, table.actor, table.seq),
    index("audit_event_code").on(table.tenant, table.code, table.seq),
    index("audit_event_outcome").on(table.tenant, table.outcome, table.seq),
    index("audit_event_intent").on(table.tenant, table.intentId),
  ],
);

/** What an id that a browser chose stands for, from its first use on. Never removed, nor moved to another act or person. */
export const intentClaim = pgTable(
  "intent_claim",
  {
    tenant,
    id: uuid("id").notNull(),
    /** The path of what is written at the provider; else the name of the act. */
    kind: text("kind").notNull(),
    /** Keyed hash; null where an earlier version did not keep it. */
    bodyHash: text("body_hash"),
    actor: text("actor").notNull(),
    isProposed: boolean("is_proposed").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenant, table.id] })],
);

/** What was sealed is as long as what it was sealed from: eleven signs are a person's, fourteen a company's. */
const kindOfSealed = sql`case when length(substring(document_sealed from '[^.]*$')) <= 52 then 'PF' else 'PJ' end`;

// Word for word as in the queue's queries, or the planner does not use the indexes.
const isOpenCase = sql`status not in ('APPROVED', 'REPROVED')`;

export const kycCase = pgTable(
  "kyc_case",
  {
    tenant,
    kycUUID: text("kyc_uuid").notNull(),
    /** Order of arrival; the provider gives no date. */
    seq: bigserial("seq", { mode: "number" }),
    /** As the provider masks it. */
    vatNumber: text("vat_number").notNull(),
    kycType: text("kyc_type").$type<KycType>().notNull(),
    process: text("process").$type<KycProcessName>().notNull(),
    status: text("status").$type<KycStatus>().notNull(),
    /** Every page the provider ever named; the case's own has no document. */
    webviews: jsonb("webviews").$type<readonly { vatNumber: string | null; url: string }[]>().notNull().default([]),
    firstSeenAt: instant("first_seen_at").notNull(),
    changedAt: instant("changed_at").notNull(),
    seenAt: instant("seen_at").notNull(),
    assigneeId: uuid("assignee_id").references(() => staff.id),
    assignedAt: instant("assigned_at"),
    /** Kept once it is decided. */
    waitingSince: instant("waiting_since"),
    dueAt: instant("due_at"),
    /** First seen decided since it last waited; null while open. */
    decidedAt: instant("decided_at"),
    tags: text("tags").array().notNull().default([]),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.kycUUID] }),
    index("kyc_case_queue").on(table.tenant, table.status, table.seq),
    index("kyc_case_order").on(table.tenant, table.seq),
    index("kyc_case_assignee").on(table.tenant, table.assigneeId, table.status, table.seq),
    index("kyc_case_next")
      .on(table.tenant, table.dueAt, table.seq)
      .where(sql`status = 'PENDING' and assignee_id is null`),
    index("kyc_case_decided").on(table.tenant, table.decidedAt, table.waitingSince, table.dueAt),
    index("kyc_case_document").on(table.tenant, table.vatNumber),
    index("kyc_case_tags").using("gin", table.tags),
    // One for each order of the queue: a page costs its rows, whatever the number of cases.
    index("kyc_case_changed").on(table.tenant, table.changedAt, table.seq),
    index("kyc_case_clock").on(
      table.tenant,
      sql`(case when status in ('APPROVED', 'REPROVED') then 'infinity' else coalesce(due_at, '9999-12-31 00:00:00+00') end)`,
      table.seq,
    ),
    index("kyc_case_waiting").on(table.tenant, sql`coalesce(waiting_since, 'infinity')`, table.seq),
    index("kyc_case_open").on(table.tenant, table.seq).where(isOpenCase),
    index("kyc_case_open_assignee").on(table.tenant, table.assigneeId, table.seq).where(isOpenCase),
    index("kyc_case_open_changed").on(table.tenant, table.changedAt, table.seq).where(isOpenCase),
    // The last columns are included so that counting reads the index alone.
    index("kyc_case_open_clock")
      .on(table.tenant, sql`coalesce(due_at, 'infinity')`, table.seq, table.dueAt, table.assigneeId, table.firstSeenAt)
      .where(isOpenCase),
    index("kyc_case_open_waiting")
      .on(table.tenant, sql`coalesce(waiting_since, 'infinity')`, table.seq)
      .where(isOpenCase),
    index("kyc_case_prefix").on(table.tenant, table.kycUUID.op("text_pattern_ops")),
    index("kyc_case_digits").on(
      table.tenant,
      sql`regexp_replace(vat_number, '[^0-9A-Za-z]', '', 'g') text_pattern_ops`,
    ),
  ],
);

export const onboarding = pgTable(
  "onboarding",
  {
    id: uuid("id").primaryKey(),
    tenant,
    seq: bigserial("seq", { mode: "number" }),
    /** Null when found by document: the answer carries no id. */
    onBoardingId: text("onboarding_id"),
    documentHash: text("document_hash").notNull(),
    documentSealed: text("document_sealed").notNull(),
    /** As the provider would mask it, by which what it masks is found again; null for what an earlier release kept. */
    documentMask: text("document_mask"),
    status: text("status").$type<OnboardingStatus>().notNull(),
    biometricUrl: text("biometric_url"),
    messages: jsonb("messages").$type<OnboardingMessage[]>().notNull(),
    accountId: text("account_id"),
    firstSeenAt: instant("first_seen_at").notNull(),
    changedAt: instant("changed_at").notNull(),
    checkedAt: instant("checked_at").notNull(),
    /** Null once the state is final. */
    nextCheckAt: instant("next_check_at"),
    traceId: text("trace_id"),
    kind: text("kind").$type<OnboardingKind>().notNull().generatedAlwaysAs(kindOfSealed),
    stage: text("stage").$type<Stage>().notNull().default("background-check"),
    whoActs: text("who_acts").$type<WhoActs>().notNull().default("provider"),
    returns: integer("returns").notNull().default(0),
    previousId: uuid("previous_id").references((): AnyPgColumn => onboarding.id, { onDelete: "set null" }),
    askedAt: instant("asked_at"),
  },
  (table) => [
    uniqueIndex("onboarding_provider_id").on(table.tenant, table.onBoardingId),
    uniqueIndex("onboarding_previous").on(table.previousId),
    index("onboarding_document").on(table.tenant, table.documentHash),
    index("onboarding_mask").on(table.tenant, table.documentMask),
    index("onboarding_account").on(table.tenant, table.accountId),
    index("onboarding_queue").on(table.tenant, table.status, table.seq),
    index("onboarding_order").on(table.tenant, table.firstSeenAt, table.seq),
    index("onboarding_due").on(table.tenant, table.nextCheckAt),
    index("onboarding_open")
      .on(table.tenant, table.firstSeenAt, table.seq)
      .where(sql`status not in ('CONFIRMED', 'ERROR')`),
  ],
);

export const account = pgTable(
  "account",
  {
    /** Stands in addresses instead of a document. */
    ref: uuid("ref").primaryKey(),
    tenant,
    accountId: text("account_id").notNull(),
    branch: text("branch").notNull(),
    number: text("number").notNull(),
    documentHash: text("document_hash").notNull(),
    documentSealed: text("document_sealed").notNull(),
    /** As the provider would mask it, by which what it masks is found again; null for what an earlier release kept. */
    documentMask: text("document_mask"),
    firstSeenAt: instant("first_seen_at").notNull(),
    kind: text("kind").$type<OnboardingKind>().notNull().generatedAlwaysAs(kindOfSealed),
    /** Masked; null until the provider names one. */
    holder: text("holder"),
    userId: text("user_id"),
    /** The provider's own, masked; null until it tells one. */
    statusWord: text("status_word"),
    standing: text("standing").$type<AccountStanding>().notNull().default("UNTOLD"),
    /** When the status was told last. */
    toldAt: instant("told_at"),
    /** When the provider says it began. */
    createdAt: instant("created_at"),
    /** Reais, as last read for somebody. */
    balance: numeric("balance"),
    blockedBalance: numeric("blocked_balance"),
    balanceAt: instant("balance_at"),
  },
  (table) => [
    uniqueIndex("account_provider_id").on(table.tenant, table.accountId),
    index("account_document").on(table.tenant, table.documentHash),
    index("account_mask").on(table.tenant, table.documentMask),
    index("account_opened").on(table.tenant, table.createdAt, table.ref),
    index("account_standing").on(table.tenant, table.standing, table.createdAt, table.ref),
  ],
);

/** `asOf`: begin of the last complete sweep; `failedAt`: since when it fails this way. */
export const watchState = pgTable(
  "watch_state",
  {
    tenant,
    name: text("name").notNull(),
    /** However it ended: the next one is due an interval later. */
    begunAt: instant("begun_at"),
    memory: jsonb("memory").$type<unknown>(),
    asOf: instant("as_of"),
    failedAt: instant("failed_at"),
    errorKind: text("error_kind").$type<ErrorKind>(),
    errorCode: text("error_code"),
  },
  (table) => [primaryKey({ columns: [table.tenant, table.name] })],
);
