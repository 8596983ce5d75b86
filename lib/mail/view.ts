import type { Permission } from "@/lib/permission/permission";
import type { MailSubject, MailChoice } from "@/lib/db/enums/mail";

export const choiceOf = (subject: MailSubject): MailChoice =>
  subject === "authorised" || subject === "refused" || subject === "expired" ? "decided" : subject;

/** The people who can act on it: only they get the mail, or the choice. */
export const MAIL_PERMISSIONS: Readonly<Record<MailChoice, readonly Permission[]>> = {
  waiting: ["approvals:authorize", "staff:manage"],
  decided: ["approvals:read"],
  held: ["transfers:create", "crypto-transfers:create"],
  unanswered: ["outcomes:end"],
  ready: ["statement:export"],
};

/** `isOn` by choice; only what this person can act on. `isOff`: no mail server is set. */
export type OwnMails = { isOff: boolean; choices: { choice: MailChoice; isOn: boolean }[] };
