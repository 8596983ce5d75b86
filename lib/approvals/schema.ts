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
import type { ApprovalKindName, ApprovalState, PolicyRule } from "./view";
import type { Permission } from "@/lib/auth/permission";
import { instant, tenant } from "@/lib/store/columns";
import { staff } from "@/lib/store/schema";

/**
 * A write that waits for a second person. What was proposed never changes: a trigger refuses that, and what is sealed says
 * it once more, so that whoever edits a column is found out before anything is sent.
 */
export const approval = pgTable(
  "approval",
  {
    tenant,
    id: uuid("id").notNull(),
    kind: text("kind").$type<ApprovalKindName>().notNull(),
    /** What the proposer must be allowed, when they propose and when it is carried out. */
    permission: text("permission").$type<Permission>().notNull(),
    /** The intent under which it is carried out, and no other proposal ever is. */
    intentId: uuid("intent_id").notNull(),
    /** What it is done to: `kyc:<kycUUID>`. */
    object: text("object").notNull(),
    /** No two of these may be open for one object. */
    isExclusive: boolean("is_exclusive").notNull(),
    /** Keyed hash of the bytes that will be sent, as on their intent. */
    bodyHash: text("body_hash").notNull(),
    /** Everything that was proposed, the columns above among it. */
    frozenSealed: text("frozen_sealed").notNull(),
    policyVersion: integer("policy_version").notNull(),
    makerId: uuid("maker_id")
      .notNull()
      .references(() => staff.id),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
    state: text("state").$type<ApprovalState>().notNull(),
    /** Who authorised or refused it. */
    deciderId: uuid("decider_id").references(() => staff.id),
    decidedAt: instant("decided_at"),
    /** The same once more, with the reason of a refusal: a state that somebody wrote into the row authorises nothing. */
    decisionSealed: text("decision_sealed"),
    /** The instance that carries it out, and until when the others wait for it. */
    owner: uuid("owner"),
    executingUntil: instant("executing_until"),
    endedAt: instant("ended_at"),
    /** Why it failed, or is not known. */
    code: text("code"),
    /** When the proposer saw what became of it. */
    makerSawAt: instant("maker_saw_at"),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.id] }),
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

/** What needs a second person, version by version; the last one holds. Append-only. */
export const approvalPolicy = pgTable(
  "approval_policy",
  {
    tenant,
    kind: text("kind").$type<ApprovalKindName>().notNull(),
    /** From 1; 0 is what holds without a row. */
    version: integer("version").notNull(),
    rule: text("rule").$type<PolicyRule>().notNull(),
    /** Reais, with two decimals, from which on the rule `above` asks for a second person. */
    amount: text("amount"),
    expiresAfterHours: integer("expires_after_hours").notNull(),
    staffId: uuid("staff_id")
      .notNull()
      .references(() => staff.id),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenant, table.kind, table.version] })],
);
