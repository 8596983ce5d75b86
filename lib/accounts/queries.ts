import { and, eq, sql } from "drizzle-orm";
import { getTranslations } from "next-intl/server";
import { cache } from "react";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/permission/grant";
import { AppError } from "@/lib/errors/app-error";
import type { Related } from "@/lib/kyc/queries";
import { relatedTo } from "@/lib/kyc/records";
import { recordAccess } from "@/lib/audit/access-log";
import { companyOf, companySettingsOf } from "@/lib/pdf/letterhead";
import { requireAdmitted } from "@/lib/privacy/reveal";
import { type Download, query } from "@/lib/query";
import { accountDocument, shownAccountDocument } from "@/lib/db/document";
import { preparedOnce } from "@/lib/db/prepared";
import { readUnreadOnboardings } from "@/lib/onboarding/records";
import { account, onboarding } from "@/lib/db/tables/customers";
import { UnsealError, unsealedOrNull } from "@/lib/db/seal";
import { db } from "@/lib/db/connection";
import { isUuid } from "@/lib/text/decode";
import { findUser } from "./find-user";
import {
  type CounterpartyTransfers,
  type EntryTransfer,
  findCounterpartyTransfers,
  findTransferOfEntry,
} from "./transfer-of-entry";
import { type AccountUser, LETTER_FILE, receiptFile, STATEMENT_FILE } from "./view";
import { printLetter } from "./letter";
import { readCasework, takeAccountFile } from "./notes";
import { readClosing, readClosingTerms } from "./closure";
import { readAccountTimeline } from "./timeline";
import { printReceipt, readReceipt, type EntryDetail, readEntryAndCounterparty } from "./receipt";
import { entriesOf } from "./export";
import { csvParts, entryWords } from "./export-csv";
import { openOfx, type OfxWords, ofxParts } from "./export-ofx";
import { pdfParts } from "./export-pdf";
import { type EntryQuery, statementFilterValues, RevealId, StatementFilter, type StatementFormat } from "./inputs";
import { readView, type StatementView } from "./search-statement";
import { exportAccountList, readAccounts, readRecentAccounts } from "./list";
import { type AccountRecord, readAccountRecord, readBalance } from "./records";
import type { AccountStanding } from "@/lib/db/enums/accounts";
import type { Statement } from "./statement";

type AccountRow = typeof account.$inferSelect;

export type AccountView = {
  ref: string;
  /** Masked. */
  document: string;
  kind: "PF" | "PJ";
  accountId: string;
  branch: string;
  number: string;
  onboardingRef: string | null;
  /** The opening time from the provider's list (ISO), if given. */
  openedAt: string | null;
  /** The provider's last reported status. */
  standing: AccountStanding;
  /** Initials; null until the provider names one. */
  holder: string | null;
  /** The last balance read for a person, for use while the provider is silent; null before the first. */
  known: BalanceView | null;
};

const accountByRef = preparedOnce((store) =>
  store
    .select()
    .from(account)
    .where(and(eq(account.tenant, sql.placeholder("tenant")), eq(account.ref, sql.placeholder("ref"))))
    .prepare("account_by_ref"),
);

const findAccount = cache(async (tenant: string, ref: string): Promise<AccountRow | null> => {
  if (!isUuid(ref)) return null;
  const [row] = await accountByRef(await db()).execute({ tenant, ref });
  return row ?? null;
});

/** What the provider needs to answer for an account: its id and, in clear for this one call, its holder. */
async function asked(actor: Actor, ref: string): Promise<{ accountId: string; documentNumber: string }> {
  const row = await findAccount(actor.tenant, ref);
  if (row === null) throw new AppError("not-found");
  const documentNumber = unsealedOrNull(() => accountDocument(row));
  if (documentNumber === null) throw new AppError("malformed", { code: "document-unopened" });
  return { accountId: row.accountId, documentNumber };
}

export type MovementRow = Statement["rows"][number];

