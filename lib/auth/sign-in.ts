import { desc, eq, sql } from "drizzle-orm";
import { record } from "@/lib/audit/record";
import { env } from "@/lib/env";
import { staff, staffSession } from "@/lib/store/schema";
import { type Db, db, type Tx } from "@/lib/store/store";
import { readMemberships } from "./membership";
import { PASSWORD_MAX_LENGTH, verifyPassword } from "./password";
import { choose, type Device, openSessionFor } from "./sessions";

/** The tenant where this person begins, the one where they were last among them; null when they may not enter at all. */
export async function entranceOf(store: Db | Tx, staffId: string): Promise<string | null> {
  const [person] = await store.select().from(staff).where(eq(staff.id, staffId));
  if (person === undefined || person.disabledAt !== null || (person.isDemo && !env().isEmbedded)) return null;
  const [last] = await store
    .select({ tenant: staffSession.tenant })
    .from(staffSession)
    .where(eq(staffSession.staffId, staffId))
    .orderBy(desc(staffSession.createdAt))
    .limit(1);
  return choose(await readMemberships(store, staffId), last?.tenant)?.tenant ?? null;
}

export type Entrant = { staffId: string; tenant: string };

/**
 * Who this e-mail and password belong to, and where they begin; null for anything else, which is on record. An unknown
 * person takes the same time as a wrong password.
 */
export async function provePassword(email: string, password: string): Promise<Entrant | null> {
  const store = await db();
  const [person] = await store
    .select({ id: staff.id, passwordHash: staff.passwordHash })
    .from(staff)
    .where(eq(sql`lower(${staff.email})`, email.trim().toLowerCase()));
  const tenant = person === undefined ? null : await entranceOf(store, person.id);
  const passwordHash = tenant === null ? null : (person?.passwordHash ?? null);
  const isRight = password.length <= PASSWORD_MAX_LENGTH && (await verifyPassword(passwordHash, password));
  if (person !== undefined && tenant !== null && isRight) return { staffId: person.id, tenant };
  const refused = { tenant: tenant ?? env().tenants[0].clientId, actor: person?.id ?? "nobody" };
  await record(store, { ...refused, code: "session.open", outcome: "REFUSED", detail: { how: "password" } });
  return null;
}

/** Opens a session for the right e-mail and password and returns its id, the only copy; null for anything else. */
export async function openSession(
  email: string,
  password: string,
  device?: Device,
): Promise<{ staffId: string; sessionId: string } | null> {
  const entrant = await provePassword(email, password);
  if (entrant === null) return null;
  const opening = { ...entrant, how: "password", secondFactor: false, ...(device && { device }) } as const;
  const sessionId = await (await db()).transaction((tx) => openSessionFor(tx, opening));
  return { staffId: entrant.staffId, sessionId };
}
