import { AppError } from "@/lib/errors/app-error";
import { watchId } from "@/lib/permission/watches";
import { createHash, randomBytes } from "node:crypto";
import { and, desc, eq, gt, inArray, isNull, lte, ne, type Placeholder, type SQL, sql } from "drizzle-orm";
import { holdHeads, record, recordAll } from "@/lib/audit/record";
import { publish } from "@/lib/db/publish";
import type { Watch } from "@/lib/watch/watch";
import { env } from "@/lib/settings/env";
import type { Tenant } from "@/lib/settings/tenants-file";
import { inSlices } from "@/lib/db/slices";
import { preparedOnce } from "@/lib/db/prepared";
import { staff } from "@/lib/db/tables/staff";
import { type Db, db, type Tx } from "@/lib/db/connection";
import { isCriticalRole, type Role } from "@/lib/permission/permission";
import { type EndReason, type SignInWay, staffAddress, staffMembership, staffSession } from "@/lib/db/tables/auth";
import { type AddressRefusal, isAllowed, networksOfMembership } from "./allowed-addresses";
import { type Device, forgetOldTries, UNKNOWN_DEVICE } from "./sign-in-try";
import type { OwnSession } from "./view";

export type Membership = { tenant: string; roles: Role[] };

function presentMemberships(memberships: readonly Membership[]): Membership[] {
  return env().tenants.flatMap(({ clientId }) => memberships.find(({ tenant }) => tenant === clientId) ?? []);
}

/** In the settings' order, without removed tenants and those that bar the person. */
export async function readMemberships(store: Db | Tx, staffId: string): Promise<Membership[]> {
  const { tenant, roles, disabledAt } = staffMembership;
  return presentMemberships(
    await store
      .select({ tenant, roles })
      .from(staffMembership)
      .where(and(eq(staffMembership.staffId, staffId), isNull(disabledAt))),
  );
}

export const tenantsAmong = (memberships: readonly Membership[]): Tenant[] =>
  env().tenants.filter(({ clientId }) => memberships.some(({ tenant }) => tenant === clientId));

export const needsSecondFactor = (roles: readonly Role[]): boolean =>
  roles.some((role) => env().secondFactorFor === "everyone" || isCriticalRole(role));

/** Demo people need none. */
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
  /** Its name in the audit and on screens; it opens nothing. */
  ref: string;
  staffId: string;
  name: string;
  email: string;
  roles: Role[];
  tenant: string;
  provenAt: Date;
  isProven: boolean;
  secondFactor: boolean;
  endsInMs: number;
  /** Valid only for setting up a second factor. */
  mustEnrol: boolean;
};

export function hashOf(sessionId: string): string {
  return createHash("sha256").update(sessionId).digest("hex");
}

/** The last one used while they belong there, else the first. */
export function choose(memberships: readonly Membership[], last: string | undefined): Membership | undefined {
  return memberships.find(({ tenant }) => tenant === last) ?? memberships[0];
}

type NewSession = {
  staffId: string;
  tenant: string;
  how: SignInWay;
  secondFactor: boolean;
  device?: Device;
  provenAt?: Date;
};

async function rememberAddress(tx: Tx, staffId: string, addressHash: string): Promise<void> {
  const seenAt = sql`clock_timestamp()`;
  await tx
    .insert(staffAddress)
    .values({ staffId, addressHash, seenAt })
    .onConflictDoUpdate({ target: [staffAddress.staffId, staffAddress.addressHash], set: { seenAt } });
}

