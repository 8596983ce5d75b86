import { bigserial, boolean, index, integer, jsonb, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { KYC_MODELS, KYC_PROCESSES, KYC_STATUSES, KYC_TYPES } from "@/lib/contract/kyc";

export type KycMember = { ownerType: string; vatNumber: string; name: string; birthDate: string; motherName: string };

export const kycProcess = pgTable(
  "kyc_process",
  {
    kycUuid: uuid("kyc_uuid").primaryKey(),
    sequence: bigserial("sequence", { mode: "number" }).notNull(),
    clientId: text("client_id").notNull(),
    kycType: text("kyc_type", { enum: KYC_TYPES }).notNull(),
    model: text("model", { enum: KYC_MODELS }).notNull(),
    documentscopy: boolean("documentscopy").notNull(),
    vatNumber: text("vat_number").notNull(),
    name: text("name").notNull(),
    birthDate: text("birth_date"),
    motherName: text("mother_name"),
    members: jsonb("members").$type<KycMember[]>().notNull().default([]),
    process: text("process", { enum: KYC_PROCESSES }).notNull(),
    status: text("status", { enum: KYC_STATUSES }).notNull(),
    webviewUrl: text("webview_url"),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    updatedAt: timestamp("updated_at", { withTimezone: true }).notNull(),
  },
  (table) => [index("kyc_process_newest").on(table.clientId, table.createdAt.desc(), table.sequence.desc())],
);

/** One for a person, one for each member of a company. */
export const kycWebview = pgTable(
  "kyc_webview",
  {
    token: text("token").primaryKey(),
    kycUuid: uuid("kyc_uuid")
      .notNull()
      .references(() => kycProcess.kycUuid),
    position: integer("position").notNull(),
    vatNumber: text("vat_number").notNull(),
    finishedAt: timestamp("finished_at", { withTimezone: true }),
  },
  (table) => [index("kyc_webview_process").on(table.kycUuid, table.position)],
);

/** The key makes billing idempotent. */
export const kycCharge = pgTable("kyc_charge", {
  kycUuid: uuid("kyc_uuid")
    .primaryKey()
    .references(() => kycProcess.kycUuid),
  clientId: text("client_id").notNull(),
  kycType: text("kyc_type", { enum: KYC_TYPES }).notNull(),
  model: text("model", { enum: KYC_MODELS }).notNull(),
  chargedAt: timestamp("charged_at", { withTimezone: true }).notNull(),
});

/** Never changed. */
export const kycDecision = pgTable("kyc_decision", {
  id: bigserial("id", { mode: "number" }).primaryKey(),
  kycUuid: uuid("kyc_uuid")
    .notNull()
    .references(() => kycProcess.kycUuid),
  decision: text("decision", { enum: ["APPROVED", "REPROVED"] }).notNull(),
  reason: text("reason").notNull(),
  decidedAt: timestamp("decided_at", { withTimezone: true }).notNull(),
});
