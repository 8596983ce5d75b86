import { sql } from "drizzle-orm";
import { bigserial, index, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
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
