/** What was typed into a form, by the dotted path of the field. */
export type DraftFields = Readonly<Record<string, string>>;

/** A long form as its person left it. */
export type Draft = {
  /** Names what is sent from it, too: sent twice, it takes effect once. */
  draftId: string;
  /** Counts the savings. */
  version: number;
  /** Null: nothing was typed yet. */
  fields: DraftFields | null;
  /** What was kept does not open: the form begins anew. */
  isUnopened?: true;
  /** ISO; null: never. */
  savedAt: string | null;
};

/** What a form asks of its draft; `version` is the one that it wrote on. */
export type DraftOrder =
  | { do: "save"; draftId: string; version: number; fields: DraftFields }
  | { do: "discard"; draftId: string }
  | { do: "read" };

/**
 * The draft as it stands now, without its fields when these were just saved. `isOther`: nothing was saved, for another tab had
 * saved since that version.
 */
export type DraftAnswer = { draft: Draft; isOther: boolean };

const SECRET = /password|senha|secret|token|mfa|otp/i;

/** Whether what is typed there passes through and is kept nowhere. */
const isSecretField = (name: string): boolean => SECRET.test(name);

/** What of it may be kept. */
export const withoutSecrets = (fields: DraftFields): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !isSecretField(name)));
