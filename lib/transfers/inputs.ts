import { z } from "zod";
import { ExternalTransfer, InternalTransfer } from "@/lib/contract/accounts";
import { documentsWithin } from "@/lib/contract/document";
import { Document } from "@/lib/contract/document-schema";
import { pasted } from "@/lib/contract/fold";
import { fold } from "@/lib/contract/signs";
import { BrlAmount, Required } from "@/lib/contract/shared";
import { FilterAmount, FilterDay, lenient } from "@/lib/text/filter";
import { SEARCH_MAX } from "@/lib/text/page";
import { PERIODS, settlePeriod } from "@/lib/text/period";
import { readReais, withoutCurrency } from "@/lib/text/typed-amount";
import { HolderName, oneOf, documentField } from "@/lib/text/field-rules";
import { DraftOrder } from "@/lib/drafts/inputs";
import { bankOfIspb } from "@/lib/text/banks";
import { ACCOUNT_TYPES, DESCRIPTION_MAX, PAYEE_TRAITS, TRANSFER_STATES, TRANSFER_VIEWS, USER_MAX } from "./view";
import { TRANSFER_KINDS, type TransferKind } from "@/lib/db/enums/transfers";

/** Reais as a person writes them, exact to the cent: accepts `150`, `150.7` and `150.70`, and yields the last. */
const Reais = BrlAmount.out.transform((decimal) => {
  const [whole = "", cents = ""] = decimal.split(".");
  return `${whole.replace(/^0+(?=\d)/, "")}.${cents.padEnd(2, "0")}`;
});

const ordered = {
  /** Created when the form opened. */
  intentId: z.uuid(),
  /** The person has seen the similar transfer and wants another. */
  isRepeat: z.boolean().default(false),
  /** Similar transfers that the person has seen; null when an earlier version stored none. */
  seen: z.array(z.uuid()).nullable().default(null),
};

/** A transfer between two accounts at the provider, as a form sends it. */
export const InternalOrder = z
  .object({
    ...ordered,
    userId: InternalTransfer.shape.userId,
    accountIdFrom: Required,
    accountIdTo: Required,
    amount: Reais,
    description: Required.optional(),
  })
  .refine((order) => order.accountIdTo !== order.accountIdFrom, { path: ["accountIdTo"], params: { code: "same" } });
export type InternalOrder = z.output<typeof InternalOrder>;

/** A TED, as a form sends it. */
export const ExternalOrder = z.object({ ...ExternalTransfer.shape, ...ordered, value: Reais });
export type ExternalOrder = z.output<typeof ExternalOrder>;

/** The fields of a TED that name its payee. */
export const TedPayee = z.object({
  document: ExternalTransfer.shape.document,
  name: ExternalTransfer.shape.name,
  institutionIspb: ExternalTransfer.shape.institutionIspb,
  institutionCode: ExternalTransfer.shape.institutionCode,
  branchCode: ExternalTransfer.shape.branchCode,
  accountCode: ExternalTransfer.shape.accountCode,
  bankAccountType: ExternalTransfer.shape.bankAccountType,
});
export type TedPayee = z.output<typeof TedPayee>;

/** The fields that make two orders similar. */
export type Essence = {
  kind: TransferKind;
  accountId: string;
  /** Identifies the destination in any spelling. */
  destination: string;
  /** Identifies the paid account in any spelling, whatever holder is named. */
  payee: string;
  /** The named holder's document; not needed for an account at the same provider. */
  holder: string;
  /** Reais, with two decimals. */
  amount: string;
};

type OrderFields<Order> = Omit<Order, "intentId" | "isRepeat" | "seen">;

const bare = (text: string) =>
  text
    .replaceAll(/[^\dXP]/gi, "")
    .toUpperCase()
    .replace(/^0+/, "");

export const ownPayee = (accountId: string): string => `INTERNAL\n${accountId}`;

export const essenceOfInternal = ({ accountIdFrom, accountIdTo, amount }: OrderFields<InternalOrder>): Essence => ({
  kind: "INTERNAL",
  accountId: accountIdFrom,
  destination: accountIdTo,
  payee: ownPayee(accountIdTo),
  holder: "",
  amount,
});

