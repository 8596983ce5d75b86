import { createHash, randomBytes } from "node:crypto";
import { and, desc, eq, gt, inArray, isNull, lte, ne, type Placeholder, type SQL, sql } from "drizzle-orm";
import { holdHeads, record, recordAll } from "@/lib/audit/record";
import { publish } from "@/lib/live/publish";
import type { Watch } from "@/lib/process/watch";
import { env } from "@/lib/settings/env";
import type { Tenant } from "@/lib/settings/tenants-file";
import { preparedOnce } from "@/lib/store/prepared";
import { staff } from "@/lib/store/schema";
import { type Db, db, type Tx } from "@/lib/store/store";
import type { Role } from "./permission";
import { type EndReason, type SignInWay, staffAddress, staffMembership, staffSession } from "./schema";
import { type Device, forgetOldTries, UNKNOWN_DEVICE } from "./sign-in-try";
import type { OwnSession } from "./view";

export type Membership = { tenant: string; roles: Role[] };

/** Of these, the ones at tenants that the settings name, in the settings' order. */
function presentMemberships(memberships: readonly Membership[]): Membership[] {
  return env().tenants.flatMap(({ clientId }) => memberships.find(({ tenant }) => tenant === clientId) ?? []);
}

/**
 * Where the person belongs now, in the settings' order; a tenant that the settings no longer name is unseen, and so is one
 * that keeps them out.
 */
export async function readMemberships(store: Db | Tx, staffId: string): Promise<Membership[]> {
  const { tenant, roles, disabledAt } = staffMembership;
  return presentMemberships(
    await store
      .select({ tenant, roles })
      .from(staffMembership)
      .where(and(eq(staffMembership.staffId, staffId), isNull(disabledAt))),
  );
}

/** The tenants to choose from. */
export const tenantsAmong = (memberships: readonly Membership[]): Tenant[] =>
  env().tenants.filter(({ clientId }) => memberships.some(({ tenant }) => tenant === clientId));

/** Who moves money, lets it move or decides who may: no administrator alone makes anybody one of these. */
export const CRITICAL_ROLES: readonly Role[] = ["finance", "approver", "admin"];

/** Whether one of these roles is good only with a second factor. */
export const needsSecondFactor = (roles: readonly Role[]): boolean =>
  roles.some((role) => env().secondFactorFor === "everyone" || CRITICAL_ROLES.includes(role));

/** Whether the person must have a second factor: at any tenant one of their roles asks for it. Demo people need none. */
export async function mustHaveSecondFactor(store: Db | Tx, staffId: string): Promise<boolean> {
  const held = await store
    .select({ roles: staffMembership.roles, isDemo: staff.isDemo })
    .from(staffMembership)
    .innerJoin(staff, eq(staff.id, staffMembership.staffId))
    .where(eq(staffMembership.staffId, staffId));
  return held.some(({ roles, isDemo }) => !isDemo && needsSecondFactor(roles));
}

/** From sign-in on, whatever the person does. */
export const SESSION_LIFETIME_MS = 12 * 60 * 60 * 1000;

export type Session = {
  idHash: string;
  /** What the session is called on record and on screens: opens nothing. */
  ref: string;
  staffId: string;
  name: string;
  email: string;
  /** Those held at `tenant`. */
  roles: Role[];
  tenant: string;
  /** When the person last proved who they are, by the store's clock. */
  provenAt: Date;
  /** Whether that was recent enough, when the session was read, for what asks for a recent proof. */
  isProven: boolean;
  /** Whether a second factor was proven in this session. */
  secondFactor: boolean;
  /** How long the session still lasts without a sign of its person, in milliseconds. */
  endsInMs: number;
  /** They hold a role that needs a second factor and have none: the session is good for setting one up, and for nothing else. */
  mustEnrol: boolean;
};

export function hashOf(sessionId: string): string {
  return createHash("sha256").update(sessionId).digest("hex");
}

/** Where one stood last, as long as one belongs there; else the first there is. */
export function choose(memberships: readonly Membership[], last: string | undefined): Membership | undefined {
  return memberships.find(({ tenant }) => tenant === last) ?? memberships[0];
}

type Opening = {
  staffId: string;
  /** Where the person begins: `entranceOf` knows. */
  tenant: string;
  how: SignInWay;
  /** A second factor was proven on the way in. */
  secondFactor: boolean;
  device?: Device;
  /** When they proved it, when that was not just now. */
  provenAt?: Date;
};

async function rememberAddress(tx: Tx, staffId: string, addressHash: string): Promise<void> {
  const seenAt = sql`clock_timestamp()`;
  await tx
    .insert(staffAddress)
    .values({ staffId, addressHash, seenAt })
    .onConflictDoUpdate({ target: [staffAddress.staffId, staffAddress.addressHash], set: { seenAt } });
}

