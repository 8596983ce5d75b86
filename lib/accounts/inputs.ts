import { z } from "zod";
import { isCnpj, isCpf } from "@/lib/contract/document";
import { normaliseDocument, pasted, pastedEmail } from "@/lib/contract/fold";
import { fold } from "@/lib/contract/signs";
import { Required, Secret } from "@/lib/contract/shared";
import { isUuid } from "@/lib/text/decode";
import { FilterAmount, FilterDay, lenient, SearchText } from "@/lib/text/filter";
import { civilDaysAgo, firstOfLastDays } from "@/lib/text/time";
import { ACCOUNT_ORDERS, ACCOUNT_VIEWS, CLOSING_REASON_MAX, CLOSING_USER_MAX, STATEMENT_PRESETS } from "./view";
import { identifiersIn } from "@/lib/text/tipping-off";

/** The list's filter from the URL; invalid values become the default. */
export const AccountFilter = z.object({
  view: z.enum(ACCOUNT_VIEWS).catch("all"),
  kind: z.enum(["PF", "PJ"]).optional().catch(undefined),
  sort: z.enum(ACCOUNT_ORDERS).catch("opened"),
  dir: z.enum(["desc", "asc"]).catch("desc"),
  page: z.coerce.number().int().min(1).catch(1),
});
export type AccountFilter = z.output<typeof AccountFilter>;

export const STATEMENT_PAGE_SIZE = 50;
const DEFAULT_DAYS = 30;

const Word = z.string().trim().min(1).max(60).optional().catch(undefined);