export const essenceOfExternal = (order: OrderFields<ExternalOrder>): Essence => {
  const { idAccount: accountId, institutionIspb: ispb, branchCode, accountCode, document, value: amount } = order;
  const paid = [ispb, bare(branchCode), bare(accountCode)];
  return {
    kind: "EXTERNAL",
    accountId,
    destination: [...paid, document].join("\n"),
    payee: ["EXTERNAL", ...paid].join("\n"),
    holder: document,
    amount,
  };
};

/** The parts of an order for the list's filters and sums. */
export type PaidParty = {
  /** Null when the order does not open. */
  amount: string | null;
  accountId: string | null;
  ispb: string | null;
  document: string | null;
  name: string | null;
};

export const paidByInternal = ({
  accountIdTo,
  amount,
}: Pick<InternalTransfer, "accountIdTo" | "amount">): PaidParty => ({
  amount,
  accountId: accountIdTo,
  ispb: null,
  document: null,
  name: null,
});

type TedFields = Pick<ExternalTransfer, "value" | "institutionIspb" | "document" | "name">;

export const paidByExternal = ({ value, institutionIspb, document, name }: TedFields): PaidParty => ({
  amount: value,
  accountId: null,
  ispb: institutionIspb,
  document,
  name,
});

/** Orders of one day that have it in common may be one order given twice. */
export const fingerprintOn = ({ kind, accountId, destination, amount }: Essence, day: string): string =>
  [kind, accountId, destination, amount, day].join("\n");

function whatIsWrongWith(typed: string): string {
  if (/[^\d., -]/.test(typed) || !/\d/.test(typed)) return "amount-number";
  if (typed.startsWith("-") || !/[1-9]/.test(typed)) return "amount-positive";
  if (/^\d{1,3}[.,]\d{3}$/.test(typed)) return "amount-ambiguous";
  if (/^[^.]*\.\d{3,}$|^[^,]*,\d{3,}$/.test(typed)) return "amount-cents";
  return readReais(typed) === null ? "amount-number" : "amount-large";
}

/** Reais as people write them: `1.234,50`, `1,234.50`, `1234`. */
const TypedReais = Required.transform((written, context) => {
  const typed = withoutCurrency(written);
  const reais = readReais(typed);
  const read = reais === null ? null : Reais.safeParse(reais);
  if (read?.success === true) return read.data;
  context.addIssue({ code: "custom", params: { code: whatIsWrongWith(typed) } });
  return z.NEVER;
});

/** Another bank's number, as printed: `12.345-6`, `1234-P`; any dash before the check digit, or a slash. */
const printed = Required.transform((typed) =>
  fold(typed)
    .replaceAll(/[ .]/g, "")
    .replace(/\/(?=[\dXP]$)/i, "-")
    .toUpperCase(),
);
const Branch = printed.pipe(
  z.string().refine((typed) => /^\d{1,5}(-?[\dXP])?$/.test(typed), { params: { code: "branch" } }),
);
const AccountNumber = printed.pipe(
  z
    .string()
    .refine((typed) => /^\d{1,20}(-?[\dXP])?$/.test(typed) && /^0*[1-9]/.test(typed), { params: { code: "account" } }),
);
const Ispb = Required.refine((ispb) => /^\d{8}$/.test(ispb), { params: { code: "ispb" } });
const BankCode = Required.refine((code) => /^\d{1,3}$/.test(code), { params: { code: "bank-code" } });

const shared = {
  /** The paying account, by our reference. */
  from: z.uuid(),
  userId: z.string().transform(pasted).pipe(Required.max(USER_MAX)),
  amount: TypedReais,
};

const between = {
  kind: z.literal("INTERNAL"),
  ...shared,
  /** The paid account, by our reference. */
  to: z.uuid(),
  description: z
    .string()
    .trim()
    .max(DESCRIPTION_MAX)
    .refine((text) => documentsWithin(text).length === 0, { params: { code: "no-document" } }),
};

