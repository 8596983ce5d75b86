import { sql } from "drizzle-orm";
import {
  bigint,
  bigserial,
  boolean,
  foreignKey,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { bankIntent } from "@/lib/bank/schema";
import type { OnboardingKind } from "./view";
import { instant, tenant } from "@/lib/store/columns";
import { onboarding, staff } from "@/lib/store/schema";
import type { OnboardingEventKind } from "./events";

/** What happened to an onboarding, in the order it happened. Append-only; goes with its onboarding. */
export const onboardingEvent = pgTable(
  "onboarding_event",
  {
    tenant,
    id: bigserial("id", { mode: "number" }),
    onboardingId: uuid("onboarding_ref")
      .notNull()
      .references(() => onboarding.id, { onDelete: "cascade" }),
    at: instant("at")
      .notNull()
      .default(sql`clock_timestamp()`),
    kind: text("kind").$type<OnboardingEventKind>().notNull(),
    /** Staff id; null: the provider, or nobody. */
    actor: uuid("actor").references(() => staff.id),
    /** Ids, codes and numbers; never personal data. */
    detail: jsonb("detail").$type<Record<string, string | number | boolean | null>>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.id] }),
    index("onboarding_event_one").on(table.tenant, table.onboardingId, table.id),
  ],
);

/**
 * Each biometric link that an onboarding had. The address itself is with the onboarding, and only as long as it is the one
 * to use.
 */
export const onboardingLink = pgTable(
  "onboarding_link",
  {
    id: uuid("id").primaryKey(),
    tenant,
    onboardingId: uuid("onboarding_ref")
      .notNull()
      .references(() => onboarding.id, { onDelete: "cascade" }),
    /** In the letters that are looked up; empty for what is no address. */
    host: text("host").notNull(),
    appearedAt: instant("appeared_at").notNull(),
    /** When another one, or none, was seen in its place. */
    goneAt: instant("gone_at"),
  },
  (table) => [index("onboarding_link_one").on(table.tenant, table.onboardingId, table.appearedAt)],
);

/** When each person read an onboarding, so that the next reading can say what is new. */
export const onboardingReading = pgTable(
  "onboarding_reading",
  {
    tenant,
    onboardingId: uuid("onboarding_ref")
      .notNull()
      .references(() => onboarding.id, { onDelete: "cascade" }),
    staffId: uuid("staff_id")
      .notNull()
      .references(() => staff.id),
    /** When the page was last rendered for them. */
    seenAt: instant("seen_at").notNull(),
    /** When the reading before this one ended; null: this is the first. */
    previousAt: instant("previous_at"),
  },
  (table) => [primaryKey({ columns: [table.tenant, table.onboardingId, table.staffId] })],
);

/** An account that our own people asked for: what the provider was told, and which onboarding came of it. */
export const onboardingRequest = pgTable(
  "onboarding_request",
  {
    tenant,
    intentId: uuid("intent_id").notNull(),
    kind: text("kind").$type<OnboardingKind>().notNull(),
    documentHash: text("document_hash").notNull(),
    documentSealed: text("document_sealed").notNull(),
    /** All that was told, as JSON, but for the document and the password. */
    formSealed: text("form_sealed").notNull(),
    /** Ordered although an onboarding of the same document went on or had led to an account. */
    isRepeat: boolean("is_repeat").notNull(),
    staffId: uuid("staff_id")
      .notNull()
      .references(() => staff.id),
    createdAt: instant("created_at").notNull(),
    /** The attempt that it was to take up again. */
    previousId: uuid("previous_ref").references(() => onboarding.id, { onDelete: "set null" }),
    /** The last onboarding that was kept before it was sent: what came of it stands behind; null: it was never sent. */
    afterSeq: bigint("after_seq", { mode: "number" }),
    /** Once it is known which onboarding came of it. */
    onboardingId: uuid("onboarding_ref").references(() => onboarding.id, { onDelete: "set null" }),
    /** When the provider was last asked what came of it, by its document. */
    lookedAt: instant("looked_at"),
    /** Who no longer waits to learn what became of it, and since when the account may be asked for again. */
    waivedBy: uuid("waived_by").references(() => staff.id),
    waivedAt: instant("waived_at"),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.intentId] }),
    foreignKey({ columns: [table.tenant, table.intentId], foreignColumns: [bankIntent.tenant, bankIntent.id] }),
    uniqueIndex("onboarding_request_onboarding").on(table.onboardingId),
    index("onboarding_request_document").on(table.tenant, table.documentHash, table.createdAt),
    index("onboarding_request_open")
      .on(table.tenant, table.createdAt)
      .where(sql`onboarding_ref is null`),
  ],
);
