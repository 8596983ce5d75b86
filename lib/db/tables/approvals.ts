import type { ApprovalKindName, PolicyRule } from "@/lib/permission/writes";
import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { ApprovalState } from "@/lib/db/enums/approvals";
import type { Permission } from "@/lib/permission/permission";
import { instant, tenant } from "@/lib/db/columns";
import { staff } from "./staff";
import { intentClaim } from "./intent-claim";

/** A trigger refuses changes; the seal repeats the proposal, so that an edited column is detected. */
export const approval = pgTable(
  "approval",
  {
    tenant,
    id: uuid("id").notNull(),
    kind: text("kind").$type<ApprovalKindName>().notNull(),
    /** Checked at the proposal and at the execution. */
    permission: text("permission").$type<Permission>().notNull(),
    intentId: uuid("intent_id").notNull(),
    object: text("object").notNull(),
    isExclusive: boolean("is_exclusive").notNull(),
    /** Keyed hash of the bytes, as on their intent. */
    bodyHash: text("body_hash").notNull(),
    frozenSealed: text("frozen_sealed").notNull(),
    policyVersion: integer("policy_version").notNull(),
    makerId: uuid("maker_id")
      .notNull()
      .references(() => staff.id),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
    state: text("state").$type<ApprovalState>().notNull(),
    deciderId: uuid("decider_id").references(() => staff.id),
    decidedAt: instant("decided_at"),
    /** Sealed as well: a state written into the row authorises nothing. */
    decisionSealed: text("decision_sealed"),
    owner: uuid("owner"),
    executingUntil: instant("executing_until"),
    endedAt: instant("ended_at"),
    code: text("code"),
    makerSawAt: instant("maker_saw_at"),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.id] }),
    foreignKey({ columns: [table.tenant, table.intentId], foreignColumns: [intentClaim.tenant, intentClaim.id] }),
    uniqueIndex("approval_intent").on(table.tenant, table.intentId),
    uniqueIndex("approval_open")
      .on(table.tenant, table.kind, table.object)
      .where(sql`state in ('PENDING', 'READY', 'AUTHORISED') and is_exclusive`),
    index("approval_state").on(table.tenant, table.state, table.createdAt),
    index("approval_maker").on(table.tenant, table.makerId, table.createdAt),
    index("approval_object").on(table.tenant, table.object, table.createdAt),
    check("approval_never_ones_own", sql`${table.deciderId} <> ${table.makerId}`),
  ],
);

/** Append-only. */
export const approvalComment = pgTable(
  "approval_comment",
  {
    tenant,
    id: uuid("id").notNull(),
    approvalId: uuid("approval_id").notNull(),
    staffId: uuid("staff_id")
      .notNull()
      .references(() => staff.id),
    /** People write names into it. */
    textSealed: text("text_sealed").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.id] }),
    foreignKey({ columns: [table.tenant, table.approvalId], foreignColumns: [approval.tenant, approval.id] }),
    index("approval_comment_of").on(table.tenant, table.approvalId, table.createdAt),
  ],
);

/** The last version applies. Append-only. */
export const approvalPolicy = pgTable(
  "approval_policy",
  {
    tenant,
    kind: text("kind").$type<ApprovalKindName>().notNull(),
    /** From 1; 0 is the default without a row. */
    version: integer("version").notNull(),
    rule: text("rule").$type<PolicyRule>().notNull(),
    /** Reais with two decimals, for the rule `above`. */
    amount: text("amount"),
    personSum: text("person_sum"),
    personCount: integer("person_count"),
    payeeSum: text("payee_sum"),
    payeeCount: integer("payee_count"),
    tenantSum: text("tenant_sum"),
    firstSum: text("first_sum"),
    expiresAfterHours: integer("expires_after_hours").notNull(),
    staffId: uuid("staff_id")
      .notNull()
      .references(() => staff.id),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenant, table.kind, table.version] })],
);