const recipient = {
  institutionIspb: Ispb,
  /** As people write it, with its zeros. */
  institutionCode: BankCode,
  branchCode: Branch,
  accountCode: AccountNumber,
  bankAccountType: oneOf(ACCOUNT_TYPES),
  document: documentField(Document),
  name: HolderName,
};

const ted = { kind: z.literal("EXTERNAL"), ...shared, ...recipient };

const toPayee = { kind: z.literal("PAYEE"), ...shared, payee: z.uuid() };

type Paying = { from: string; to: string };
const goesElsewhere = ({ from, to }: Paying) => from !== to;
const same = { path: ["to"], params: { code: "same-account" } };

type Banking = { institutionIspb: string; institutionCode: string };

/** A bank of the central bank's list has one code. */
const isItsCode = ({ institutionIspb, institutionCode }: Banking) => {
  const bank = bankOfIspb(institutionIspb);
  return bank === null || Number(bank.code) === Number(institutionCode);
};
const otherBank = { path: ["institutionCode"], params: { code: "bank-mismatch" } };

export const TransferForm = z.discriminatedUnion("kind", [
  z.strictObject(between).refine(goesElsewhere, same),
  z.strictObject(ted).refine(isItsCode, otherBank),
  z.strictObject(toPayee),
]);
export type TransferForm = z.output<typeof TransferForm>;

/** `seen`: the similar transfers that the person has seen and accepts. */
const order = { intentId: z.uuid(), seen: z.array(z.uuid()).max(100) };

export const TransferOrder = z.discriminatedUnion("kind", [
  z.strictObject({ ...between, ...order }).refine(goesElsewhere, same),
  z.strictObject({ ...ted, ...order }).refine(isItsCode, otherBank),
  z.strictObject({ ...toPayee, ...order }),
]);
export type TransferOrder = z.output<typeof TransferOrder>;

export const PayeeSaving = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("EXTERNAL"), ...recipient }).refine(isItsCode, otherBank),
  z.strictObject({ kind: between.kind, to: between.to }),
]);
export type PayeeSaving = z.output<typeof PayeeSaving>;

export const PayeeRemoval = z.strictObject({ payeeId: z.uuid() });
export type PayeeRemoval = z.output<typeof PayeeRemoval>;

export const TransferDrafting = z.strictObject({ kind: z.enum(TRANSFER_KINDS), from: z.uuid(), order: DraftOrder });
export type TransferDrafting = z.output<typeof TransferDrafting>;

const Filter = z.object({
  view: z.enum(TRANSFER_VIEWS).catch("all"),
  kind: z.enum(TRANSFER_KINDS).optional().catch(undefined),
  period: z.enum(PERIODS).optional().catch(undefined),
  /** São Paulo days, both included. */
  from: lenient(FilterDay),
  to: lenient(FilterDay),
  min: FilterAmount,
  max: FilterAmount,
  state: lenient(z.enum(TRANSFER_STATES)),
  /** Who ordered it: the reader, or a person by their id. */
  who: lenient(z.union([z.literal("me"), z.uuid()])),
  /** Transfers to this transfer's payee, by document or name, neither of which is in the URL. */
  payeeOf: lenient(z.uuid()),
  payeeBy: lenient(z.enum(PAYEE_TRAITS)),
  /** ISPB of the receiving bank. */
  bank: lenient(z.string().regex(/^\d{8}$/)),
  /** The paying account, by our reference. */
  account: z.uuid().optional().catch(undefined),
  page: z.coerce.number().int().min(1).catch(1),
});

/** The list's filter from the URL; invalid values become the default. A URL has no order, so dates win over a period. */
export const TransferFilter = Filter.transform((filter) => settlePeriod(filter, filter.period));
export type TransferFilter = z.output<typeof TransferFilter>;

export const PayeeQuery = z.strictObject({ query: Required.max(SEARCH_MAX) });
export type PayeeQuery = z.output<typeof PayeeQuery>;

export const HoldCheck = z.strictObject({ intentId: z.uuid() });
