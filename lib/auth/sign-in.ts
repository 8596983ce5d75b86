import { createHash, randomBytes } from "node:crypto";
import { and, desc, eq, gt, inArray, isNull, lt, sql } from "drizzle-orm";
import { emailSpellings } from "@/lib/text/email-address";
import { record } from "@/lib/audit/record";
import { env, tenantOf } from "@/lib/settings/env";
import { storeTimeBefore } from "@/lib/db/clock";
import { staff } from "@/lib/db/tables/staff";
import { type Db, db, type Tx } from "@/lib/db/connection";
import { arePasswordsBusy, PASSWORD_MAX_LENGTH, verifyPassword } from "./password";
import { passwordLink, staffAddress, staffSession } from "@/lib/db/tables/auth";
import { choose, readMemberships } from "./sessions";
import { ADDRESS_KNOWN_FOR_MS, type Device, forgiveTry, keyedHash, takeTry } from "./sign-in-try";

/** The last tenant used, among theirs; null when they may enter none. */
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

export type PasswordProof = Entrant | { waitMs: number } | null;

/** Returned under a flood of guesses, without counting the try. */
const BUSY_WAIT_MS = 5_000;
const NOBODY = "00000000-0000-0000-0000-000000000000";

export async function isKnownAt(store: Db | Tx, staffId: string, addressHash: string | null): Promise<boolean> {
  const isHere = and(
    eq(staffAddress.staffId, staffId),
    eq(staffAddress.addressHash, addressHash ?? ""),
    gt(staffAddress.seenAt, storeTimeBefore(ADDRESS_KNOWN_FOR_MS)),
  );
  return (await store.select({ staffId: staffAddress.staffId }).from(staffAddress).where(isHere)).length > 0;
}

/** Runs the same queries for an unknown e-mail, to take the same time. */
async function findPerson(store: Db, spellings: string[], addressHash: string | null) {
  const [person] = await store
    .select({ id: staff.id, passwordHash: staff.passwordHash })
    .from(staff)
    .where(inArray(sql`lower(${staff.email})`, spellings));
  const staffId = person?.id ?? NOBODY;
  const isKnown = await isKnownAt(store, staffId, addressHash);
  const tenant = await entranceOf(store, staffId);
  return { id: person?.id, passwordHash: person?.passwordHash ?? null, tenant, isKnown };
}

/** An unknown person gets the same answers after the same time. Early tries are not audited, so floods are not. */
export async function provePassword({ email, password, device }: PasswordAttempt): Promise<PasswordProof> {
  const store = await db();
  const spellings = emailSpellings(email);
  const [account] = spellings;
  const { id, passwordHash, tenant, isKnown } = await findPerson(store, spellings, device.addressHash);
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

export const PASSWORD_LINK_MINUTES = 60;
const RETAINED_MS = 24 * 60 * 60_000;

export const BY_MAIL = "mail";

const storeTime = sql`clock_timestamp()`;
const hashOf = (token: string) => createHash("sha256").update(token).digest("hex");
const isOpen = and(isNull(passwordLink.usedAt), isNull(passwordLink.revokedAt));

type Issue = { staffId: string; tenant: string; issuedBy: string };

export type MadeLink = { token: string; expiresAt: Date };

/** The caller has checked the permission and audits it. */
export async function makePasswordLink(tx: Tx, issue: Issue): Promise<MadeLink> {
  const token = randomBytes(32).toString("base64url");
  await tx.delete(passwordLink).where(lt(passwordLink.expiresAt, storeTimeBefore(RETAINED_MS)));
  const [made] = await tx
    .insert(passwordLink)
    .values({
      ...issue,
      tokenHash: hashOf(token),
      expiresAt: sql`clock_timestamp() + ${PASSWORD_LINK_MINUTES} * interval '1 minute'`,
    })
    .returning({ expiresAt: passwordLink.expiresAt });
  if (made === undefined) throw new Error("a link was not made");
  return { token, ...made };
}

export async function closePasswordLinks(tx: Tx, staffId: string): Promise<void> {
  await tx
    .update(passwordLink)
    .set({ revokedAt: storeTime })
    .where(and(eq(passwordLink.staffId, staffId), isOpen));
}

export async function usePasswordLink(tx: Tx, token: string): Promise<void> {
  await tx
    .update(passwordLink)
    .set({ usedAt: storeTime })
    .where(eq(passwordLink.tokenHash, hashOf(token)));
}

export type OpenLink = Issue & { name: string; email: string; expiresAt: Date };

/** Null when unknown, used, replaced or expired, or when its person may not use a password. */
export async function findPasswordLink(store: Db | Tx, token: string, forUpdate = false): Promise<OpenLink | null> {
  const { staffId, tenant, issuedBy, expiresAt, tokenHash } = passwordLink;
  const { name, email, passwordHash } = staff;
  const wanted = store
    .select({ staffId, tenant, issuedBy, expiresAt, name, email, passwordHash })
    .from(passwordLink)
    .innerJoin(staff, eq(staff.id, staffId))
    .where(and(eq(tokenHash, hashOf(token)), isOpen, gt(expiresAt, storeTime)));
  const [found] = await (forUpdate ? wanted.for("update", { of: passwordLink }) : wanted);
  if (found === undefined || found.passwordHash === null || tenantOf(found.tenant) === undefined) return null;
  if ((await entranceOf(store, found.staffId)) === null) return null;
  const { passwordHash: _, ...link } = found;
  return link;
}