/** An account's entries of a period, read for a watch at the lowest priority. Throws malformed `statement-incomplete` when entries may be missing. */
export async function openMovements(actor: Actor, ref: string, period: { from: string; to: string }) {
  const row = await findAccount(actor.tenant, ref);
  if (row === null) throw new AppError("not-found");
  const filter = StatementFilter.parse(period);
  const patient = { asked: await asked(actor, ref), object: `account:${ref}`, filter, isPatient: true };
  return {
    row,
    pages: () => entriesOf(actor, patient),
    ofx: (words: OfxWords) => openOfx(actor, row, patient, words),
  };
}

function knownBalance(row: typeof account.$inferSelect): BalanceView | null {
  const { balance, blockedBalance, balanceAt, statusWord, standing } = row;
  if (balanceAt === null || balance === null) return null;
  const asOf = balanceAt.toISOString();
  return { balance, blockedBalance: blockedBalance ?? "", status: statusWord ?? "", standing, asOf };
}

/** The account behind a reference, audited as a look by this person; null when there is none. */
export const getAccount = query("accounts:read", async (actor, ref: string): Promise<AccountView | null> => {
  const row = await findAccount(actor.tenant, ref);
  if (row === null) return null;
  const store = await db();
  const [[begun]] = await Promise.all([
    store
      .select({ id: onboarding.id })
      .from(onboarding)
      .where(and(eq(onboarding.tenant, actor.tenant), eq(onboarding.accountId, row.accountId)))
      .limit(1),
    recordAccess(actor, `account:${ref}`),
  ]);
  const document = shownAccountDocument(row).mask;
  const { accountId, branch, number, standing, holder } = row;
  const kind = document.includes("/") ? "PJ" : "PF";
  const openedAt = row.createdAt?.toISOString() ?? null;
  const known = knownBalance(row);
  return {
    ref,
    document,
    kind,
    accountId,
    branch,
    number,
    onboardingRef: begun?.id ?? null,
    openedAt,
    standing,
    holder,
    known,
  };
});

export const listRecentAccounts = query("accounts:read", readRecentAccounts);

/** The stored list of accounts, with the balances last read for a person. */
export const listAccounts = query("accounts:read", readAccounts);

export const listUnread = query("accounts:read", readUnreadOnboardings);

export const exportAccounts = query("statement:export", exportAccountList);

/** The progress of an account's closing; null without one and for an unknown account. */
export const getClosing = query("accounts:read", readClosing);

export const getTimeline = query("accounts:read", readAccountTimeline);

export const getCasework = query("accounts:read", readCasework);

export const openAccountFile = query("accounts:read", takeAccountFile);

/** Other records of its holder; cases with only the same mask are possible matches. */
export const getRelated = query("accounts:read", async ({ tenant }, ref: string): Promise<Related> => {
  const row = await findAccount(tenant, ref);
  if (row === null) return { cases: [], onboardings: [], accounts: [] };
  const related = await relatedTo(await db(), tenant, shownAccountDocument(row));
  return { ...related, accounts: related.accounts.filter((other) => other.ref !== ref) };
});

/** All facts for somebody about to close an account, read from the provider just now. */
export const getClosingTerms = query("accounts:close", async (actor, ref: string) => {
  if (!isUuid(ref)) throw new AppError("not-found");
  return readClosingTerms(actor, ref);
});

/** The provider's record of an account and its holder; null when it cannot be read now. */
export const getRecord = query("accounts:read", async (actor, ref: string): Promise<AccountRecord | null> => {
  const row = await findAccount(actor.tenant, ref);
  if (row === null) throw new AppError("not-found");
  await recordAccess(actor, `account:${ref}`);
  try {
    return await readAccountRecord(actor, row);
  } catch (error) {
    if (error instanceof AppError || error instanceof UnsealError) return null;
    throw error;
  }
});

/** The provider's user of an account; null when unknown. */
export const getUser = query("accounts:read", async ({ tenant }, ref: string): Promise<AccountUser | null> => {
  const row = await findAccount(tenant, ref);
  return row === null ? null : findUser(await db(), row);
});

/** Amounts are decimal strings in reais; any other value is shown as the provider wrote it, and empty when absent. */
export type BalanceView = {
  balance: string;
  blockedBalance: string;
  /** The provider's word for the account's status; empty when it only describes the answer. */
  status: string;
  standing: AccountStanding;
  asOf: string;
};

