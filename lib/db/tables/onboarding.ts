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
import { providerIntent } from "./provider";
import type { OnboardingEventKind, OnboardingKind } from "@/lib/db/enums/onboarding";
import { instant, tenant } from "@/lib/db/columns";
import { staff } from "./staff";
import { onboarding } from "./customers";

/** Append-only; deleted with its onboarding. */
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
    /** Staff id; null: the provider or the system. */
    actor: uuid("actor").references(() => staff.id),
    /** Ids, codes and numbers; never personal data. */
    detail: jsonb("detail").$type<Record<string, string | number | boolean | null>>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.id] }),
    index("onboarding_event_one").on(table.tenant, table.onboardingId, table.id),
  ],
);

/** The link's URL is stored with the onboarding while in use. */
export const onboardingLink = pgTable(
  "onboarding_link",
  {
    id: uuid("id").primaryKey(),
    tenant,
    onboardingId: uuid("onboarding_ref")
      .notNull()
      .references(() => onboarding.id, { onDelete: "cascade" }),
    /** In punycode; empty for anything but a URL. */
    host: text("host").notNull(),
    appearedAt: instant("appeared_at").notNull(),
    goneAt: instant("gone_at"),
  },
  (table) => [index("onboarding_link_one").on(table.tenant, table.onboardingId, table.appearedAt)],
);

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
    seenAt: instant("seen_at").notNull(),
    /** When the previous reading ended; null for the first. */
    previousAt: instant("previous_at"),
  },
  (table) => [primaryKey({ columns: [table.tenant, table.onboardingId, table.staffId] })],
);

export const onboardingRequest = pgTable(
  "onboarding_request",
  {
    tenant,
    intentId: uuid("intent_id").notNull(),
    kind: text("kind").$type<OnboardingKind>().notNull(),
    documentHash: text("document_hash").notNull(),
    documentSealed: text("document_sealed").notNull(),
    /** As JSON, without document and password. */
    formSealed: text("form_sealed").notNull(),
    isRepeat: boolean("is_repeat").notNull(),
    /** Politically exposed, as typed; null: nobody was asked. */
    isExposed: boolean("is_exposed"),
    staffId: uuid("staff_id")
      .notNull()
      .references(() => staff.id),
    createdAt: instant("created_at").notNull(),
    previousId: uuid("previous_ref").references(() => onboarding.id, { onDelete: "set null" }),
    /** The last onboarding stored before sending: its own has a higher number. Null: never sent. */
    afterSeq: bigint("after_seq", { mode: "number" }),
    onboardingId: uuid("onboarding_ref").references(() => onboarding.id, { onDelete: "set null" }),
    /** When the provider was last asked for its outcome. */
    lookedAt: instant("looked_at"),
    /** The person who settled it as without effect; the account may then be requested again. */
    waivedBy: uuid("waived_by").references(() => staff.id),
    waivedAt: instant("waived_at"),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.intentId] }),
    foreignKey({ columns: [table.tenant, table.intentId], foreignColumns: [providerIntent.tenant, providerIntent.id] }),
    uniqueIndex("onboarding_request_onboarding").on(table.onboardingId),
    index("onboarding_request_document").on(table.tenant, table.documentHash, table.createdAt),
    index("onboarding_request_open")
      .on(table.tenant, table.createdAt)
      .where(sql`onboarding_ref is null`),
  ],
);
