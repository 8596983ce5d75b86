import type { Permission } from "@/lib/permission/permission";
import type { MailSubject, MailChoice } from "@/lib/db/enums/mail";

const CHOICES: Readonly<Record<MailSubject, MailChoice>> = {
  waiting: "waiting",
  authorised: "decided",
  refused: "decided",
  expired: "decided",
  held: "held",
  unanswered: "unanswered",
  ready: "ready",
  incident: "incidents",
  recovered: "incidents",
  alarm: "incidents",
};

export const choiceOf = (subject: MailSubject): MailChoice => CHOICES[subject];

/** The people who can act on it: only they get the mail, or the choice. */
export const MAIL_PERMISSIONS: Readonly<Record<MailChoice, readonly Permission[]>> = {
  waiting: ["approvals:authorize", "staff:manage"],
  decided: ["approvals:read"],
  held: ["transfers:create", "crypto-transfers:create"],
  unanswered: ["outcomes:end"],
  ready: ["statement:export"],
  incidents: ["settings:manage"],
};

/** `isOn` by choice; only what this person can act on. `isOff`: no mail server is set. */
export type OwnMails = { isOff: boolean; choices: { choice: MailChoice; isOn: boolean }[] };
