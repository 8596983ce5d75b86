import { and, count, desc, eq, inArray, isNotNull, max, sql } from "drizzle-orm";
import type { Actor } from "@/lib/auth/grant";
import { type Role, ROLES } from "@/lib/auth/permission";
import { needsSecondFactor } from "@/lib/auth/requirement";
import { staffIdentity, staffMembership, staffTotp } from "@/lib/auth/schema";
import { isLiving } from "@/lib/auth/sessions";
import { env } from "@/lib/env";
import type { Page } from "@/lib/page";
import { query } from "@/lib/query";
import type { StaffState } from "@/lib/staff-view";
import { staff, staffSession } from "@/lib/store/schema";
import { type Db, db } from "@/lib/store/store";
import { isUuid } from "@/lib/uuid";
import { DEMO_PASSWORD, demoEmail } from "./demo";
import { type HistoryEntry, readHistory } from "./history";
import { isOpen } from "./invitations";
import { tenantsBeyond } from "./roster";
import { staffInvitation } from "./schema";

/** A desk has tens of people; whoever has more than this looks them up by filter. */
const MOST_ROWS = 1_000;

/** The roles that are good only with a second factor. */
export const graveRoles: readonly Role[] = ROLES.filter((role) => needsSecondFactor([role]));

export type DemoSignIn = { role: Role; email: string; password: string };

/** The demo's people, to fill the sign-in form with; none unless the embedded service is the provider. */
export function listDemoSignIns(): DemoSignIn[] {
  if (!env().isEmbedded) return [];
  return ROLES.map((role) => ({ role, email: demoEmail(role), password: DEMO_PASSWORD }));
}

export type StaffRow = {
  /** Of the person, or of the invitation. */
  id: string;
  name: string;
  email: string;
  roles: Role[];
  state: StaffState;
  /** Null for who has not come yet. */
  hasSecondFactor: boolean | null;
  /** They hold a role that needs one, have none, and will be asked for it before anything else. */
  lacksSecondFactor: boolean;
  /** At this tenant (ISO); null: never. */
  lastActiveAt: string | null;
  /** Of an invitation (ISO). */
  expiresAt: string | null;
  isDemo: boolean;
  isSelf: boolean;
};

export type StaffList = Page<StaffRow>;

const hasFactor = sql<boolean>`exists (
  select 1 from ${staffTotp} where ${staffTotp.staffId} = ${staff.id} and ${isNotNull(staffTotp.secretSealed)})`;

/** The people of a tenant, or one of them. */
async function readPeople(store: Db, tenant: string, staffId?: string) {
  return store
    .select({ person: staff, membership: staffMembership, hasFactor })
    .from(staffMembership)
    .innerJoin(staff, eq(staff.id, staffMembership.staffId))
    .where(and(eq(staffMembership.tenant, tenant), staffId === undefined ? undefined : eq(staff.id, staffId)))
    .orderBy(sql`lower(${staff.name})`, staff.id)
    .limit(MOST_ROWS);
}

async function readLastActive(store: Db, tenant: string, ids: string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const { staffId, seenAt } = staffSession;
  const rows = await store
    .select({ staffId, at: max(seenAt) })
    .from(staffSession)
    .where(and(inArray(staffId, ids), eq(staffSession.tenant, tenant)))
    .groupBy(staffId);
  return new Map(rows.flatMap((row) => (row.at === null ? [] : [[row.staffId, row.at.toISOString()] as const])));
}

type Found = Awaited<ReturnType<typeof readPeople>>[number];

function toRow({ person, membership, hasFactor: isOn }: Found, actor: Actor): Omit<StaffRow, "lastActiveAt"> {
  const { id, name, email, isDemo } = person;
  const isOut = person.disabledAt !== null || membership.disabledAt !== null;
  return {
    id,
    name,
    email,
    isDemo,
    roles: ROLES.filter((role) => membership.roles.includes(role)),
    state: isOut ? "disabled" : "active",
    hasSecondFactor: isOn,
    lacksSecondFactor: !isOn && !isDemo && needsSecondFactor(membership.roles),
    expiresAt: null,
    isSelf: id === actor.id,
  };
}

