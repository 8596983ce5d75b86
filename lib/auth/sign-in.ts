import { createHash, randomBytes } from "node:crypto";
import { and, desc, eq, gt, inArray, isNull, type Placeholder, type SQL, sql } from "drizzle-orm";
import { record } from "@/lib/audit/record";
import { env } from "@/lib/env";
import { preparedOnce } from "@/lib/store/prepared";
import { staff, staffSession } from "@/lib/store/schema";
import { type Db, db } from "@/lib/store/store";
import { type Membership, presentMemberships, readMemberships } from "./membership";
import { PASSWORD_MAX_LENGTH, verifyPassword } from "./password";
import type { Role } from "./permission";
import { staffMembership } from "./schema";

export const SESSION_LIFETIME_MS = 12 * 60 * 60 * 1000;

export type Session = {
  idHash: string;
  staffId: string;
  name: string;
  email: string;
  /** Those held at `tenant`. */
  roles: Role[];
  tenant: string;
};

function hashOf(sessionId: string): string {
  return createHash("sha256").update(sessionId).digest("hex");
}

/** Where one stood last, as long as one belongs there; else the first there is. */
function choose(memberships: readonly Membership[], last: string | undefined): Membership | undefined {
  return memberships.find(({ tenant }) => tenant === last) ?? memberships[0];
}

/** Who has this e-mail and where they would begin: nowhere when they may not enter at all. */
async function findPerson(store: Db, email: string) {
  const [person] = await store
    .select()
    .from(staff)
    .where(eq(sql`lower(${staff.email})`, email.trim().toLowerCase()));
  if (person === undefined || person.disabledAt !== null || (person.isDemo && !env().isEmbedded)) {
    return { id: person?.id, passwordHash: null, tenant: undefined };
  }
  const [last] = await store
    .select({ tenant: staffSession.tenant })
    .from(staffSession)
    .where(eq(staffSession.staffId, person.id))
    .orderBy(desc(staffSession.createdAt))
    .limit(1);
  const tenant = choose(await readMemberships(store, person.id), last?.tenant)?.tenant;
  return { id: person.id, passwordHash: tenant === undefined ? null : person.passwordHash, tenant };
}

/** Opens a session for the right e-mail and password and returns its id, the only copy; null for anything else. */
export async function openSession(
  email: string,
  password: string,
): Promise<{ staffId: string; sessionId: string } | null> {
  const store = await db();
  const { id: staffId, passwordHash, tenant } = await findPerson(store, email);
  const isRight = password.length <= PASSWORD_MAX_LENGTH && (await verifyPassword(passwordHash, password));
  if (staffId === undefined || tenant === undefined || !isRight) {
    const refused = { tenant: tenant ?? env().tenants[0].clientId, actor: staffId ?? "nobody" };
    await record(store, { ...refused, code: "session.open", outcome: "REFUSED" });
    return null;
  }
  const sessionId = randomBytes(32).toString("base64url");
  await store.transaction(async (tx) => {
    const expiresAt = new Date(Date.now() + SESSION_LIFETIME_MS);
    await tx.insert(staffSession).values({ idHash: hashOf(sessionId), staffId, tenant, expiresAt });
    await record(tx, { tenant, actor: staffId, code: "session.open", outcome: "DONE" });
  });
  return { staffId, sessionId };
}

type SessionRow = Omit<Session, "tenant" | "roles"> & Membership & { isDemo: boolean; last: string };

/** The session whose rows these are, one a membership, under its hash; nothing when it opens nothing. */
function sessionFrom(rows: readonly SessionRow[]): [string, Session][] {
  const [row] = rows;
  const current = choose(presentMemberships(rows), row?.last);
  if (row === undefined || current === undefined || (row.isDemo && !env().isEmbedded)) return [];
  const { idHash, staffId, name, email } = row;
  return [[idHash, { idHash, staffId, name, email, roles: current.roles, tenant: current.tenant }]];
}

/** The rows of the living ones among the sessions asked for. */
function livingSessions(store: Db, asked: SQL, now: Date | Placeholder) {
  const { id: staffId, name, email, isDemo } = staff;
  const { tenant: at, roles } = staffMembership;
  const { idHash, tenant: last } = staffSession;
  return store
    .select({ idHash, staffId, name, email, isDemo, last, tenant: at, roles })
    .from(staffSession)
    .innerJoin(staff, eq(staff.id, staffSession.staffId))
    .innerJoin(staffMembership, eq(staffMembership.staffId, staff.id))
    .where(and(asked, isNull(staffSession.endedAt), gt(staffSession.expiresAt, now), isNull(staff.disabledAt)));
}

/**
 * The living ones of these sessions, by the hash of their ids: an ended one or a disabled person is out at once.
 * Who no longer belongs to the tenant they worked in works at the first one left to them; with none left they are out.
 */
export async function findSessions(idHashes: readonly string[]): Promise<Map<string, Session>> {
  const rows = await livingSessions(await db(), inArray(staffSession.idHash, [...idHashes]), new Date());
  const memberships = new Map<string, typeof rows>();
  for (const row of rows) memberships.set(row.idHash, [...(memberships.get(row.idHash) ?? []), row]);
  return new Map([...memberships.values()].flatMap((held) => sessionFrom(held)));
}

/** Every request asks this: the store plans it once for each connection. */
const findOne = preparedOnce((store) =>
  livingSessions(store, eq(staffSession.idHash, sql.placeholder("idHash")), sql.placeholder("now")).prepare(
    "living_session",
  ),
);

/** The living session behind an id, read from its row at every request. */
export async function findSession(sessionId: string): Promise<Session | null> {
  const idHash = hashOf(sessionId);
  const rows = await findOne(await db()).execute({ idHash, now: new Date().toISOString() });
  const [found] = sessionFrom(rows);
  return found?.[1] ?? null;
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
    await record(tx, { ...entry, tenant: session.tenant, outcome: "DONE", detail: { direction: "out" } });
    await record(tx, { ...entry, tenant, outcome: "DONE", detail: { direction: "in" } });
    return true;
  });
}

/** Ends the session; its cookie opens nothing from now on. */
export async function endSession(sessionId: string): Promise<void> {
  const session = await findSession(sessionId);
  if (session === null) return;
  await (
    await db()
  ).transaction(async (tx) => {
    await tx.update(staffSession).set({ endedAt: new Date() }).where(eq(staffSession.idHash, session.idHash));
    await record(tx, { tenant: session.tenant, actor: session.staffId, code: "session.end", outcome: "DONE" });
  });
}
