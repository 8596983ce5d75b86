import { z } from "zod";
import type { PasswordFault } from "@/lib/auth/password";
import { readEmail } from "@/lib/text/email-address";
import { type Role, ROLES } from "@/lib/permission/permission";
import { isStorable, Required } from "@/lib/contract/shared";
import type { MailResult } from "@/lib/mail/send";
import { FilterDay } from "@/lib/text/filter";
import { holdsLink } from "@/lib/text/safe-link";
import { REVIEW_NOTE_MAX, type StaffState, STAFF_VIEWS } from "./view";

export const NAME_MAX_LENGTH = 120;

/** No invisible or reordering characters: one name must not look like another. */
const isPlain = (text: string) => isStorable(text) && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text);

export const PersonName = z
  .string()
  .trim()
  .min(1)
  .max(NAME_MAX_LENGTH)
  .refine(isPlain, { error: "has characters that cannot be kept", params: { code: "characters" } })
  .refine((name) => !holdsLink(name), { error: "holds an address", params: { code: "name-link" } });

const EMAIL_FAULTS = {
  email: "is no e-mail address",
  "email-mixed": "mixes letters of two alphabets",
} as const;

export const Email = z
  .string()
  .trim()
  .min(1)
  .max(254)
  .transform((typed, context) => {
    const read = readEmail(typed);
    if ("email" in read) return read.email;
    context.addIssue({ code: "custom", message: EMAIL_FAULTS[read.fault], params: { code: read.fault } });
    return z.NEVER;
  });

export const Roles = z
  .array(z.enum(ROLES))
  .min(1)
  .transform((given) => ROLES.filter((role) => given.includes(role)));

/** Filter from the URL, never names; invalid values become the default. */
export const StaffFilter = z.object({
  state: z.enum(STAFF_VIEWS).catch("all"),
  role: z.enum(ROLES).optional().catch(undefined),
});
export type StaffFilter = z.output<typeof StaffFilter>;

export const RolesChange = z.strictObject({
  intentId: z.uuid(),
  staffId: z.uuid(),
  roles: Roles,
  expected: z.array(z.enum(ROLES)),
});
export type RolesChange = z.output<typeof RolesChange>;

export const OnePerson = z.strictObject({ staffId: z.uuid() });

const taker = z.uuid().nullable().default(null);

/** To whom open cases and saved views go; null: the queue, and nobody. */
export const Disabling = OnePerson.extend({ cases: taker, views: taker });
export type Handover = Omit<z.output<typeof Disabling>, "staffId">;

export const FactorReset = z.strictObject({ intentId: z.uuid(), staffId: z.uuid() });
export type FactorReset = z.output<typeof FactorReset>;

export const NewInvitation = z.strictObject({ intentId: z.uuid(), email: Email, name: PersonName, roles: Roles });
export type NewInvitation = z.output<typeof NewInvitation>;

export const OneInvitation = z.strictObject({ invitationId: z.uuid() });

/** 32 random bytes. */
const Token = z.string().regex(/^[\w-]{43}$/);

export const InvitationToken = z.strictObject({ token: Token });

/** `passwordOf` checks it against its owner's data. */
export const Acceptance = z.strictObject({ token: Token, name: PersonName, password: z.string().max(1_000) });

/** Unknown addresses get the same answer. */
export const ForgottenPassword = z.strictObject({ email: Email });

export type LinkRequest = "asked" | "off" | { waitMs: number };

export const PasswordLinkToken = z.strictObject({ token: Token });

/** `faultOf` checks it against its owner's data. */
export const NewPassword = z.strictObject({ token: Token, password: z.string().max(1_000) });
export type NewPassword = z.output<typeof NewPassword>;

export type PasswordLinkView = { email: string; expiresAt: string };

export type DeliveredLink = {
  name: string;
  email: string;
  /** Shown once, only without a mail server. */
  link: string | null;
  expiresAt: string;
  mail: MailResult;
};

export type Delivered = {
  invitationId: string;
  name: string;
  email: string;
  /** Shown once, only without a mail server: the store keeps a hash. */
  link: string | null;
  expiresAt: string;
  mail: MailResult;
};

export type Welcome = {
  tenant: string;
  name: string;
  email: string;
  roles: Role[];
  expiresAt: string;
  next: "choose-password" | "sign-in" | "join";
  isOtherPerson: boolean;
};

export type Accepted = { email: string; fault: PasswordFault | null };

export const AccessReviewForm = z.strictObject({
  intentId: z.uuid(),
  note: Required.max(REVIEW_NOTE_MAX),
  nextOn: FilterDay,
  seen: z.uuid().nullable(),
});
export type AccessReviewForm = z.output<typeof AccessReviewForm>;

export type StaffRow = {
  id: string;
  name: string;
  email: string;
  roles: Role[];
  state: StaffState;
  hasSecondFactor: boolean | null;
  lacksSecondFactor: boolean;
  lastActiveAt: string | null;
  expiresAt: string | null;
  isDemo: boolean;
  isBreakGlass: boolean;
  isSelf: boolean;
};
