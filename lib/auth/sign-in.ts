import { createHash, randomBytes } from "node:crypto";
import { and, eq, gt, isNull, sql } from "drizzle-orm";
import { record } from "@/lib/audit/record";
import { env } from "@/lib/env";
import { staff, staffSession } from "@/lib/store/schema";
import { db } from "@/lib/store/store";
import type { Role } from "./permission";
import { PASSWORD_MAX_LENGTH, verifyPassword } from "./password";

export const SESSION_LIFETIME_MS = 12 * 60 * 60 * 1000;

export type Session = {
  idHash: string;
  staffId: string;
  name: string;
  email: string;
  roles: Role[];
  tenant: string;
};

function hashOf(sessionId: string): string {
  return createHash("sha256").update(sessionId).digest("hex");
}

/** Opens a session for the right e-mail and password and returns its id, the only copy; null for anything else. */
export async function openSession(
  email: string,
  password: string,
): Promise<{ staffId: string; sessionId: string } | null> {
  const store = await db();
  const tenant = env().tenants[0].clientId;
  const [person] = await store
    .select()
    .from(staff)
    .where(eq(sql`lower(${staff.email})`, email.trim().toLowerCase()));
  const mayEnter = person !== undefined && person.disabledAt === null && (!person.isDemo || env().isEmbedded);
  const isRight =
    password.length <= PASSWORD_MAX_LENGTH && (await verifyPassword(mayEnter ? person.passwordHash : null, password));
  if (person === undefined || !isRight) {
    await record(store, { tenant, actor: person?.id ?? "nobody", code: "session.open", outcome: "REFUSED" });
    return null;
  }
  const sessionId = randomBytes(32).toString("base64url");
  await store.transaction(async (tx) => {
    const expiresAt = new Date(Date.now() + SESSION_LIFETIME_MS);
    await tx.insert(staffSession).values({ idHash: hashOf(sessionId), staffId: person.id, expiresAt });
    await record(tx, { tenant, actor: person.id, code: "session.open", outcome: "DONE" });
  });
  return { staffId: person.id, sessionId };
}

/** The living session behind an id, read from its row at every request: an ended one or a disabled person is out at once. */
export async function findSession(sessionId: string): Promise<Session | null> {
  const idHash = hashOf(sessionId);
  const [row] = await (
    await db()
  )
    .select({ staffId: staff.id, name: staff.name, email: staff.email, roles: staff.roles, isDemo: staff.isDemo })
    .from(staffSession)
    .innerJoin(staff, eq(staff.id, staffSession.staffId))
    .where(
      and(
        eq(staffSession.idHash, idHash),
        isNull(staffSession.endedAt),
        gt(staffSession.expiresAt, new Date()),
        isNull(staff.disabledAt),
      ),
    );
  if (row === undefined || (row.isDemo && !env().isEmbedded)) return null;
  const { isDemo: _, ...person } = row;
  return { ...person, idHash, tenant: env().tenants[0].clientId };
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
