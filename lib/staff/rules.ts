import { z } from "zod";
import type { PasswordFault } from "@/lib/auth/password";
import { type Role, ROLES } from "@/lib/auth/permission";
import { isStorable } from "@/lib/contract/shared";
import type { MailOutcome } from "@/lib/process/mail";
import { type StaffState, STAFF_VIEWS } from "./view";

export const NAME_MAX_LENGTH = 120;

/** What turns letters around or hides them has no place in a name: one must not look like another's. */
const isPlain = (text: string) => isStorable(text) && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text);

export const PersonName = z
  .string()
  .trim()
  .min(1)
  .max(NAME_MAX_LENGTH)
  .refine(isPlain, { error: "has characters that cannot be kept", params: { code: "characters" } });

export const Email = z
  .string()
  .trim()
  .min(1)
  .max(254)
  .refine((text) => z.email().safeParse(text).success, { error: "is no e-mail address", params: { code: "email" } });

/** In the order of the role table, each once. */
export const Roles = z
  .array(z.enum(ROLES))
  .min(1)
  .transform((given) => ROLES.filter((role) => given.includes(role)));

/** The list's filter as it stands in the address; names never do. What does not fit becomes the default. */
export const StaffFilter = z.object({
  state: z.enum(STAFF_VIEWS).catch("all"),
  role: z.enum(ROLES).optional().catch(undefined),
});
export type StaffFilter = z.output<typeof StaffFilter>;

/** `expected`: the roles that the manager saw when the form opened. */
export const RolesChange = z.strictObject({
  intentId: z.uuid(),
  staffId: z.uuid(),
  roles: Roles,
  expected: z.array(z.enum(ROLES)),
});
export type RolesChange = z.output<typeof RolesChange>;

export const OnePerson = z.strictObject({ staffId: z.uuid() });

export const FactorReset = z.strictObject({ intentId: z.uuid(), staffId: z.uuid() });
export type FactorReset = z.output<typeof FactorReset>;

export const NewInvitation = z.strictObject({ intentId: z.uuid(), email: Email, name: PersonName, roles: Roles });
export type NewInvitation = z.output<typeof NewInvitation>;

export const OneInvitation = z.strictObject({ invitationId: z.uuid() });

/** 32 random bytes. */
const Token = z.string().regex(/^[\w-]{43}$/);

export const InvitationToken = z.strictObject({ token: Token });

/** What is wrong with the password is said by `passwordOf`, which must know whose it is. */
export const Acceptance = z.strictObject({ token: Token, name: PersonName, password: z.string().max(1_000) });

/** Whoever asks for a link need not know whether the address is anybody's. */
export const ForgottenPassword = z.strictObject({ email: Email });

/** What came of asking for one. */
export type LinkRequest = "asked" | "off" | { waitMs: number };

export const PasswordLinkToken = z.strictObject({ token: Token });

/** What is wrong with the password is said by `faultOf`, which must know whose it is. */
export const NewPassword = z.strictObject({ token: Token, password: z.string().max(1_000) });
export type NewPassword = z.output<typeof NewPassword>;

/** What a link for a forgotten password tells whoever holds it. */
export type PasswordLinkView = { email: string; expiresAt: string };

/** What becomes of a link for a forgotten password that was just issued. */
export type DeliveredLink = {
  name: string;
  email: string;
  /** Shown this once, and only where no mail server takes it to its person alone. */
  link: string | null;
  expiresAt: string;
  mail: MailOutcome;
};

/** Why something cannot be done to a person; each has its sentence under `staff.denials`. */
export type StaffDenial =
  | "own-account"
  | "works-elsewhere"
  | "closed-account"
  | "no-password"
  | "break-glass"
  | "link-alone";

/** What becomes of an invitation that was just made. */
export type Delivered = {
  invitationId: string;
  name: string;
  email: string;
  /** Shown this once, and only where no mail server takes it to its person alone: the store keeps only a hash of it. */
  link: string | null;
  expiresAt: string;
  mail: MailOutcome;
};

/** What an invitation tells whoever holds its link. */
export type Welcome = {
  tenant: string;
  name: string;
  email: string;
  roles: Role[];
  expiresAt: string;
  /** Whether they are to choose a password, to sign in first, or to join as who they are signed in as. */
  next: "choose-password" | "sign-in" | "join";
  /** Somebody else is signed in here. */
  isOtherPerson: boolean;
};

/** What came of choosing a password; null: nothing is wrong with it. */
export type Accepted = { email: string; fault: PasswordFault | null };

export type StaffRow = {
  /** Of the person, or of the invitation. */
  id: string;
  name: string;
  email: string;
  roles: Role[];
  state: StaffState;
  /** Null for who has not come yet. */
  hasSecondFactor: boolean | null;
  /** They hold a role that needs one, have none, and will be asked for it before anything else. */
  lacksSecondFactor: boolean;
  /** At this tenant (ISO); null: never. */
  lastActiveAt: string | null;
  /** Of an invitation (ISO). */
  expiresAt: string | null;
  isDemo: boolean;
  /** Keeps a password beside the company's sign-in. */
  isBreakGlass: boolean;
  isSelf: boolean;
};
