export type DraftFields = Readonly<Record<string, string>>;

export type Draft = {
  /** Also the intent on sending. */
  draftId: string;
  version: number;
  fields: DraftFields | null;
  /** It does not unseal: the form starts empty. */
  isUnopened?: true;
  savedAt: string | null;
};

/** Names the draft in the form's URL, so that a reload continues it. */
export const DRAFT_PARAMETER = "draft";

/** The field that remembers the step of a form. */
export const STEP_FIELD = "step";

/** A draft that a person may choose to continue. */
export type Unfinished = {
  draftId: string;
  subject: string | null;
  amount?: string;
  step: string | null;
  savedAt: string;
  /** Further URL parameters when it is listed outside its form. */
  at?: Readonly<Record<string, string>>;
};

/** `draft` is empty before `isChosen`: a person with unfinished drafts first chooses one. */
export type OpenedDrafts = { draft: Draft; unfinished: Unfinished[]; isChosen: boolean };

export type DraftOrder =
  | { do: "save"; draftId: string; version: number; fields: DraftFields }
  | { do: "discard"; draftId: string }
  | { do: "begin" }
  | { do: "read" };

/** Without fields right after a save. `isOther`: another tab had saved since, so nothing was saved. */
export type DraftAnswer = { draft: Draft; isOther: boolean };

const SECRET = /password|senha|secret|token|mfa|otp/i;

const isSecretField = (name: string): boolean => SECRET.test(name);

export const withoutSecrets = (fields: DraftFields): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !isSecretField(name)));
