import { z } from "zod";
import { maskWithin } from "@/lib/contract/document";
import { pasted } from "@/lib/contract/fold";
import { typedNetwork } from "@/lib/contract/network-names";
import { NETWORKS } from "@/lib/contract/crypto";
import { CryptoAmount, isStorable } from "@/lib/contract/shared";
import { DEPOSIT_CLASSES, DEPOSIT_REASONS, WITHDRAWAL_REASONS } from "@/lib/db/enums/deposits";
import { CsvText } from "@/lib/text/field-rules";
import { FilterDay, lenient, SearchId, SearchText } from "@/lib/text/filter";
import { readCoins } from "@/lib/text/typed-amount";
import { PERIODS, settlePeriod } from "@/lib/text/period";
import { AddressOrder, pastedAddress } from "@/lib/wallets/inputs";
import { ASSET_MAX, DEPOSIT_OWNERS, DEPOSIT_VIEWS, NOTE_MAX } from "./view";

const Cursor = z.string().regex(/^\d{1,15}-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/);

/** The list's filter in the address; bad values become the default. */
export const DepositFilter = z
  .object({
    view: z.enum(DEPOSIT_VIEWS).catch("exceptions"),
    class: lenient(z.enum(DEPOSIT_CLASSES)),
    period: lenient(z.enum(PERIODS)),
    /** Days of São Paulo, both included. */
    from: lenient(FilterDay),
    to: lenient(FilterDay),
    network: lenient(z.enum(NETWORKS)),
    owner: lenient(z.enum(DEPOSIT_OWNERS)),
    /** The whole reference, address or hash, or the id. */
    search: lenient(z.string().transform(pastedAddress).pipe(SearchId.or(SearchText))),
    before: lenient(Cursor),
    after: lenient(Cursor),
  })
  .transform((filter) => settlePeriod(filter, filter.period));
export type DepositFilter = z.output<typeof DepositFilter>;

export const ExpectedReference = AddressOrder.shape.reference;

/** Coins as people write them, or why they cannot be read. */
export function readExpected(typed: string): { amount: string } | { wrong: "coins" | "coins-ambiguous" } {
  const read = readCoins(typed);
  if (read === "ambiguous") return { wrong: "coins-ambiguous" };
  const amount = CryptoAmount.safeParse(read);
  return amount.success ? { amount: amount.data } : { wrong: "coins" };
}

const TypedCoins = z.string().transform((typed, context) => {
  const read = readExpected(typed);
  if ("amount" in read) return read.amount;
  context.addIssue({ code: "custom", params: { code: read.wrong } });
  return z.NEVER;
});

const emptyAsNull = z
  .string()
  .transform(pasted)
  .transform((text) => (text === "" ? null : text));

export const ExpectedAsset = emptyAsNull.pipe(
  z
    .string()
    .max(ASSET_MAX)
    .regex(/[A-Za-z]/)
    .refine(isStorable)
    .nullable(),
);

export const ExpectedNetwork = emptyAsNull
  .transform((text) => (text === null ? null : (typedNetwork(text) ?? text)))
  .pipe(z.enum(NETWORKS).nullable());

export const ExpectedDay = emptyAsNull.pipe(FilterDay.nullable());

export const ExpectOrder = z.strictObject({
  reference: ExpectedReference,
  amount: TypedCoins,
  asset: ExpectedAsset,
  network: ExpectedNetwork,
  due: ExpectedDay,
});
export type ExpectOrder = z.output<typeof ExpectOrder>;

export const DepositFile = z.strictObject({ csv: CsvText.max(1_000_000) });

export const Note = z
  .string()
  .trim()
  .max(NOTE_MAX)
  .refine(isStorable, { params: { code: "characters" } })
  .refine((text) => maskWithin(text) === text, { params: { code: "no-document" } })
  .transform((text) => (text === "" ? null : text));

export const Handling = z.strictObject({
  id: z.uuid(),
  owner: z.enum(["me", "nobody", "same"]),
  reason: z.enum(DEPOSIT_REASONS).nullable(),
  note: Note,
  /** The version that the person saw. */
  seen: z.string().max(20),
});
export type Handling = z.output<typeof Handling>;

export const Withdrawal = z.strictObject({
  id: z.uuid(),
  reason: z.string().pipe(z.enum(WITHDRAWAL_REASONS)),
  /** The version that the person saw. */
  seen: z.string().max(20),
});
export type Withdrawal = z.output<typeof Withdrawal>;
