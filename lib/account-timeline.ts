/** What can happen to an account, as far as this console knows of it. */
export const ACCOUNT_EVENT_KINDS = [
  /** The provider opened it, as its onboarding told. */
  "opened",
  /** First kept here. */
  "known",
  "closing-proposed",
  "closing-authorised",
  "closing-refused",
  "closing-withdrawn",
  "closing-expired",
  /** It could not be carried out, and nothing was sent. */
  "closing-failed",
  /** Sent, and not answered yet. */
  "closing-sent",
  /** The provider said no. */
  "closing-rejected",
  "closed",
] as const;
export type AccountEventKind = (typeof ACCOUNT_EVENT_KINDS)[number];

export type AccountEvent = {
  /** ISO. */
  at: string;
  kind: AccountEventKind;
  /** Null: the provider, or nobody. */
  byName: string | null;
  isMine: boolean;
};