/** An account's current balance, audited as a look by this person. */
export const getBalance = query("accounts:read", async (actor, ref: string): Promise<BalanceView> => {
  const holder = await asked(actor, ref);
  await recordAccess(actor, `account:${ref}`);
  return readBalance(actor, holder, ref);
});

export type { AccountFileColumn, AccountList, AccountListRow, RecentAccount } from "./list";
export type { AccountRecord, RecordField } from "./records";
export type { StatementRow, UnreadRow } from "./statement";

export type { EntryDetail, EntryField } from "./receipt";
export type { StatementView, Totals } from "./search-statement";
export { balancesByDay, openingOf } from "./search-statement";
export type { OpeningBalance as Opening } from "./search-statement";

async function asking(actor: Actor, ref: string, given: Record<string, unknown>) {
  const holder = await asked(actor, ref);
  await recordAccess(actor, `account:${ref}`);
  return { asked: holder, object: `account:${ref}`, filter: StatementFilter.parse(given) };
}

/** The visible rows and the sums of the period from one reading, audited as a look by this person. */
export const getStatementView = query(
  "accounts:read",
  async (actor, ref: string, given: Record<string, unknown> = {}): Promise<StatementView> =>
    readView(actor, await asking(actor, ref, given)),
);

export type EntryWithTransfer = EntryDetail & {
  transfer: EntryTransfer | null;
  transfers: CounterpartyTransfers;
};

/** The provider's details of one of the account's transactions, audited as a look by this person. */
export const getEntry = query(
  "accounts:read",
  async (actor, ref: string, given: EntryQuery): Promise<EntryWithTransfer> => {
    if (given.transaction === "") throw new AppError("not-found");
    const { documentNumber } = await asked(actor, ref);
    await recordAccess(actor, `account:${ref}`);
    const [{ detail, counterparty, direction }, transfer] = await Promise.all([
      readEntryAndCounterparty(actor, { documentNumber, object: `account:${ref}`, ...given }),
      findTransferOfEntry(actor, given.transaction),
    ]);
    const { payeeOf, accountRef } = await findCounterpartyTransfers(actor, counterparty);
    const isPayeeOf = transfer !== null && (transfer.isReturn || direction === "DEBIT");
    return { ...detail, transfer, transfers: { payeeOf: payeeOf ?? (isPayeeOf ? transfer.id : null), accountRef } };
  },
);

export { type Party, receiptParts, type Receipt } from "./receipt";

async function receiptOf(actor: Actor, ref: string, { given, isNamed }: { given: EntryQuery; isNamed: boolean }) {
  const row = await findAccount(actor.tenant, ref);
  if (row === null || given.transaction === "") throw new AppError("not-found");
  const { documentNumber } = await asked(actor, ref);
  const mask = shownAccountDocument(row).mask;
  return readReceipt(actor, { row, documentNumber, mask, ...given }, isNamed);
}

/** One payment with both sides, masked, audited as a look by this person. */
export const getReceipt = query("accounts:read", async (actor, ref: string, given: EntryQuery) => {
  const receipt = await receiptOf(actor, ref, { given, isNamed: false });
  await recordAccess(actor, `account:${ref}`);
  return { ...receipt, company: await companyOf(actor.tenant) };
});

export type { CompanySettings } from "@/lib/pdf/letterhead";

/** The company named on receipts and statements. */
export const getCompany = query("settings:manage", ({ tenant }) => companySettingsOf(tenant));

/**
 * The same as a PDF, with names in clear after a reason; audited before its first byte. Throws conflict
 * `receipt-not-booked` when no money moved.
 */
export const exportReceipt = query(
  "statement:export",
  async (actor, ref: string, given: EntryQuery, revealId: string | null = null): Promise<Download<Uint8Array>> => {
    const isNamed = revealId !== null;
    if (isNamed) await requireAdmitted(actor, { object: `account:${ref}`, file: receiptFile(given), revealId });
    const receipt = await receiptOf(actor, ref, { given, isNamed });
    if (!receipt.isBooked) throw new AppError("conflict", { code: "receipt-not-booked" });
    const file = await printReceipt(actor.tenant, receipt, new Date());
    await recordExport(actor, ref, { what: "receipt", format: "pdf" });
    const say = await getTranslations("receipt");
    const fileName = `${say("file")}-${receipt.transactionId.replaceAll(/[^\w-]+/g, "-").slice(0, 60)}.pdf`;
    return { fileName, contentType: "application/pdf", parts: one(file) };
  },
);

