import { and, desc, eq, gt, sql } from "drizzle-orm";
import { record } from "@/lib/audit/record";
import { env } from "@/lib/settings/env";
import { storeTimeBefore } from "@/lib/store/clock";
import { staff } from "@/lib/store/schema";
import { type Db, db, type Tx } from "@/lib/store/store";
import type { Device } from "./sign-in-try";
import { readMemberships } from "./sessions";
import { arePasswordsBusy, PASSWORD_MAX_LENGTH, verifyPassword } from "./password";
import { staffAddress, staffSession } from "./schema";
import { choose } from "./sessions";
import { ADDRESS_KNOWN_FOR_MS, forgiveTry, keyedHash, takeTry } from "./sign-in-try";

/** The tenant where this person begins, the one where they were last among them; null when they may not enter at all. */
export async function entranceOf(store: Db | Tx, staffId: string): Promise<string | null> {
  const [person] = await store.select().from(staff).where(eq(staff.id, staffId));
  const [last] = await store
    .select({ tenant: staffSession.tenant })
    .from(staffSession)
    .where(eq(staffSession.staffId, staffId))
    .orderBy(desc(staffSession.createdAt))
    .limit(1);
  const memberships = await readMemberships(store, staffId);
  if (person === undefined || person.disabledAt !== null || (person.isDemo && !env().isEmbedded)) return null;
  return choose(memberships, last?.tenant)?.tenant ?? null;
}

export type Entrant = { staffId: string; tenant: string };

export type PasswordAttempt = { email: string; password: string; device: Device };

/** Whoever it was; or how long to wait before the next try; or nobody. */
export type PasswordProof = Entrant | { waitMs: number } | null;

/** A crowd of guesses is being looked at: whoever comes now is told so, and no try is counted against them. */
const BUSY_WAIT_MS = 5_000;
const NOBODY = "00000000-0000-0000-0000-000000000000";

/** Whether the person has signed in from there, not too long ago. */
export async function isKnownAt(store: Db | Tx, staffId: string, addressHash: string | null): Promise<boolean> {
  const isHere = and(
    eq(staffAddress.staffId, staffId),
    eq(staffAddress.addressHash, addressHash ?? ""),
    gt(staffAddress.seenAt, storeTimeBefore(ADDRESS_KNOWN_FOR_MS)),
  );
  return (await store.select({ staffId: staffAddress.staffId }).from(staffAddress).where(isHere)).length > 0;
}

/** Whose e-mail this is; the same questions are asked of the store for an e-mail that nobody has. */
async function findPerson(store: Db, email: string, addressHash: string | null) {
  const [person] = await store
    .select({ id: staff.id, passwordHash: staff.passwordHash })
    .from(staff)
    .where(eq(sql`lower(${staff.email})`, email));
  const staffId = person?.id ?? NOBODY;
  const isKnown = await isKnownAt(store, staffId, addressHash);
  const tenant = await entranceOf(store, staffId);
  return { id: person?.id, passwordHash: person?.passwordHash ?? null, tenant, isKnown };
}

/**
 * Who this e-mail and password belong to, and where they begin. A refusal is on record; a try that came too early is not
 * looked at, nor recorded: whoever floods the door must not fill the record. An unknown person gets the same answers after
 * the same time as a wrong password.
 */
export async function provePassword({ email, password, device }: PasswordAttempt): Promise<PasswordProof> {
  const store = await db();
  const account = email.trim().toLowerCase();
  const { id, passwordHash, tenant, isKnown } = await findPerson(store, account, device.addressHash);
  if (arePasswordsBusy()) return { waitMs: BUSY_WAIT_MS };
  const guess = { account: keyedHash("account", account), address: device.addressHash, isKnown };
  const waitMs = await takeTry(store, guess);
  if (waitMs > 0) return { waitMs };
  const mayEnter = password.length <= PASSWORD_MAX_LENGTH && tenant !== null;
  const isRight = await verifyPassword(mayEnter ? passwordHash : null, password.slice(0, PASSWORD_MAX_LENGTH));
  if (id !== undefined && tenant !== null && isRight) {
    await forgiveTry(store, guess);
    return { staffId: id, tenant };
  }
  const refused = { tenant: tenant ?? env().tenants[0].clientId, actor: id ?? "nobody" };
  await record(store, { ...refused, code: "session.open", outcome: "REFUSED", detail: { how: "password" } });
  return null;
}
