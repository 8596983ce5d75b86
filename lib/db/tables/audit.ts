import { bigint, pgTable, text, index, jsonb, primaryKey, uuid } from "drizzle-orm/pg-core";
import { instant, tenant } from "@/lib/db/columns";

/** Written only by the trigger that chains a row. */
export const auditHead = pgTable("audit_head", {
  tenant: text("tenant").primaryKey(),
  seq: bigint("seq", { mode: "number" }).notNull(),
  at: instant("at").notNull(),
  hash: text("hash").notNull(),
});

export const AUDIT_OUTCOMES = ["INTENT", "DONE", "HELD", "REFUSED", "UNKNOWN"] as const;
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

/** Append-only by trigger; another trigger numbers and chains each row. No personal data in clear. */
export const auditEvent = pgTable(
  "audit_event",
  {
    /** Gapless per tenant; set by the trigger, like `at` and `hash`. */
    seq: bigint("seq", { mode: "number" }).notNull().default(0),
    tenant,
    /** Never earlier than the previous row. */
    at: instant("at").notNull().defaultNow(),
    code: text("code").notNull(),
    outcome: text("outcome").$type<AuditOutcome>().notNull(),
    actor: text("actor").notNull(),
    object: text("object"),
    intentId: uuid("intent_id"),
    detail: jsonb("detail").$type<Record<string, string | number | boolean | null>>().notNull(),
    /** SHA-256 in hex over the row and the previous hash. */
    hash: text("hash").notNull().default(""),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.seq] }),
    index("audit_event_at").on(table.tenant, table.at),
    index("audit_event_object").on(table.tenant, table.object, table.seq),
    index("audit_event_actor").on(table.tenant, table.actor, table.code, table.seq),
    index("audit_event_person").on(table.tenant, table.actor, table.seq),
    index("audit_event_code").on(table.tenant, table.code, table.seq),
    index("audit_event_outcome").on(table.tenant, table.outcome, table.seq),
    index("audit_event_intent").on(table.tenant, table.intentId),
  ],
);
