import { eq } from "drizzle-orm";
import { emailSpellings } from "@/lib/text/email-address";
import { record } from "@/lib/audit/record";
import { type Device, forgetTriesAt, keyedHash, mayBeSentLink, takeLinkTry } from "@/lib/auth/sign-in-try";
import { faultOf, hashPassword, type PasswordFault } from "@/lib/auth/password";
import {
  BY_MAIL,
  closePasswordLinks,
  entranceOf,
  findPasswordLink,
  makePasswordLink,
  type OpenLink,
  usePasswordLink,
} from "@/lib/auth/sign-in";
import { readRoster } from "@/lib/auth/roster";
import { endSessionsOf } from "@/lib/auth/sessions";
import { AppError } from "@/lib/errors/app-error";
import { env } from "@/lib/settings/env";
import { publish } from "@/lib/db/publish";
import { staff } from "@/lib/db/tables/staff";
import type { Db, Tx } from "@/lib/db/connection";
import { sameEmail } from "./invitations";
import { type PasswordMails, sendPasswordLink, notifyNewPassword } from "./password-links";
import { mayManage } from "./roster";
import type { LinkRequest, NewPassword, PasswordLinkView } from "./inputs";

export type Deps = {
  mails: PasswordMails;
  /** Runs after the answer, so that its duration reveals nothing. */
  later: (work: () => Promise<void>) => void | Promise<void>;
};

const accountOf = (email: string) => keyedHash("account", emailSpellings(email)[0]);

async function sendLinkTo(store: Db, email: string, mails: PasswordMails): Promise<void> {
  if (!(await mayBeSentLink(store, accountOf(email)))) return;
  const [person] = await store.select().from(staff).where(sameEmail(staff.email, email));
  const tenant = person === undefined ? null : await entranceOf(store, person.id);
  const about = { tenant: tenant ?? env().tenants[0].clientId, actor: "nobody", code: "password.link" } as const;
  if (person === undefined || tenant === null || person.passwordHash === null) {
    const object = person === undefined ? {} : { object: `staff:${person.id}` };
    return record(store, { ...about, ...object, outcome: "REFUSED" });
  }
  const made = await store.transaction(async (tx) => {
    const link = await makePasswordLink(tx, { staffId: person.id, tenant, issuedBy: BY_MAIL });
    await record(tx, { ...about, outcome: "DONE", object: `staff:${person.id}` });
    return link;
  });
  await sendPasswordLink({ ...person, ...made }, mails);
}

/** Same answer and duration whether the account exists: "asked", a wait, or "off" without a mail server. */
export async function askForLink(
  store: Db,
  { email, device }: { email: string; device: Device },
  { mails, later }: Deps,
): Promise<LinkRequest> {
  if (env().mail === null) return "off";
  const waitMs = device.addressHash === null ? 0 : await takeLinkTry(store, device.addressHash);
  if (waitMs > 0) return { waitMs };
  await later(() => sendLinkTo(store, email, mails));
  return "asked";
}

/** The same for every bad link. */
async function requireLink(store: Db | Tx, token: string, forUpdate = false): Promise<OpenLink> {
  const link = await findPasswordLink(store, token, forUpdate);
  if (link === null) throw new AppError("not-found", { code: "password-link-gone" });
  if (link.issuedBy !== BY_MAIL && !mayManage(await readRoster(store, link.tenant), link.issuedBy)) {
    throw new AppError("not-found", { code: "password-link-gone" });
  }
  return link;
}

export async function readPasswordLink(store: Db, token: string): Promise<PasswordLinkView> {
  const { email, expiresAt } = await requireLink(store, token);
  return { email, expiresAt: expiresAt.toISOString() };
}

async function replacePassword(tx: Tx, token: string, passwordHash: string): Promise<OpenLink> {
  const link = await requireLink(tx, token, true);
  const { staffId, tenant, issuedBy, email } = link;
  await usePasswordLink(tx, token);
  await closePasswordLinks(tx, staffId);
  await tx.update(staff).set({ passwordHash }).where(eq(staff.id, staffId));
  await forgetTriesAt(tx, accountOf(email));
  const why = { reason: "password-changed", by: staffId, at: [tenant] } as const;
  const sessionsEnded = await endSessionsOf(tx, staffId, why);
  await publish(tx, { tenant, topic: "staff", object: staffId });
  const entry = { tenant, actor: staffId, object: `staff:${staffId}`, detail: { issuedBy, sessionsEnded } };
  await record(tx, { ...entry, code: "password.reset", outcome: "DONE" });
  return link;
}

/** Ends all sessions and notifies by mail; signs nobody in. Returns the password's fault, or null. */
export async function setForgottenPassword(
  store: Db,
  { token, password }: NewPassword,
  { mails, later }: Deps,
): Promise<PasswordFault | null> {
  const fault = faultOf(password, await requireLink(store, token));
  if (fault !== null) return fault;
  // Hashing is slow, so it runs outside any transaction, and not for a bad link.
  const passwordHash = await hashPassword(password);
  const person = await store.transaction((tx) => replacePassword(tx, token, passwordHash));
  await later(() => notifyNewPassword(person, mails));
  return null;
}
