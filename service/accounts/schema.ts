import { sql } from "drizzle-orm";
import { bigserial, index, integer, jsonb, pgTable, text, timestamp, uniqueIndex } from "drizzle-orm/pg-core";
import { ONBOARDING_STATUSES } from "@/lib/contract/onboarding";
import type { OnboardingMessage } from "@/lib/contract/onboarding";

export const HOLDER_TYPES = ["PF", "PJ"] as const;

/** Canonical: document, e-mails in lower case, phones as `+` and digits. */
const PIX_KEYS = sql`array_remove(array[
  document_number,
  lower(holder ->> 'email'), lower(holder ->> 'accountEmail'), lower(holder ->> 'businessEmail'),
  '+' || regexp_replace(holder ->> 'phoneNumber', '[^0-9]', '', 'g'),
  '+' || regexp_replace(holder ->> 'contactNumber', '[^0-9]', '', 'g')
], null)`;

/** `holder` is without the password. Until `endedAt` the document cannot ask again. */
export const onboarding = pgTable(
  "onboarding",
  {
    id: text("id").primaryKey(),
    sequence: bigserial("sequence", { mode: "number" }).notNull(),
    clientId: text("client_id").notNull(),
    holderType: text("holder_type", { enum: HOLDER_TYPES }).notNull(),
    documentNumber: text("document_number").notNull(),
    holderName: text("holder_name").notNull(),
    holder: jsonb("holder").$type<Record<string, unknown>>().notNull(),
    pixKeys: text("pix_keys").array().notNull().generatedAlwaysAs(PIX_KEYS),
    status: text("status", { enum: ONBOARDING_STATUSES }).notNull(),
    traceId: text("trace_id").notNull(),
    biometricUrl: text("biometric_url"),
    pageToken: text("page_token").notNull().unique(),
    messages: jsonb("messages").$type<OnboardingMessage[]>().notNull().default([]),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    endedAt: timestamp("ended_at", { withTimezone: true }),
  },
  (table) => [
    uniqueIndex("onboarding_one_per_document")
      .on(table.clientId, table.documentNumber)
      .where(sql`${table.endedAt} is null`),
    index("onboarding_document").on(table.clientId, table.documentNumber, table.sequence),
    index("onboarding_period").on(table.clientId, table.createdAt, table.sequence),
    index("onboarding_pix_keys").using("gin", table.pixKeys),
  ],
);

/** Its money is in the ledger under its id. `closedBy`: as the request named the user. */
export const bankAccount = pgTable(
  "bank_account",
  {
    id: text("id").primaryKey(),
    serial: integer("serial").notNull().unique().generatedAlwaysAsIdentity({ startWith: 104_729 }),
    clientId: text("client_id").notNull(),
    onboardingId: text("onboarding_id")
      .notNull()
      .unique()
      .references(() => onboarding.id),
    documentNumber: text("document_number").notNull(),
    branch: text("branch").notNull(),
    status: text("status", { enum: ["ACTIVE", "CLOSED"] }).notNull(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    closedAt: timestamp("closed_at", { withTimezone: true }),
    closedBy: text("closed_by"),
    closingReason: text("closing_reason"),
  },
  (table) => [index("bank_account_client").on(table.clientId, table.documentNumber)],
);
