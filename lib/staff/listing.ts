import { and, desc, eq, inArray, isNotNull, max, or, sql } from "drizzle-orm";
import { approval } from "@/lib/db/tables/approvals";
import { readSnapshot } from "@/lib/approvals/snapshot";
import { type AuditCode, isAuditCode } from "@/lib/audit/codes";
import { ROLES } from "@/lib/permission/permission";
import { staffInvitation, staffMembership, staffSession, staffTotp } from "@/lib/db/tables/auth";
import { needsSecondFactor } from "@/lib/auth/sessions";
import { staff } from "@/lib/db/tables/staff";
import { auditEvent, type AuditOutcome } from "@/lib/db/tables/audit";
import type { Db, Tx } from "@/lib/db/connection";
import { isUuid } from "@/lib/text/decode";
import { isOpen } from "./invitations";
import type { StaffRow } from "./inputs";

const MAX_ENTRIES = 50;

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
  byName: string | null;
  actor: string;
  detail: Readonly<Record<string, string | number | boolean | null>>;
};

export async function readHistory(store: Db, tenant: string, staffId: string): Promise<HistoryEntry[]> {
  const { seq, at, code, outcome, actor, object, detail } = auditEvent;
  const byThem = and(eq(actor, staffId), inArray(code, [...OWN_CODES]));
  const rows = await store
    .select({ seq, at, code, outcome, actor, detail })
    .from(auditEvent)
    .where(and(eq(auditEvent.tenant, tenant), or(eq(object, `staff:${staffId}`), byThem)))
    .orderBy(desc(seq))
    .limit(MAX_ENTRIES);
  const ids = [...new Set(rows.map((row) => row.actor))].filter(isUuid);
  const people = ids.length === 0 ? [] : await store.select().from(staff).where(inArray(staff.id, ids));
  const names = new Map(people.map(({ id, name }) => [id, name]));
  return rows.flatMap((row) => {
    const named = row.code;
    if (!isAuditCode(named)) return [];
    return [{ ...row, code: named, at: row.at.toISOString(), byName: names.get(row.actor) ?? null }];
  });
}

/** A tenant has tens of people. */
const MAX_ROWS = 1_000;

const hasFactor = sql<boolean>`exists (
  select 1 from ${staffTotp} where ${staffTotp.staffId} = ${staff.id} and ${isNotNull(staffTotp.secretSealed)})`;

export async function readPeople(store: Db | Tx, tenant: string, staffId?: string) {
  return store
    .select({ person: staff, membership: staffMembership, hasFactor })
    .from(staffMembership)
    .innerJoin(staff, eq(staff.id, staffMembership.staffId))
    .where(and(eq(staffMembership.tenant, tenant), staffId === undefined ? undefined : eq(staff.id, staffId)))
    .orderBy(sql`lower(${staff.name})`, staff.id)
    .limit(MAX_ROWS);
}

export async function readLastActive(store: Db, tenant: string, ids: string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const { staffId, seenAt } = staffSession;
  const rows = await store
    .select({ staffId, at: max(seenAt) })
    .from(staffSession)
    .where(and(inArray(staffId, ids), eq(staffSession.tenant, tenant)))
    .groupBy(staffId);
  return new Map(rows.flatMap((row) => (row.at === null ? [] : [[row.staffId, row.at.toISOString()] as const])));
}

export type ListedPerson = Awaited<ReturnType<typeof readPeople>>[number];

export function staffRow({
  person,
  membership,
  hasFactor: isOn,
}: ListedPerson): Omit<StaffRow, "lastActiveAt" | "isSelf"> {
  const { id, name, email, isDemo, isBreakGlass } = person;
  const isOut = person.disabledAt !== null || membership.disabledAt !== null;
  return {
    id,
    name,
    email,
    isDemo,
    isBreakGlass,
    roles: ROLES.filter((role) => membership.roles.includes(role)),
    state: isOut ? "disabled" : "active",
    hasSecondFactor: isOn,
    lacksSecondFactor: !isOn && !isDemo && needsSecondFactor(membership.roles),
    expiresAt: null,
  };
}

const NOBODY_YET = {
  hasSecondFactor: null,
  lacksSecondFactor: false,
  lastActiveAt: null,
  isDemo: false,
  isBreakGlass: false,
} as const;

async function readInvited(store: Db, tenant: string): Promise<Omit<StaffRow, "isSelf">[]> {
  const isExpired = sql<boolean>`${staffInvitation.expiresAt} <= clock_timestamp()`;
  const rows = await store
    .select({ invitation: staffInvitation, isExpired })
    .from(staffInvitation)
    .where(and(eq(staffInvitation.tenant, tenant), isOpen))
    .orderBy(desc(staffInvitation.createdAt))
    .limit(MAX_ROWS);
  return rows.map(({ invitation: { id, name, email, roles, expiresAt }, isExpired: isLate }) => ({
    ...NOBODY_YET,
    id,
    name,
    email,
    roles: ROLES.filter((role) => roles.includes(role)),
    state: isLate ? "expired" : "invited",
    expiresAt: expiresAt.toISOString(),
  }));
}

/** By their approval's id. One edited in the store appears among the approvals, not here. */
async function readProposed(store: Db, tenant: string): Promise<Omit<StaffRow, "isSelf">[]> {
  const waits = and(eq(approval.tenant, tenant), eq(approval.kind, "staff.invite"), eq(approval.state, "PENDING"));
  const rows = await store.select().from(approval).where(waits).orderBy(desc(approval.createdAt)).limit(MAX_ROWS);
  const snapshots = await Promise.all(rows.map(readSnapshot));
  return rows.flatMap(({ id, expiresAt }, n) => {
    const { headline, facts = [] } = snapshots[n]?.shown ?? {};
    const after = (name: string) => facts.find((fact) => fact.name === name)?.after;
    const email = after("email");
    const roles = after("roles");
    if (headline?.as !== "text" || email?.as !== "text" || roles?.as !== "roles") return [];
    return [
      {
        ...NOBODY_YET,
        id,
        name: headline.text,
        email: email.text,
        roles: ROLES.filter((role) => roles.roles.includes(role)),
        state: "proposed" as const,
        expiresAt: expiresAt.toISOString(),
      },
    ];
  });
}

export async function readStaff(store: Db, tenant: string): Promise<Omit<StaffRow, "isSelf">[]> {
  const proposed = await readProposed(store, tenant);
  const invited = await readInvited(store, tenant);
  const people = await readPeople(store, tenant);
  const ids = people.map(({ person }) => person.id);
  const lastActive = await readLastActive(store, tenant, ids);
  return [
    ...proposed,
    ...invited,
    ...people.map((found) => ({ ...staffRow(found), lastActiveAt: lastActive.get(found.person.id) ?? null })),
  ];
}
