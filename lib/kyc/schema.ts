import { sql } from "drizzle-orm";
import {
  bigserial,
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { KycProcessName, KycStatus, KycType } from "@/lib/contract/kyc";
import { bankIntent } from "@/lib/bank/schema";
import { instant, tenant } from "@/lib/store/columns";
import { kycCase, staff } from "@/lib/store/schema";
import type { StoredRules } from "./case-rules";
import type { CaseEventKind } from "./decisions";

export type CheckedItem = { code: string; text: string; isChecked: boolean };

/** What somebody decided; what became of it is its intent's state. */
export const kycDecision = pgTable(
  "kyc_decision",
  {
    tenant,
    intentId: uuid("intent_id").notNull(),
    kycUUID: text("kyc_uuid").notNull(),
    decision: text("decision").$type<"APPROVED" | "REPROVED">().notNull(),
    /** Sealed: people write names into it. */
    reason: text("reason").notNull(),
    /** Which of the reasons that the rules of this version name; null before there were any. */
    reasonCode: text("reason_code"),
    rulesVersion: integer("rules_version"),
    /** What the team alone reads. */
    noteSealed: text("note_sealed"),
    /** In the words that stood there then. */
    checklist: jsonb("checklist").$type<readonly CheckedItem[]>().notNull().default([]),
    staffId: uuid("staff_id")
      .notNull()
      .references(() => staff.id),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.intentId] }),
    foreignKey({ columns: [table.tenant, table.intentId], foreignColumns: [bankIntent.tenant, bankIntent.id] }),
    index("kyc_decision_case").on(table.tenant, table.kycUUID, table.createdAt),
  ],
);

/**
 * What the provider last said of each process of a case, from which the case's state is derived. A reading of the list numbers
 * its passes; a record that a finished pass did not list is asked for by its id.
 */
export const kycRecord = pgTable(
  "kyc_record",
  {
    tenant,
    kycUUID: text("kyc_uuid").notNull(),
    process: text("process").$type<KycProcessName>().notNull(),
    status: text("status").$type<KycStatus>().notNull(),
    changedAt: instant("changed_at").notNull(),
    /** Which pass through the list saw it last, and on which page; null: asked for by its id. */
    pass: integer("pass").notNull(),
    page: integer("page"),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.kycUUID, table.process] }),
    foreignKey({
      columns: [table.tenant, table.kycUUID],
      foreignColumns: [kycCase.tenant, kycCase.kycUUID],
    }).onDelete("cascade"),
  ],
);

/** What happened to a case, in the order it happened: its timeline, and what the figures count. Append-only. */
export const kycEvent = pgTable(
  "kyc_event",
  {
    tenant,
    id: bigserial("id", { mode: "number" }),
    kycUUID: text("kyc_uuid").notNull(),
    at: instant("at")
      .notNull()
      .default(sql`clock_timestamp()`),
    kind: text("kind").$type<CaseEventKind>().notNull(),
    /** Staff id; null: the provider, or nobody. */
    actor: uuid("actor").references(() => staff.id),
    /** Ids, codes and numbers; never personal data. */
    detail: jsonb("detail").$type<Record<string, string | number | boolean | null>>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.id] }),
    index("kyc_event_case").on(table.tenant, table.kycUUID, table.id),
    index("kyc_event_kind").on(table.tenant, table.kind, table.at),
  ],
);

/**
 * How many cases there are of each kind: the sum of its rows. Triggers of `kyc_case` add a row for what a statement changed, so
 * that writers never wait for each other here; the watch folds them.
 */
export const kycCaseCount = pgTable(
  "kyc_case_count",
  {
    tenant,
    id: bigserial("id", { mode: "number" }),
    status: text("status").$type<KycStatus>().notNull(),
    kycType: text("kyc_type").$type<KycType>().notNull(),
    process: text("process").$type<KycProcessName>().notNull(),
    assigneeId: uuid("assignee_id"),
    /** Below zero: so many fewer. */
    cases: integer("cases").notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenant, table.id] })],
);

/** By what rules cases are worked, version by version; the last one holds. Append-only. */
export const kycCaseRules = pgTable(
  "kyc_case_rules",
  {
    tenant,
    /** From 1; 0 is what holds without a row. */
    version: integer("version").notNull(),
    rules: jsonb("rules").$type<StoredRules>().notNull(),
    staffId: uuid("staff_id")
      .notNull()
      .references(() => staff.id),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenant, table.version] })],
);

/** Until when somebody is away and is given no cases; it ends by itself. */
export const kycAway = pgTable(
  "kyc_away",
  {
    tenant,
    staffId: uuid("staff_id")
      .notNull()
      .references(() => staff.id),
    until: instant("until").notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenant, table.staffId] })],
);

/** A case that our own people started; what became of the order is its intent's state. */
export const kycStart = pgTable(
  "kyc_start",
  {
    tenant,
    intentId: uuid("intent_id").notNull(),
    kycType: text("kyc_type").$type<"PF" | "PJ">().notNull(),
    model: text("model").$type<"BASIC" | "MEDIUM" | "COMPLETE">().notNull(),
    documentscopy: boolean("documentscopy").notNull(),
    documentHash: text("document_hash").notNull(),
    documentSealed: text("document_sealed").notNull(),
    /** The name, and of a person the birth date and the mother's name, as JSON. */
    subjectSealed: text("subject_sealed").notNull(),
    /** Ordered although the same document had been started before. */
    isRepeat: boolean("is_repeat").notNull(),
    staffId: uuid("staff_id")
      .notNull()
      .references(() => staff.id),
    createdAt: instant("created_at").notNull(),
    /** Once it is known which case came of it. */
    kycUUID: text("kyc_uuid"),
    /** Who no longer waits to learn what became of it, and since when the document may be started again. */
    waivedBy: uuid("waived_by").references(() => staff.id),
    waivedAt: instant("waived_at"),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.intentId] }),
    foreignKey({ columns: [table.tenant, table.intentId], foreignColumns: [bankIntent.tenant, bankIntent.id] }),
    uniqueIndex("kyc_start_case").on(table.tenant, table.kycUUID),
    index("kyc_start_document").on(table.tenant, table.documentHash, table.createdAt),
    index("kyc_start_open")
      .on(table.tenant, table.createdAt)
      .where(sql`kyc_uuid is null`),
  ],
);

/** The partners of a company that was started, in the order they were given. */
export const kycStartMember = pgTable(
  "kyc_start_member",
  {
    tenant,
    intentId: uuid("intent_id").notNull(),
    position: integer("position").notNull(),
    ownerType: text("owner_type").$type<"SOCIO_ADMINISTRADOR" | "SOCIO">().notNull(),
    documentHash: text("document_hash").notNull(),
    documentSealed: text("document_sealed").notNull(),
    /** As with whoever a case is about. */
    subjectSealed: text("subject_sealed").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.intentId, table.position] }),
    foreignKey({
      columns: [table.tenant, table.intentId],
      foreignColumns: [kycStart.tenant, kycStart.intentId],
    }).onDelete("cascade"),
    index("kyc_start_member_document").on(table.tenant, table.documentHash),
  ],
);
