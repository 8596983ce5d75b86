export const MAIL_SUBJECTS = [
  "waiting",
  "authorised",
  "refused",
  "expired",
  "held",
  "unanswered",
  "ready",
  "incident",
  "recovered",
  "alarm",
] as const;
export type MailSubject = (typeof MAIL_SUBJECTS)[number];

export const MAIL_CHOICES = ["waiting", "decided", "held", "unanswered", "ready", "incidents"] as const;
export type MailChoice = (typeof MAIL_CHOICES)[number];

export type MailEnd = "sent" | "off" | "moot" | "given-up";
