export type DraftFields = Readonly<Record<string, string>>;

export type Draft = {
  /** Also the intent of what is sent from it. */
  draftId: string;
  version: number;
  fields: DraftFields | null;
  /** It does not unseal: the form begins anew. */
  isUnopened?: true;
  savedAt: string | null;
};

/** Names the draft in the address of its form: reloading goes on with it. */
export const DRAFT_PARAMETER = "draft";

/** The field of a form in steps that says at which it was left. */
export const STEP_FIELD = "step";

/** Something typed and not sent, to be gone on with on purpose. */
export type Unfinished = {
  draftId: string;
  subject: string | null;
  step: string | null;
  savedAt: string;
  /** What its address names besides, where it is listed elsewhere than on its form. */
  at?: Readonly<Record<string, string>>;
};

/** `draft` is nobody's before `isChosen`: whoever left something unfinished says first whether to go on with it. */
export type OpenedDrafts = { draft: Draft; unfinished: Unfinished[]; isChosen: boolean };

export type DraftOrder =
  | { do: "save"; draftId: string; version: number; fields: DraftFields }
  | { do: "discard"; draftId: string }
  | { do: "begin" }
  | { do: "read" };

/** Without fields right after a save. `isOther`: another tab had saved since, so nothing was. */
export type DraftAnswer = { draft: Draft; isOther: boolean };

const SECRET = /password|senha|secret|token|mfa|otp/i;

const isSecretField = (name: string): boolean => SECRET.test(name);

export const withoutSecrets = (fields: DraftFields): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !isSecretField(name)));
