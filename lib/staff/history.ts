import { and, desc, eq, inArray, or } from "drizzle-orm";
import { type AuditCode, isAuditCode } from "@/lib/audit/codes";
import { type AuditOutcome, auditEvent, staff } from "@/lib/store/schema";
import type { Db } from "@/lib/store/store";
import { isUuid } from "@/lib/uuid";

const MOST_ENTRIES = 50;

/** What people do to their own access; the rest of what they do is in the audit trail. */
const OWN_CODES: readonly AuditCode[] = [
  "session.open",
  "session.step-up",
  "password.change",
  "password.reset",
  "totp.enrol",
  "totp.disable",
  "totp.refused",
  "recovery-code.use",
  "recovery-codes.make",
];

export type HistoryEntry = {
  seq: number;
  at: string;
  code: AuditCode;
  outcome: AuditOutcome;
  /** Null for what was done by command, or by nobody we know. */
  byName: string | null;
  actor: string;
  detail: Readonly<Record<string, string | number | boolean | null>>;
};

/** What the record of this tenant tells of a person's access, newest first. */
export async function readHistory(store: Db, tenant: string, staffId: string): Promise<HistoryEntry[]> {
  const { seq, at, code, outcome, actor, object, detail } = auditEvent;
  const byThem = and(eq(actor, staffId), inArray(code, [...OWN_CODES]));
  const rows = await store
    .select({ seq, at, code, outcome, actor, detail })
    .from(auditEvent)
    .where(and(eq(auditEvent.tenant, tenant), or(eq(object, `staff:${staffId}`), byThem)))
    .orderBy(desc(seq))
    .limit(MOST_ENTRIES);
  const ids = [...new Set(rows.map((row) => row.actor))].filter(isUuid);
  const people = ids.length === 0 ? [] : await store.select().from(staff).where(inArray(staff.id, ids));
  const names = new Map(people.map(({ id, name }) => [id, name]));
  return rows.flatMap((row) => {
    const named = row.code;
    if (!isAuditCode(named)) return [];
    return [{ ...row, code: named, at: row.at.toISOString(), byName: names.get(row.actor) ?? null }];
  });
}
