export const SEARCH_GROUPS = [
  "accounts",
  "onboarding",
  "kyc",
  "transfers",
  "wallets",
  "approvals",
  "deliveries",
  "calls",
] as const;
export type SearchGroup = (typeof SEARCH_GROUPS)[number];

/** What the text can be by its shape; null: nothing that is searched for. */
export const SEARCH_SHAPES = [
  "cpf",
  "cnpj",
  "number",
  "uuid",
  "address",
  "hash",
  "pix-key",
  "slip",
  "mask",
  "id",
] as const;
export type SearchShape = (typeof SEARCH_SHAPES)[number];

/** How many, where one digit more or less would make a CPF or a CNPJ; else null. */
export function digitsOfSlip(typed: string): number | null {
  const plain = typed.replaceAll(/[.\s-]/g, "");
  return /^(?:\d{10}|\d{12,13})$/.test(plain) ? plain.length : null;
}

/** A record that is kept here, with nothing of a person but masked. */
export type SearchHit = {
  group: SearchGroup;
  /** Its screen. */
  href: string;
  /** Its name, as the provider or a mask has it. */
  title: string;
  /** The provider's word of its state; null where it has none. */
  state: string | null;
  detail: string | null;
  /** Found by the mask of its document alone. */
  isPerhaps?: true;
};

export type SearchAnswer = {
  shape: SearchShape | null;
  hits: SearchHit[];
  /** Groups that hold more than is shown. */
  more: SearchGroup[];
  /** The provider can be asked about a customer of this document, number or id. */
  canAskProvider: boolean;
  /** It may be a PIX key, whose holder this person may look up with a reason. */
  canAskPixKey: boolean;
  /** Records were found by this document, masked, of which the zeros at its beginning were not typed. */
  restored: string | null;
};