/** Throws as the provider's record of the account does; audited before its first byte. */
export const exportLetter = query(
  "statement:export",
  async (actor, ref: string, revealId: string | null = null): Promise<Download<Uint8Array>> => {
    const row = await findAccount(actor.tenant, ref);
    if (row === null) throw new AppError("not-found");
    const isNamed = revealId !== null;
    if (isNamed) await requireAdmitted(actor, { object: `account:${ref}`, file: LETTER_FILE, revealId });
    const file = await printLetter(actor, { row, mask: shownAccountDocument(row).mask, isNamed });
    await recordExport(actor, ref, { what: "letter", format: "pdf" });
    const say = await getTranslations("accountLetter");
    const fileName = `${say("file")}-${row.number.replaceAll(/[^\w-]+/g, "")}.pdf`;
    return { fileName, contentType: "application/pdf", parts: one(file) };
  },
);

async function* one(part: Uint8Array): AsyncGenerator<Uint8Array> {
  yield part;
}

/** The kind of file and the filter, but never the search text. */
type Exported = {
  what: "letter" | "receipt" | "statement";
  format: string;
  from?: string;
  to?: string;
  filter?: string;
};

async function recordExport({ tenant, id: actor }: Actor, ref: string, detail: Exported): Promise<void> {
  const object = `account:${ref}` as const;
  await record(await db(), { tenant, actor, code: "statement.export", outcome: "DONE", object, detail });
}

const CONTENT_TYPES: Readonly<Record<StatementFormat, string>> = {
  csv: "text/csv; charset=utf-8",
  ofx: "application/x-ofx; charset=windows-1252",
  pdf: "application/pdf",
};

/** Starts at the first page, whichever page is open. */
const wholeFilter = (given: Record<string, unknown>): StatementFilter =>
  StatementFilter.parse(statementFilterValues(StatementFilter.parse(given)));

/** Every entry that matches the filter as a file, read as fast as it is downloaded; audited before its first byte. */
export const exportStatement = query(
  "statement:export",
  async (
    actor,
    ref: string,
    given: Record<string, unknown>,
    wanted: StatementFormat,
  ): Promise<Download | Download<Uint8Array>> => {
    const row = await findAccount(actor.tenant, ref);
    if (row === null) throw new AppError("not-found");
    const revealId = RevealId.parse(given["names"]);
    const isNamed = revealId !== null;
    if (isNamed) await requireAdmitted(actor, { object: `account:${ref}`, file: STATEMENT_FILE, revealId });
    const whole = { asked: await asked(actor, ref), object: `account:${ref}`, filter: wholeFilter(given) };
    const { from, to } = whole.filter;
    const narrowed = Object.entries(statementFilterValues(whole.filter)).flatMap(([name, value]) =>
      value === undefined || value === false || name === "from" || name === "to" ? [] : [name],
    );
    const detail = { what: "statement", format: wanted, from, to, filter: narrowed.join(",") } as const;
    await recordExport(actor, ref, detail);
    const say = await getTranslations("statement");
    const fileName = `${say("file")}-${row.number.replaceAll(/[^\w-]+/g, "")}-${from}-${to}.${wanted}`;
    const contentType = CONTENT_TYPES[wanted];
    if (wanted === "ofx") return { fileName, contentType, parts: await ofxParts(actor, row, whole) };
    if (wanted === "pdf") {
      const mask = shownAccountDocument(row).mask;
      return { fileName, contentType, parts: pdfParts(actor, { row, mask, isNamed }, whole) };
    }
    const words = await entryWords();
    const named = fileName.replace(/\.csv$/, `-${words.locale}.csv`);
    return { fileName: named, contentType, parts: csvParts(actor, whole, words) };
  },
);