/** Opens a session for a person who has proven who they are; returns its id, the only copy. On record as `session.open`. */
export async function openSessionFor(tx: Tx, opening: Opening): Promise<string> {
  const { staffId, tenant, how, secondFactor, provenAt, device = UNKNOWN_DEVICE } = opening;
  const { addressHash, ...shown } = device;
  const sessionId = randomBytes(32).toString("base64url");
  const expiresAt = sql`clock_timestamp() + ${SESSION_LIFETIME_MS} * interval '1 millisecond'`;
  const [opened] = await tx
    .insert(staffSession)
    .values({ idHash: hashOf(sessionId), staffId, tenant, expiresAt, how, secondFactor, provenAt, ...shown })
    .returning({ ref: staffSession.ref });
  if (addressHash !== null) await rememberAddress(tx, staffId, addressHash);
  await publish(tx, { tenant, topic: "staff", object: staffId });
  const [person] = await tx.select({ isBreakGlass: staff.isBreakGlass }).from(staff).where(eq(staff.id, staffId));
  const isBreakGlass = how === "password" && person?.isBreakGlass === true;
  const detail = { how, secondFactor, session: opened?.ref ?? null, ...(isBreakGlass && { isBreakGlass }) };
  await record(tx, { tenant, actor: staffId, code: "session.open", outcome: "DONE", detail });
  return sessionId;
}

type SessionRow = Omit<Session, "tenant" | "roles" | "mustEnrol"> & Membership & { isDemo: boolean; last: string };

/** The session whose rows these are, one a membership, under its hash; nothing when it opens nothing. */
function sessionFrom(rows: readonly SessionRow[]): [string, Session][] {
  const [row] = rows;
  const current = choose(presentMemberships(rows), row?.last);
  if (row === undefined || current === undefined || (row.isDemo && !env().isEmbedded)) return [];
  const { isDemo, last: _last, ...session } = row;
  const mustEnrol = !isDemo && !row.secondFactor && rows.some(({ roles }) => needsSecondFactor(roles));
  return [[row.idHash, { ...session, mustEnrol, roles: current.roles, tenant: current.tenant }]];
}

const storeTimeMinus = (ms: number | Placeholder) => sql`clock_timestamp() - ${ms} * interval '1 millisecond'`;

/** Not ended, neither by anybody nor by time: by the store's clock, for instances' clocks may differ. */
export const isLiving = (idleMs: number | Placeholder): SQL | undefined =>
  and(
    isNull(staffSession.endedAt),
    gt(staffSession.expiresAt, sql`clock_timestamp()`),
    gt(staffSession.seenAt, storeTimeMinus(idleMs)),
  );

/** The rows of the living ones among the sessions asked for. */
function livingSessions(store: Db | Tx, asked: SQL, idleMs: number | Placeholder) {
  const { id: staffId, name, email, isDemo } = staff;
  const { tenant: at, roles, disabledAt: keptOutAt } = staffMembership;
  const { idHash, ref, tenant: last, provenAt, secondFactor } = staffSession;
  const endsAt = sql`least(${staffSession.expiresAt}, ${staffSession.seenAt} + ${idleMs} * interval '1 millisecond')`;
  const endsInMs = sql`(extract(epoch from ${endsAt} - clock_timestamp()) * 1000)::float8`.mapWith(Number);
  const isProven = sql<boolean>`${provenAt} > ${storeTimeMinus(env().stepUpMs)}`;
  return store
    .select({
      idHash,
      ref,
      staffId,
      name,
      email,
      isDemo,
      last,
      tenant: at,
      roles,
      provenAt,
      isProven,
      secondFactor,
      endsInMs,
    })
    .from(staffSession)
    .innerJoin(staff, eq(staff.id, staffSession.staffId))
    .innerJoin(staffMembership, eq(staffMembership.staffId, staff.id))
    .where(and(asked, isLiving(idleMs), isNull(staff.disabledAt), isNull(keptOutAt)));
}

/**
 * The living ones of these sessions, by the hash of their ids: an ended one, one that still must enrol, or a disabled
 * person is out at once.
 * Who no longer belongs to the tenant they worked in works at the first one left to them; with none left they are out.
 */
export async function findSessions(idHashes: readonly string[]): Promise<Map<string, Session>> {
  const rows = await livingSessions(await db(), inArray(staffSession.idHash, [...idHashes]), env().sessionIdleMs);
  const memberships = new Map<string, typeof rows>();
  for (const row of rows) memberships.set(row.idHash, [...(memberships.get(row.idHash) ?? []), row]);
  const sessions = [...memberships.values()].flatMap((held) => sessionFrom(held));
  return new Map(sessions.filter(([, { mustEnrol }]) => !mustEnrol));
}

