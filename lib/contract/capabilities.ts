import { z } from "zod";
import { EntryTelling } from "./crypto";
import { totalsOf } from "./kyc";
import { accountWordsIn, type FieldName, findIn, readList, userIdIn } from "./open-answer";
import type { ReadName } from "./reads";
import { WholeNumber } from "./shared";

type Capability = {
  read: ReadName;
  /** Null: the answer has nothing that could tell it. */
  isTold: (answer: unknown) => boolean | null;
};

const ListIn = z.object({ data: z.array(z.unknown()) });
const StatementIn = z.object({ data: z.object({ transactions: z.array(z.unknown()) }) });
const CasesIn = z.object({ result: z.array(z.unknown()) });
const PagesIn = z.object({ data: z.object({ totalPages: WholeNumber }) });
const Referring = z.object({ reference: z.string().trim().min(1) });
const Linked = z.union([
  z.object({ webviewUrl: z.string().min(1) }),
  z.object({ webviewUrls: z.array(z.unknown()).min(1) }),
]);

const some = (entries: readonly unknown[] | undefined, isIt: (entry: unknown) => boolean): boolean | null =>
  entries === undefined || entries.length === 0 ? null : entries.some(isIt);

const entriesIn = (answer: unknown) => ListIn.safeParse(answer).data?.data;
const transactionsIn = (answer: unknown) => StatementIn.safeParse(answer).data?.data.transactions;
const casesIn = (answer: unknown) => CasesIn.safeParse(answer).data?.result;

const accountsIn = (answer: unknown) =>
  readList(answer, (entry) => (findIn(entry, "accountId") === null ? null : entry)).understood;

const chain = (part: keyof z.output<typeof EntryTelling>): Capability => ({
  read: "getWalletHistory",
  isTold: (answer) => some(entriesIn(answer), (entry) => (EntryTelling.safeParse(entry).data?.[part] ?? "") !== ""),
});

const names = (read: ReadName, entries: typeof entriesIn, field: FieldName): Capability => ({
  read,
  isTold: (answer) => some(entries(answer), (entry) => findIn(entry, field) !== null),
});

function hasTotals(answer: unknown): boolean | null {
  if (typeof answer !== "object" || answer === null) return null;
  const { pages, records } = totalsOf(answer);
  return pages > 0 || records > 0;
}

/** The optional parts of answers that the console makes use of where a provider tells them. */
export const CAPABILITIES = {
  asset: chain("asset"),
  token: chain("tokenAddress"),
  fee: chain("fee"),
  reference: {
    read: "listWallets",
    isTold: (answer) => some(entriesIn(answer), (entry) => Referring.safeParse(entry).success),
  },
  walletUser: { read: "listWallets", isTold: (answer) => some(entriesIn(answer), (entry) => userIdIn(entry) !== "") },
  accountUser: { read: "getAccounts", isTold: (answer) => some(accountsIn(answer), (entry) => userIdIn(entry) !== "") },
  accountStatus: {
    read: "getAccounts",
    isTold: (answer) => some(accountsIn(answer), (entry) => accountWordsIn(entry).length > 0),
  },
  accountPages: { read: "getAccounts", isTold: (answer) => findIn(answer, "totalPages") !== null },
  statementPages: { read: "getHistory", isTold: (answer) => PagesIn.safeParse(answer).success },
  returnOf: names("getHistory", transactionsIn, "returnOf"),
  endToEnd: names("getHistory", transactionsIn, "endToEndId"),
  kycTotal: { read: "listKyc", isTold: hasTotals },
  kycLink: { read: "listKyc", isTold: (answer) => some(casesIn(answer), (one) => Linked.safeParse(one).success) },
} as const satisfies Record<string, Capability>;

export type CapabilityName = keyof typeof CAPABILITIES;