async function readInvited(store: Db, tenant: string): Promise<StaffRow[]> {
  const isExpired = sql<boolean>`${staffInvitation.expiresAt} <= clock_timestamp()`;
  const rows = await store
    .select({ invitation: staffInvitation, isExpired })
    .from(staffInvitation)
    .where(and(eq(staffInvitation.tenant, tenant), isOpen))
    .orderBy(desc(staffInvitation.createdAt))
    .limit(MOST_ROWS);
  return rows.map(({ invitation: { id, name, email, roles, expiresAt }, isExpired: isLate }) => ({
    id,
    name,
    email,
    roles: ROLES.filter((role) => roles.includes(role)),
    state: isLate ? "expired" : "invited",
    hasSecondFactor: null,
    lacksSecondFactor: false,
    lastActiveAt: null,
    expiresAt: expiresAt.toISOString(),
    isDemo: false,
    isSelf: false,
  }));
}

/** The people of the tenant by name, after those who are invited to it: all of them, for names are in no address. */
export const listStaff = query("staff:manage", async (actor): Promise<StaffList> => {
  const store = await db();
  const asOf = new Date().toISOString();
  const invited = await readInvited(store, actor.tenant);
  const people = await readPeople(store, actor.tenant);
  const lastActive = await readLastActive(
    store,
    actor.tenant,
    people.map(({ person }) => person.id),
  );
  const rows: StaffRow[] = [
    ...invited,
    ...people.map((found) => ({ ...toRow(found, actor), lastActiveAt: lastActive.get(found.person.id) ?? null })),
  ];
  return { rows, page: 1, totalPages: 1, total: rows.length, asOf, isStale: false };
});

/** Why something cannot be done to a person; each has its sentence under `staff.denials`. */
export type StaffDenial = "own-account" | "works-elsewhere" | "closed-account";

export type PersonView = {
  row: StaffRow;
  joinedAt: string;
  /** How many of their sessions are open, at whichever tenant. */
  openSessions: number;
  /** Their roles are those that the company's single sign-on tells, at every sign-in. */
  hasSingleSignOn: boolean;
  denials: { access: StaffDenial | null; enabling: StaffDenial | null; factor: StaffDenial | null };
  history: HistoryEntry[];
  asOf: string;
};

async function countOpenSessions(store: Db, staffId: string): Promise<number> {
  const [row] = await store
    .select({ n: count() })
    .from(staffSession)
    .where(and(eq(staffSession.staffId, staffId), isLiving(env().sessionIdleMs)));
  return row?.n ?? 0;
}

async function denialsOf(store: Db, actor: Actor, { person }: Found): Promise<PersonView["denials"]> {
  const own = person.id === actor.id ? "own-account" : null;
  const elsewhere = (await tenantsBeyond(store, actor, person.id)).length > 0 ? "works-elsewhere" : null;
  return {
    access: own,
    enabling: own ?? (person.disabledAt === null ? null : "closed-account"),
    factor: own ?? elsewhere,
  };
}

/** One of the tenant's people; null when they do not work there. */
export const getPerson = query("staff:manage", async (actor, staffId: string): Promise<PersonView | null> => {
  if (!isUuid(staffId)) return null;
  const store = await db();
  const [found] = await readPeople(store, actor.tenant, staffId);
  if (found === undefined) return null;
  const lastActive = await readLastActive(store, actor.tenant, [staffId]);
  const linked = await store.select().from(staffIdentity).where(eq(staffIdentity.staffId, staffId)).limit(1);
  return {
    row: { ...toRow(found, actor), lastActiveAt: lastActive.get(staffId) ?? null },
    joinedAt: found.membership.joinedAt.toISOString(),
    openSessions: await countOpenSessions(store, staffId),
    hasSingleSignOn: linked.length > 0,
    denials: await denialsOf(store, actor, found),
    history: await readHistory(store, actor.tenant, staffId),
    asOf: new Date().toISOString(),
  };
});