/** Every request asks this: the store plans it once for each connection. */
const findOne = preparedOnce((store) =>
  livingSessions(store, eq(staffSession.idHash, sql.placeholder("idHash")), sql.placeholder("idleMs")).prepare(
    "living_session",
  ),
);

/** The living session behind an id, read from its row at every request; `mustEnrol` may be true of it. */
export async function findSession(sessionId: string): Promise<Session | null> {
  const rows = await findOne(await db()).execute({ idHash: hashOf(sessionId), idleMs: env().sessionIdleMs });
  const [found] = sessionFrom(rows);
  return found?.[1] ?? null;
}

/**
 * Lets the session go on as one whose person has just proved who they are, under a new id, which it returns: what knew the
 * old one is out. Null when it has ended.
 */
export async function renewSession(
  tx: Tx,
  idHash: string,
  { secondFactor }: { secondFactor: boolean },
): Promise<string | null> {
  const sessionId = randomBytes(32).toString("base64url");
  const now = sql`clock_timestamp()`;
  const proven = { provenAt: now, seenAt: now, ...(secondFactor && { secondFactor }) };
  const renewed = await tx
    .update(staffSession)
    .set({ idHash: hashOf(sessionId), ...proven })
    .where(and(eq(staffSession.idHash, idHash), isLiving(env().sessionIdleMs)))
    .returning({ ref: staffSession.ref });
  return renewed.length > 0 ? sessionId : null;
}

/** Moves the session to another of the person's tenants; false when they do not belong there. Both keep it on record. */
export async function moveSession(session: Session, tenant: string): Promise<boolean> {
  const entry = { actor: session.staffId, code: "session.switch" } as const;
  return (await db()).transaction(async (tx) => {
    const memberships = await readMemberships(tx, session.staffId);
    if (!memberships.some((membership) => membership.tenant === tenant)) {
      await record(tx, { ...entry, tenant: session.tenant, outcome: "REFUSED" });
      return false;
    }
    if (tenant === session.tenant) return true;
    await tx.update(staffSession).set({ tenant }).where(eq(staffSession.idHash, session.idHash));
    await recordAll(tx, [
      { ...entry, tenant: session.tenant, outcome: "DONE", detail: { direction: "out" } },
      { ...entry, tenant, outcome: "DONE", detail: { direction: "in" } },
    ]);
    return true;
  });
}

type Ending = {
  reason: EndReason;
  /** Who ended it: a staff id, `command` or `watch:<name>`. */
  by: string;
  /** The tenants where what ended them is put on record afterwards, in the same transaction. */
  at?: readonly string[];
};

/** Ends those of the sessions that still live: their cookies open nothing, and open pages learn of it at once. */
export async function endWhere(tx: Tx, which: SQL | undefined, { reason, by, at = [] }: Ending): Promise<number> {
  const { ref, tenant, staffId } = staffSession;
  const ended = await tx
    .update(staffSession)
    .set({ endedAt: sql`clock_timestamp()`, endReason: reason, endedBy: by })
    .where(and(which, isNull(staffSession.endedAt)))
    .returning({ ref, tenant, staffId });
  const inOrder = ended.toSorted((a, b) => (a.tenant < b.tenant ? -1 : 1));
  if (ended.length > 0) await holdHeads(tx, [...at, ...ended.map((session) => session.tenant)]);
  for (const session of inOrder) await publish(tx, { tenant: session.tenant, topic: "staff", object: session.staffId });
  for (const session of inOrder) {
    const detail = { reason, session: session.ref };
    const object = `staff:${session.staffId}`;
    const code = reason === "idle" ? "session.idle" : "session.end";
    await record(tx, { tenant: session.tenant, actor: by, code, outcome: "DONE", object, detail });
  }
  return ended.length;
}

/**
 * Ends all sessions of a person, `except` one (by the hash of its id): in the transaction of what changed about them.
 * Returns how many that were.
 */
export async function endSessionsOf(
  tx: Tx,
  staffId: string,
  why: Required<Ending> & { except?: string },
): Promise<number> {
  const others = why.except === undefined ? undefined : ne(staffSession.idHash, why.except);
  return endWhere(tx, and(eq(staffSession.staffId, staffId), others), why);
}

