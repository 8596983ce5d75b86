import { eq } from "drizzle-orm";
import { record } from "@/lib/audit/record";
import { isEnrolled } from "@/lib/auth/factor";
import { closePasswordLinks, type MadeLink, makePasswordLink, PASSWORD_LINK_MINUTES } from "@/lib/auth/sign-in";
import { mustHaveSecondFactor } from "@/lib/auth/sessions";
import { AppError, refuse } from "@/lib/errors/app-error";
import { publish } from "@/lib/db/publish";
import { type MailResult, sendMail } from "@/lib/mail/send";
import { env } from "@/lib/settings/env";
import { staff } from "@/lib/db/tables/staff";
import type { Db, Tx } from "@/lib/db/connection";
import { COMMAND, type Manager, tenantsBeyond, withMember } from "./roster";
import { staffCan } from "./can";
import type { DeliveredLink } from "./inputs";

export type PasswordMails = (
  part: "linkSubject" | "linkText" | "newSubject" | "newText",
  words?: Record<string, string | number>,
) => string;

type Person = { name: string; email: string };

/** Behind the `#`, which browsers never send: in no log and no Referer. */
export const passwordAddress = ({ token }: Pick<MadeLink, "token">) =>
  new URL(`/password#${token}`, env().publicUrl).href;

export function sendPasswordLink({ name, email, token }: Person & MadeLink, say: PasswordMails): Promise<MailResult> {
  const link = passwordAddress({ token });
  const text = say("linkText", { name, link, minutes: PASSWORD_LINK_MINUTES });
  return sendMail({ to: { name, address: email }, subject: say("linkSubject"), text, link });
}

export async function notifyNewPassword({ name, email }: Person, say: PasswordMails): Promise<void> {
  await sendMail({ to: { name, address: email }, subject: say("newSubject"), text: say("newText", { name }) });
}

/** Returned only without a mail server. */
export async function deliverPasswordLink(issued: IssuedLink, say: PasswordMails): Promise<DeliveredLink> {
  const { name, email, expiresAt } = issued;
  const mail = await sendPasswordLink(issued, say);
  const link = mail === "off" ? passwordAddress(issued) : null;
  return { name, email, link, expiresAt: expiresAt.toISOString(), mail };
}

type Managed = { manager: Manager; staffId: string };

/** The link alone would let in a person without a required second factor. */
async function wouldSuffice(store: Db | Tx, { manager, staffId }: Managed): Promise<boolean> {
  if (manager.id === COMMAND || (await isEnrolled(store, staffId))) return false;
  return mustHaveSecondFactor(store, staffId);
}

/** `isShown`: without a mail server the manager sees the link. */
export async function readLinked(store: Db | Tx, managed: Managed, isShown: boolean) {
  const { manager, staffId } = managed;
  const [person] = await store.select().from(staff).where(eq(staff.id, staffId));
  return {
    isSelf: staffId === manager.id,
    hasPassword: typeof person?.passwordHash === "string",
    isBreakGlass: person?.isBreakGlass === true && manager.id !== COMMAND,
    worksElsewhere: (await tenantsBeyond(store, manager, staffId)).length > 0,
    isLinkEnough: isShown && (await wouldSuffice(store, managed)),
  };
}

type IssuedLink = MadeLink & { staffId: string; name: string; email: string };

/** Valid once, for an hour; replaces others. Throws forbidden with a `StaffDenial`, conflict `person-disabled`. */
export function issuePasswordLink(store: Db, managed: Managed, isShown: boolean): Promise<IssuedLink> {
  const { manager, staffId } = managed;
  return withMember(store, managed, async (tx, member) => {
    if (!member.isActive) throw new AppError("conflict", { code: "person-disabled" });
    refuse(staffCan.issueLink(await readLinked(tx, managed, isShown)));
    const [person] = await tx.select({ name: staff.name, email: staff.email }).from(staff).where(eq(staff.id, staffId));
    if (person === undefined) throw new AppError("not-found", { code: "no-such-person" });
    await closePasswordLinks(tx, staffId);
    const made = await makePasswordLink(tx, { staffId, tenant: manager.tenant, issuedBy: manager.id });
    await publish(tx, { tenant: manager.tenant, topic: "staff", object: staffId });
    const entry = { tenant: manager.tenant, actor: manager.id, object: `staff:${staffId}`, detail: { isShown } };
    await record(tx, { ...entry, code: "staff.password-link", outcome: "DONE" });
    return { ...made, staffId, ...person };
  });
}