/** Returns the only copy of its id. Recorded as `session.open`. */
export async function openSessionFor(tx: Tx, opening: NewSession): Promise<string> {
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

type SessionRow = Omit<Session, "tenant" | "roles" | "mustEnrol"> &
  Membership & { isDemo: boolean; last: string; networks: string[] };

const ANYWHERE = Symbol("anywhere");

/** From where a request comes; null: nobody knows. */
type Origin = string | null | typeof ANYWHERE;

/** One row per membership; none when the session has ended. A tenant whose list lacks the address is left out. */
function sessionFrom(rows: readonly SessionRow[], from: Origin): Session | AddressRefusal | null {
  const [row] = rows;
  const present = presentMemberships(rows);
  const lost = choose(present, row?.last);
  if (row === undefined || lost === undefined || (row.isDemo && !env().isEmbedded)) return null;
  const networksOf = ({ tenant }: Membership) => rows.find((one) => one.tenant === tenant)?.networks ?? [];
  const open = from === ANYWHERE ? present : present.filter((one) => isAllowed(networksOf(one), from));
  const current = choose(open, row.last);
  if (current === undefined)
    return { staffId: row.staffId, tenant: lost.tenant, address: from === ANYWHERE ? null : from };
  const { isDemo, last: _last, networks: _networks, ...session } = row;
  const mustEnrol = !isDemo && !row.secondFactor && rows.some(({ roles }) => needsSecondFactor(roles));
  return { ...session, mustEnrol, roles: current.roles, tenant: current.tenant };
}

export const isRefused = (found: Session | AddressRefusal): found is AddressRefusal => !("idHash" in found);

const storeTimeMinus = (ms: number | Placeholder) => sql`clock_timestamp() - ${ms} * interval '1 millisecond'`;

/** By the store's clock, since instances' clocks may differ. */
export const isLiving = (idleMs: number | Placeholder): SQL | undefined =>
  and(
    isNull(staffSession.endedAt),
    gt(staffSession.expiresAt, sql`clock_timestamp()`),
    gt(staffSession.seenAt, storeTimeMinus(idleMs)),
  );

function livingSessions(store: Db | Tx, asked: SQL, idleMs: number | Placeholder) {
  const { id: staffId, name, email, isDemo } = staff;
  const { tenant: at, roles, disabledAt: lockedOutAt } = staffMembership;
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
      networks: networksOfMembership,
    })
    .from(staffSession)
    .innerJoin(staff, eq(staff.id, staffSession.staffId))
    .innerJoin(staffMembership, eq(staffMembership.staffId, staff.id))
    .where(and(asked, isLiving(idleMs), isNull(staff.disabledAt), isNull(lockedOutAt)));
}

/** A reader of a stream: the hash of the session's id, and from where. */
export type SessionReader = { idHash: string; address: string | null };

/** For each reader, in their order. A person who lost the session's tenant moves to the first one left, or is signed out. */
export async function findSessions(readers: readonly SessionReader[]): Promise<(Session | null)[]> {
  const idHashes = [...new Set(readers.map(({ idHash }) => idHash))];
  const rows = await livingSessions(await db(), inArray(staffSession.idHash, idHashes), env().sessionIdleMs);
  const memberships = new Map<string, typeof rows>();
  for (const row of rows) memberships.set(row.idHash, [...(memberships.get(row.idHash) ?? []), row]);
  return readers.map(({ idHash, address }) => {
    const found = sessionFrom(memberships.get(idHash) ?? [], address);
    return found === null || isRefused(found) || found.mustEnrol ? null : found;
  });
}

/** Every request runs this, so it is prepared once per connection. */
const findOne = preparedOnce((store) =>
  livingSessions(store, eq(staffSession.idHash, sql.placeholder("idHash")), sql.placeholder("idleMs")).prepare(
    "living_session",
  ),
);

async function findAt(sessionId: string, from: Origin): Promise<Session | AddressRefusal | null> {
  const rows = await findOne(await db()).execute({ idHash: hashOf(sessionId), idleMs: env().sessionIdleMs });
  return sessionFrom(rows, from);
}

/** The session as a request from this address may use it, or why it may not; null: nobody knows the address. */
export const findSessionFrom = (sessionId: string, address: string | null): Promise<Session | AddressRefusal | null> =>
  findAt(sessionId, address);

/** Wherever it is used: to end it, never to admit a request. */
export async function findSession(sessionId: string): Promise<Session | null> {
  const found = await findAt(sessionId, ANYWHERE);
  return found === null || isRefused(found) ? null : found;
}

/** Returns the new id after a proof; the old one opens nothing. Null when it has ended. */
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

