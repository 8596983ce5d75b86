export const SEARCH_GROUPS = [
  "accounts",
  "onboarding",
  "kyc",
  "transfers",
  "entries",
  "wallets",
  "approvals",
  "deliveries",
  "calls",
  "help",
] as const;
export type SearchGroup = (typeof SEARCH_GROUPS)[number];

/** What the text may be by its shape; null: nothing searchable. */
export const SEARCH_SHAPES = [
  "cpf",
  "cnpj",
  "number",
  "uuid",
  "address",
  "hash",
  "pix-key",
  "slip",
  "several",
  "mask",
  "id",
] as const;
export type SearchShape = (typeof SEARCH_SHAPES)[number];

/** The number of digits, when one more or less would make a CPF or a CNPJ; else null. */
export function digitsOfSlip(typed: string): number | null {
  const plain = typed.replaceAll(/[.\s-]/g, "");
  return /^(?:\d{10}|\d{12,13})$/.test(plain) ? plain.length : null;
}

/** A stored record, with personal data masked. */
export type SearchHit = {
  group: SearchGroup;
  href: string;
  /** Its name, as the provider or a mask shows it. */
  title: string;
  /** The provider's word for its state; null without one. */
  state: string | null;
  detail: string | null;
  /** Found by its document's mask alone. */
  isPerhaps?: true;
};

export type SearchAnswer = {
  shape: SearchShape | null;
  hits: SearchHit[];
  /** Groups with more hits than shown. */
  more: SearchGroup[];
  /** The provider can look up a customer with this document, number or id. */
  canAskProvider: boolean;
  /** Possibly a PIX key whose holder this person may look up with a reason. */
  canAskPixKey: boolean;
  /** Possibly what a customer paid to, or with, and this person may ask. */
  canAskPaid: boolean;
  /** Records were found by this masked document after adding its leading zeros. */
  restored: string | null;
  /** Nothing was found, by this masked document with its leading zeros neither. */
  alsoRead: string | null;
};