/** The statement's filter from the URL; invalid values become the default, the last 30 days. */
export const StatementFilter = z
  .object({
    from: FilterDay.optional().catch(undefined),
    to: FilterDay.optional().catch(undefined),
    preset: z.enum(STATEMENT_PRESETS).optional().catch(undefined),
    page: z.coerce.number().int().min(1).catch(1),
    /** The provider's number of its first page, and the previous page's number, from the page that links here. */
    first: z.coerce.number().int().min(0).max(1_000).optional().catch(undefined),
    after: z
      .string()
      .regex(/^[\da-f]{16}$/)
      .optional()
      .catch(undefined),
    /** How many matching entries of the page were already shown. */
    skip: z.coerce.number().int().min(0).max(10_000).catch(0),
    direction: z.enum(["in", "out"]).optional().catch(undefined),
    type: Word,
    /** The provider's word. */
    status: Word,
    min: FilterAmount,
    max: FilterAmount,
    search: lenient(SearchText),
    pix: z.union([z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")]).catch(false),
  })
  .transform(({ from, to, ...rest }) => {
    const end = to ?? civilDaysAgo(0);
    const start = from ?? firstOfLastDays(DEFAULT_DAYS);
    return start <= end ? { from: start, to: end, ...rest } : { from: end, to: start, ...rest };
  });
export type StatementFilter = z.output<typeof StatementFilter>;

/** Filters that the provider does not offer and that we apply to its answers. */
export const isSifted = ({ direction, type, status, min, max, search }: StatementFilter): boolean =>
  [direction, type, status, min, max, search].some((one) => one !== undefined);

/** Whether the period includes every entry up to now. */
export const reachesNow = (filter: StatementFilter): boolean =>
  !isSifted(filter) && !filter.pix && filter.to >= civilDaysAgo(0);

/** The filter for a URL; `next` is where to continue. */
export function statementFilterValues(filter: StatementFilter) {
  const { from, to, direction, type, status, min, max, search, pix } = filter;
  return { from, to, direction, type, status, min, max, search, pix };
}

export const statementPageValues = (filter: StatementFilter) => ({
  ...statementFilterValues(filter),
  preset: filter.preset,
});

/** The transaction whose details are requested. */
export const EntryQuery = z.object({
  transaction: z.string().trim().min(1).max(2_000).catch(""),
  direction: z.enum(["CREDIT", "DEBIT"]).optional().catch(undefined),
});
export type EntryQuery = z.output<typeof EntryQuery>;

/** The audited reason for a file with names in clear. */
export const RevealId = z.string().nullable().default(null);

export const StatementFormat = z.enum(["csv", "ofx", "pdf"]).catch("csv");
export type StatementFormat = z.output<typeof StatementFormat>;

const holdsNoIdentifier = (text: string) => identifiersIn(text).length === 0;

/** An account to close and the reason, as the form sends them. */
export const ClosureForm = z.strictObject({
  /** Created when the form opened. */
  intentId: z.uuid(),
  ref: z.uuid(),
  userId: z.string().transform(pasted).pipe(Required.max(CLOSING_USER_MAX)),
  reason: Required.max(CLOSING_REASON_MAX).refine(holdsNoIdentifier, { params: { code: "no-identifier" } }),
});
export type ClosureForm = z.output<typeof ClosureForm>;

/** The holder's secrets: passed on once and stored nowhere. */
export const HolderProof = z.strictObject({
  userAccessToken: Secret.max(8192),
  code: z
    .string()
    .transform((typed) => typed.replaceAll(/\s/g, ""))
    .pipe(z.string().refine((digits) => /^\d{6}$/.test(digits), { params: { code: "six-digits" } })),
});
export type HolderProof = z.output<typeof HolderProof>;

/** Completes an authorised closing. */
export const CarryingOut = HolderProof.extend({ approvalId: z.uuid() });

/** Closes at once, when no approval is needed. */
export const ClosingNow = z.strictObject({ ...ClosureForm.shape, ...HolderProof.shape });

/** A frozen closing order, with the account's balance at the proposal in reais with two decimals. */
export const ClosureOrder = z.strictObject({
  ...ClosureForm.shape,
  /** As the provider prints it. */
  number: Required,
  seen: z.strictObject({ balance: z.string(), blockedBalance: z.string() }),
  files: z.array(z.string()).optional(),
});
export type ClosureOrder = z.output<typeof ClosureOrder>;

export type Direction = "CREDIT" | "DEBIT";

const WORDS: Readonly<Record<Direction, readonly string[]>> = {
  CREDIT: ["CREDIT", "CREDITO", "CRED", "CR", "C", "IN", "INBOUND", "INCOMING", "CASHIN", "ENTRADA", "RECEBIDO"],
  DEBIT: ["DEBIT", "DEBITO", "DEB", "DB", "D", "OUT", "OUTBOUND", "OUTGOING", "CASHOUT", "SAIDA", "ENVIADO"],
};

/** The direction that a word means, in any case, accents or hyphens; null when unknown. */
export function entryDirection(word: string): Direction | null {
  const plain = word.normalize("NFD").replaceAll(/\P{L}/gu, "").toUpperCase();
  if (WORDS.CREDIT.includes(plain)) return "CREDIT";
  return WORDS.DEBIT.includes(plain) ? "DEBIT" : null;
}

const EMAIL = /^[!-?A-~]{1,64}@[!--/-?A-~]{1,63}(?:\.[!--/-?A-~]{1,63}){1,8}$/;
/** Area code and number; without a plus only existing area codes, since other eleven digits are meant as a CPF. */
const NATIONAL = /^[1-9]\d{9,10}$/;
const AREA = /^(?:1[1-9]|2[12478]|3[1-578]|4[1-9]|5[1345]|6[1-9]|7[13-579]|[89][1-9])(?:9\d{8}|[2-8]\d{7})$/;

/** As the central bank's directory writes it: digits, `+5511987654321`, a lower-case e-mail or UUID; null for no key. */
export function readPixKey(given: string): string | null {
  const typed = pasted(given).replace(/^(?:chave +)?pix *: *(?:\/\/)?/i, "");
  const email = pastedEmail(typed);
  if (EMAIL.test(email)) return email.toLowerCase();
  const text = fold(typed)
    .trim()
    .replace(/^(?:tel|urn:uuid):/i, "");
  if (isUuid(text)) return text.toLowerCase();
  const isCalled = /^ *tel:/i.test(fold(typed));
  const document = normaliseDocument(text);
  if (!isCalled && !text.startsWith("+") && (isCpf(document) || isCnpj(document))) return document;
  const digits = text.replace(/^\(?0(?=[1-9])/, "").replaceAll(/[ ().,/-]/g, "");
  const national = digits.replace(/^(?:\+|00)?55(?=\d{10,11}$)/, "");
  if (/^\+(?!55)[1-9]\d{7,14}$/.test(digits)) return digits;
  return (digits.startsWith("+") ? NATIONAL : AREA).test(national) ? `+55${national}` : null;
}

/** Lengths that no document has: a phone without its area code, or with too many digits. */
const PHONE_IN_PART = /^(?:tel:.*|\+\d+|\d{7,10}|\d{12,13})$/i;

export const whyNoPixKey = (typed: string): "pix-key" | "pix-key-phone" =>
  PHONE_IN_PART.test(fold(typed).replaceAll(/[ ().,/-]/g, "")) ? "pix-key-phone" : "pix-key";