/** False when they do not belong there. Audited at both tenants. Throws forbidden `address-refused` unless `mayEnter`. */
export async function moveSession(session: Session, tenant: string, mayEnter = true): Promise<boolean> {
  const entry = { actor: session.staffId, code: "session.switch" } as const;
  return (await db()).transaction(async (tx) => {
    const memberships = await readMemberships(tx, session.staffId);
    if (!memberships.some((membership) => membership.tenant === tenant)) {
      await record(tx, { ...entry, tenant: session.tenant, outcome: "REFUSED" });
      return false;
    }
    // Only a company's own people learn that it has a list of addresses.
    if (!mayEnter) throw new AppError("forbidden", { code: "address-refused" });
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
  /** Tenants where it is audited afterwards, in the same transaction. */
  at?: readonly string[];
};

export async function endWhere(tx: Tx, which: SQL | undefined, { reason, by, at = [] }: Ending): Promise<number> {
  const { ref, tenant, staffId } = staffSession;
  const ended = await tx
    .update(staffSession)
    .set({ endedAt: sql`clock_timestamp()`, endReason: reason, endedBy: by })
    .where(and(which, isNull(staffSession.endedAt)))
    .returning({ ref, tenant, staffId });
  for (const session of ended) await publish(tx, { tenant: session.tenant, topic: "staff", object: session.staffId });
  if (ended.length > 0) await holdHeads(tx, [...at, ...ended.map((session) => session.tenant)]);
  const code = reason === "idle" ? "session.idle" : "session.end";
  const what = { actor: by, code, outcome: "DONE" } as const;
  await recordAll(
    tx,
    ended.map((one) => ({
      ...what,
      tenant: one.tenant,
      object: `staff:${one.staffId}`,
      detail: { reason, session: one.ref },
    })),
  );
  return ended.length;
}

/** `except`: the hash of one id. Returns how many ended. */
export async function endSessionsOf(
  tx: Tx,
  staffId: string,
  why: Required<Ending> & { except?: string },
): Promise<number> {
  const others = why.except === undefined ? undefined : ne(staffSession.idHash, why.except);
  return endWhere(tx, and(eq(staffSession.staffId, staffId), others), why);
}

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

/** Extends the session to its idle time, within its twelve hours. Returns the milliseconds left, null when it has ended. */
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
  // Neither a person nor time ended it, so the person has lost every entry.
  return row.isDisabled ? "disabled" : "roles-changed";
}

async function endOverdue(store: Db, which: SQL | undefined, reason: "expired" | "idle"): Promise<void> {
  const { ref, endedAt } = staffSession;
  const overdue = await store
    .select({ ref })
    .from(staffSession)
    .where(and(which, isNull(endedAt)));
  const refs = overdue.map((one) => one.ref);
  await inSlices(store, refs, (tx, slice) =>
    endWhere(tx, and(which, inArray(ref, [...slice])), { reason, by: watchId("sessions") }),
  );
}

export async function endTimedOut(store: Db, tenant: string): Promise<void> {
  const isHere = eq(staffSession.tenant, tenant);
  await endOverdue(store, and(isHere, lte(staffSession.expiresAt, now)), "expired");
  await endOverdue(store, and(isHere, lte(staffSession.seenAt, idleSince())), "idle");
  await forgetOldTries(store);
}

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

export async function endOwn(session: Session, ref: string): Promise<boolean> {
  const isTheirs = and(eq(staffSession.ref, ref), eq(staffSession.staffId, session.staffId));
  const why = { reason: "ended-by-owner", by: session.staffId } as const;
  return (await (await db()).transaction((tx) => endWhere(tx, isTheirs, why))) > 0;
}

export async function endOthers(session: Session): Promise<number> {
  const why = { reason: "ended-by-owner", by: session.staffId, at: [], except: session.idHash } as const;
  return (await db()).transaction((tx) => endSessionsOf(tx, session.staffId, why));
}

/** Idle sessions open nothing in any case: this records their end. */
export const sessionWatch: Watch = {
  name: "sessions",
  intervalMs: 60_000,
  sweep: async (tenant) => endTimedOut(await db(), tenant),
};
