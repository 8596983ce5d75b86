import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  bigserial,
  boolean,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { OnboardingMessage, OnboardingStatus } from "@/lib/contract/onboarding";
import type { AccountStanding } from "@/lib/db/enums/accounts";
import type { OnboardingKind, Stage, WhoActs } from "@/lib/db/enums/onboarding";
import { instant, tenant } from "@/lib/db/columns";

/** A sealed text keeps its length: eleven characters are a person's, fourteen a company's. */
const kindOfSealed = sql`case when length(substring(document_sealed from '[^.]*$')) <= 52 then 'PF' else 'PJ' end`;

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
    /** Masked like the provider's, to match its masked records; null in rows of an earlier release. */
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
    /** Appears in URLs instead of a document. */
    ref: uuid("ref").primaryKey(),
    tenant,
    accountId: text("account_id").notNull(),
    branch: text("branch").notNull(),
    number: text("number").notNull(),
    documentHash: text("document_hash").notNull(),
    documentSealed: text("document_sealed").notNull(),
    /** Masked like the provider's, to match its masked records; null in rows of an earlier release. */
    documentMask: text("document_mask"),
    firstSeenAt: instant("first_seen_at").notNull(),
    kind: text("kind").$type<OnboardingKind>().notNull().generatedAlwaysAs(kindOfSealed),
    /** Masked; null until the provider names one. */
    holder: text("holder"),
    userId: text("user_id"),
    /** The provider's word, masked; null until it gives one. */
    statusWord: text("status_word"),
    standing: text("standing").$type<AccountStanding>().notNull().default("UNKNOWN"),
    /** Holder, or a partner, politically exposed according to the provider; null until it says so or not. */
    isExposed: boolean("is_exposed"),
    /** When the status was last reported. */
    toldAt: instant("told_at"),
    /** The opening time according to the provider. */
    createdAt: instant("created_at"),
    /** Reais, as last read for a person. */
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
