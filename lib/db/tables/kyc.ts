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
import { providerIntent } from "./provider";
import { instant, tenant } from "@/lib/db/columns";
import { staff } from "./staff";
import type { StoredCaseRules } from "@/lib/db/enums/case-rules";
import type { CaseEventKind, EscalationEnding, PutOffEnding } from "@/lib/db/enums/kyc";

export type CheckedItem = { code: string; text: string; isChecked: boolean };

/** The state of its intent is the outcome. */
export const kycDecision = pgTable(
  "kyc_decision",
  {
    tenant,
    intentId: uuid("intent_id").notNull(),
    kycUUID: text("kyc_uuid").notNull(),
    decision: text("decision").$type<"APPROVED" | "REPROVED">().notNull(),
    /** Sealed: people write names into it. */
    reason: text("reason").notNull(),
    reasonCode: text("reason_code"),
    rulesVersion: integer("rules_version"),
    noteSealed: text("note_sealed"),
    checklist: jsonb("checklist").$type<readonly CheckedItem[]>().notNull().default([]),
    staffId: uuid("staff_id")
      .notNull()
      .references(() => staff.id),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.intentId] }),
    foreignKey({ columns: [table.tenant, table.intentId], foreignColumns: [providerIntent.tenant, providerIntent.id] }),
    index("kyc_decision_case").on(table.tenant, table.kycUUID, table.createdAt),
  ],
);

/** A case's state is derived from these; records missed by a full pass are read by id. */
export const kycRecord = pgTable(
  "kyc_record",
  {
    tenant,
    kycUUID: text("kyc_uuid").notNull(),
    process: text("process").$type<KycProcessName>().notNull(),
    status: text("status").$type<KycStatus>().notNull(),
    changedAt: instant("changed_at").notNull(),
    /** Last pass and page that listed it; null: read by id. */
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

/** Append-only. */
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
    /** Staff id; null: the provider or the system. */
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

/** A kind's rows are summed. Triggers append, so that writers never wait for each other; the watch merges them. */
export const kycCaseCount = pgTable(
  "kyc_case_count",
  {
    tenant,
    id: bigserial("id", { mode: "number" }),
    status: text("status").$type<KycStatus>().notNull(),
    kycType: text("kyc_type").$type<KycType>().notNull(),
    process: text("process").$type<KycProcessName>().notNull(),
    assigneeId: uuid("assignee_id"),
    isPutOff: boolean("is_put_off").notNull().default(false),
    cases: integer("cases").notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenant, table.id] })],
);

/** The last version applies. Append-only. */
export const kycCaseRules = pgTable(
  "kyc_case_rules",
  {
    tenant,
    version: integer("version").notNull(),
    rules: jsonb("rules").$type<StoredCaseRules>().notNull(),
    staffId: uuid("staff_id")
      .notNull()
      .references(() => staff.id),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenant, table.version] })],
);

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

/** Its reason is the case's note of the same id. The last one of a case applies. */
export const kycPutOff = pgTable(
  "kyc_put_off",
  {
    tenant,
    id: uuid("id").notNull(),
    kycUUID: text("kyc_uuid").notNull(),
    staffId: uuid("staff_id")
      .notNull()
      .references(() => staff.id),
    until: instant("until").notNull(),
    createdAt: instant("created_at")
      .notNull()
      .default(sql`clock_timestamp()`),
    endedAt: instant("ended_at"),
    ending: text("ending").$type<PutOffEnding>(),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.id] }),
    foreignKey({
      columns: [table.tenant, table.kycUUID],
      foreignColumns: [kycCase.tenant, kycCase.kycUUID],
    }).onDelete("cascade"),
    index("kyc_put_off_case").on(table.tenant, table.kycUUID, table.createdAt),
  ],
);

/** Question and answer are the case's notes, the question's of the same id. The last one of a case applies. */
export const kycEscalation = pgTable(
  "kyc_escalation",
  {
    tenant,
    id: uuid("id").notNull(),
    kycUUID: text("kyc_uuid").notNull(),
    staffId: uuid("staff_id")
      .notNull()
      .references(() => staff.id),
    createdAt: instant("created_at")
      .notNull()
      .default(sql`clock_timestamp()`),
    takenBy: uuid("taken_by").references(() => staff.id),
    takenAt: instant("taken_at"),
    answerId: uuid("answer_id"),
    endedAt: instant("ended_at"),
    ending: text("ending").$type<EscalationEnding>(),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.id] }),
    foreignKey({
      columns: [table.tenant, table.kycUUID],
      foreignColumns: [kycCase.tenant, kycCase.kycUUID],
    }).onDelete("cascade"),
    index("kyc_escalation_case").on(table.tenant, table.kycUUID, table.createdAt),
  ],
);

/** The state of its intent is the outcome. */
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
    /** Name, birth date and mother's name as JSON. */
    subjectSealed: text("subject_sealed").notNull(),
    isRepeat: boolean("is_repeat").notNull(),
    staffId: uuid("staff_id")
      .notNull()
      .references(() => staff.id),
    createdAt: instant("created_at").notNull(),
    kycUUID: text("kyc_uuid"),
    /** The person who settled it as without effect; the document may then be started again. */
    waivedBy: uuid("waived_by").references(() => staff.id),
    waivedAt: instant("waived_at"),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.intentId] }),
    foreignKey({ columns: [table.tenant, table.intentId], foreignColumns: [providerIntent.tenant, providerIntent.id] }),
    uniqueIndex("kyc_start_case").on(table.tenant, table.kycUUID),
    index("kyc_start_document").on(table.tenant, table.documentHash, table.createdAt),
    index("kyc_start_open")
      .on(table.tenant, table.createdAt)
      .where(sql`kyc_uuid is null`),
  ],
);

export const kycStartMember = pgTable(
  "kyc_start_member",
  {
    tenant,
    intentId: uuid("intent_id").notNull(),
    position: integer("position").notNull(),
    ownerType: text("owner_type").$type<"SOCIO_ADMINISTRADOR" | "SOCIO">().notNull(),
    documentHash: text("document_hash").notNull(),
    documentSealed: text("document_sealed").notNull(),
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
    /** Kept after the decision. */
    waitingSince: instant("waiting_since"),
    dueAt: instant("due_at"),
    /** Hours of work from `waitingSince` to `dueAt`; null: hours of the clock. */
    businessHours: integer("business_hours"),
    /** First seen decided since it last waited; null while open. */
    decidedAt: instant("decided_at"),
    tags: text("tags").array().notNull().default([]),
    /** Until then it is out of the queue; null otherwise. */
    putOffUntil: instant("put_off_until"),
    isPutOff: boolean("is_put_off")
      .notNull()
      .generatedAlwaysAs(sql`put_off_until is not null`),
    /** With the second level; null otherwise. */
    escalationId: uuid("escalation_id"),
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
      .on(
        table.tenant,
        sql`coalesce(due_at, 'infinity')`,
        table.seq,
        table.dueAt,
        table.assigneeId,
        table.firstSeenAt,
        table.isPutOff,
      )
      .where(isOpenCase),
    index("kyc_case_put_off")
      .on(table.tenant, table.putOffUntil)
      .where(sql`put_off_until is not null`),
    index("kyc_case_escalated")
      .on(table.tenant, table.seq)
      .where(sql`escalation_id is not null`),
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