/** The person ends the session; its cookie opens nothing from now on. */
export async function endSession(
  sessionId: string,
  reason: "signed-out" | "signed-in-again" = "signed-out",
): Promise<void> {
  const session = await findSession(sessionId);
  if (session === null) return;
  const why = { reason, by: session.staffId };
  await (await db()).transaction((tx) => endWhere(tx, eq(staffSession.idHash, session.idHash), why));
}

const now = sql`clock_timestamp()`;
const idleSince = () => sql`clock_timestamp() - ${env().sessionIdleMs} * interval '1 millisecond'`;

/**
 * The person of this session is there: it lasts from now on as if they had just signed in, but not beyond its twelve hours.
 * Returns how many milliseconds that is, or null when it has ended.
 */
export async function notePresence(session: Session): Promise<number | null> {
  const endsAt = sql`least(${staffSession.expiresAt}, ${staffSession.seenAt} + ${env().sessionIdleMs} * interval '1 millisecond')`;
  const [seen] = await (
    await db()
  )
    .update(staffSession)
    .set({ seenAt: now })
    .where(and(eq(staffSession.idHash, session.idHash), isLiving(env().sessionIdleMs)))
    .returning({ endsInMs: sql`(extract(epoch from ${endsAt} - clock_timestamp()) * 1000)::float8`.mapWith(Number) });
  return seen?.endsInMs ?? null;
}

/** Why this session opens nothing any more; null for an id that never was one. */
export async function findEnding(sessionId: string): Promise<EndReason | null> {
  const [row] = await (
    await db()
  )
    .select({
      endReason: staffSession.endReason,
      isExpired: sql<boolean>`${staffSession.expiresAt} <= ${now}`,
      isIdle: sql<boolean>`${staffSession.seenAt} <= ${idleSince()}`,
      isDisabled: sql<boolean>`${staff.disabledAt} is not null`,
    })
    .from(staffSession)
    .innerJoin(staff, eq(staff.id, staffSession.staffId))
    .where(eq(staffSession.idHash, hashOf(sessionId)));
  if (row === undefined) return null;
  if (row.endReason !== null) return row.endReason;
  if (row.isExpired) return "expired";
  if (row.isIdle) return "idle";
  // Nobody ended it, nor did time: what is left is that its person may enter nowhere any more.
  return row.isDisabled ? "disabled" : "roles-changed";
}

/** Ends the sessions at this tenant whose time is over, so that their end is on record, and forgets old tries. */
export async function endTimedOut(store: Db, tenant: string): Promise<void> {
  await store.transaction(async (tx) => {
    const isHere = eq(staffSession.tenant, tenant);
    await endWhere(tx, and(isHere, lte(staffSession.expiresAt, now)), { reason: "expired", by: "watch:sessions" });
    await endWhere(tx, and(isHere, lte(staffSession.seenAt, idleSince())), { reason: "idle", by: "watch:sessions" });
  });
  await forgetOldTries(store);
}

/** The living sessions of this session's person: their own first, then the one used last. */
export async function readOwnSessions(store: Db, session: Session): Promise<OwnSession[]> {
  const rows = await store
    .select()
    .from(staffSession)
    .where(and(eq(staffSession.staffId, session.staffId), isLiving(env().sessionIdleMs)))
    .orderBy(desc(staffSession.seenAt));
  const own = rows.map((row) => ({
    ref: row.ref,
    isThis: row.idHash === session.idHash,
    browser: row.browser,
    system: row.system,
    maskedAddress: row.maskedAddress,
    how: row.how,
    secondFactor: row.secondFactor,
    openedAt: row.createdAt.toISOString(),
    seenAt: row.seenAt.toISOString(),
  }));
  return [...own.filter(({ isThis }) => isThis), ...own.filter(({ isThis }) => !isThis)];
}

/** The person ends another of their sessions; false when it has ended already, or never was theirs. */
export async function endOwn(session: Session, ref: string): Promise<boolean> {
  const isTheirs = and(eq(staffSession.ref, ref), eq(staffSession.staffId, session.staffId));
  const why = { reason: "ended-by-owner", by: session.staffId } as const;
  return (await (await db()).transaction((tx) => endWhere(tx, isTheirs, why))) > 0;
}

/** The person ends all their sessions but this one; returns how many. */
export async function endOthers(session: Session): Promise<number> {
  const why = { reason: "ended-by-owner", by: session.staffId, at: [], except: session.idHash } as const;
  return (await db()).transaction((tx) => endSessionsOf(tx, session.staffId, why));
}

/** An idle session opens nothing from its last minute on, whether swept or not: this puts its end on record. */
export const sessionWatch: Watch = {
  name: "sessions",
  intervalMs: 60_000,
  sweep: async (tenant) => endTimedOut(await db(), tenant),
};
