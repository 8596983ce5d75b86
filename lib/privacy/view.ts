import type { SafeLink } from "@/lib/text/safe-link";
import type { CustomerKind } from "@/lib/db/enums/privacy";

export const RETENTION_CLASS_NAMES = [
  "calls",
  "webhooks",
  "incidents",
  "open-pages",
  "drafts",
  "sessions",
  "order-bodies",
  "payees",
  "wallet-references",
  "entries",
  "movements",
  "positions",
  "onboardings",
  "kyc",
  "casework",
  "reveals",
  "approvals",
  "audit",
] as const;
export type RetentionClassName = (typeof RETENTION_CLASS_NAMES)[number];

/** `identity`: name, birth date and mother's name of a case started here; `information`: one account field. */
export const REVEAL_FIELDS = ["document", "identity", "information"] as const;
export type RevealField = (typeof REVEAL_FIELDS)[number];

/** `member`: index of the partner, null for the customer; `path`: of a field of an account's information. */
export type RevealTarget = {
  kind: CustomerKind;
  id: string;
  field: RevealField;
  member: number | null;
  path: string | null;
};

export const REVEAL_PATH_MAX = 200;

export const NOTE_MIN_LENGTH = 10;
export const NOTE_MAX_LENGTH = 500;

export const SHOWN_FOR_MS = 60_000;

/** How long a reason opens one record to its author. */
export const OPEN_FOR_MS = 10 * 60_000;

export type Revealed = {
  text: string;
  /** For a URL: its target. */
  link: SafeLink | null;
  /** E-mail of the person it is shown to. */
  shownTo: string;
  at: string;
};
