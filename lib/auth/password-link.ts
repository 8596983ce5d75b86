import { createHash, randomBytes } from "node:crypto";
import { and, eq, gt, isNull, lt, sql } from "drizzle-orm";
import { tenantOf } from "@/lib/settings/env";
import { storeTimeBefore } from "@/lib/store/clock";
import { staff } from "@/lib/store/schema";
import type { Db, Tx } from "@/lib/store/store";
import { passwordLink } from "./schema";
import { entranceOf } from "./sign-in";

export const PASSWORD_LINK_MINUTES = 60;
const KEPT_MS = 24 * 60 * 60_000;

/** Who issued it, when its person asked for it by their e-mail. */
export const BY_MAIL = "mail";

const storeTime = sql`clock_timestamp()`;
const hashOf = (token: string) => createHash("sha256").update(token).digest("hex");
const isOpen = and(isNull(passwordLink.usedAt), isNull(passwordLink.revokedAt));

type Issue = { staffId: string; tenant: string; issuedBy: string };

/** The one copy of what the link carries, and until when it is good. */
export type MadeLink = { token: string; expiresAt: Date };

/** Makes a link that sets the person's password once; the caller has seen to it that they may have one, and records it. */
export async function makePasswordLink(tx: Tx, issue: Issue): Promise<MadeLink> {
  const token = randomBytes(32).toString("base64url");
  await tx.delete(passwordLink).where(lt(passwordLink.expiresAt, storeTimeBefore(KEPT_MS)));
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

/** No link that was issued for the person before is good any more. */
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

/**
 * Whose password the link sets; null when it is unknown, used, replaced or expired, or when its person may not sign in by a
 * password. Under `forUpdate`, whoever comes second finds it used.
 */
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
