import { type MadeLink, PASSWORD_LINK_MINUTES } from "@/lib/auth/password-link";
import { env } from "@/lib/env";
import { type MailOutcome, sendMail } from "@/lib/mail";
import type { IssuedLink } from "./password-links";
import type { DeliveredLink } from "./rules";

/** The sentences of the mails about passwords, in one language. */
export type PasswordMails = (
  part: "linkSubject" | "linkText" | "newSubject" | "newText",
  words?: Record<string, string | number>,
) => string;

type Person = { name: string; email: string };

/** The token stands behind the `#`: browsers send that part to nobody, so it is in no log and no Referer. */
export const passwordAddress = ({ token }: Pick<MadeLink, "token">) =>
  new URL(`/password#${token}`, env().publicUrl).href;

export function sendPasswordLink({ name, email, token }: Person & MadeLink, say: PasswordMails): Promise<MailOutcome> {
  const words = { name, link: passwordAddress({ token }), minutes: PASSWORD_LINK_MINUTES };
  return sendMail({ to: { name, address: email }, subject: say("linkSubject"), text: say("linkText", words) });
}

export async function tellOfNewPassword({ name, email }: Person, say: PasswordMails): Promise<void> {
  await sendMail({ to: { name, address: email }, subject: say("newSubject"), text: say("newText", { name }) });
}

/** Sends the link to its person; where no mail server is there, gives it back to be shown this once. */
export async function deliverPasswordLink(issued: IssuedLink, say: PasswordMails): Promise<DeliveredLink> {
  const { name, email, expiresAt } = issued;
  const mail = await sendPasswordLink(issued, say);
  const link = mail === "off" ? passwordAddress(issued) : null;
  return { name, email, link, expiresAt: expiresAt.toISOString(), mail };
}
