import { and, count, desc, eq } from "drizzle-orm";
import { z } from "zod";
import {
  type AccountsQuery,
  type BalanceQuery,
  type CloseAccount,
  ENTRY_TYPES,
  type UpdateCompanyInfo,
} from "@/lib/contract/accounts";
import { losslessNumber } from "@/lib/contract/json";
import { BrlAmount } from "@/lib/contract/shared";
import { instant } from "@/service/clock";
import type { Call, Service } from "@/service/context";
import { notFound, unprocessable } from "@/service/error";
import {
  BRL,
  centsToReais,
  closeAccounts,
  findAccount,
  linesBetween,
  reaisToCents,
  worldAccount,
} from "@/service/ledger/account";
import { post, readBalances } from "@/service/ledger/books";
import { uuid } from "@/service/random";
import { bankAccount, onboarding } from "@/service/store/schema";
import { type Tx, transaction } from "@/service/store/transaction";
import type { AccountFacts } from "./directory";
import { inCivilPeriod, pagesOf } from "./get-history";
import { type BankAccount, type Onboarding, accountNumber, describeAccount, describeUser } from "./onboarding";

/** Our assumption: the interface does not show the record. */
function describeAccountInfo(row: Onboarding, account: BankAccount) {
  const { accountEmail: email, bankDocuments, userId: _told, ...holder } = row.holder;
  return {
    clientCode: account.clientId,
    accountId: account.id,
    branch: account.branch,
    account: accountNumber(account),
    documentNumber: account.documentNumber,
    onBoardingId: row.id,
    ...describeUser(row),
    type: row.holderType,
    status: account.status,
    createdAt: account.createdAt.toISOString(),
    closedAt: account.closedAt?.toISOString() ?? null,
    closingReason: account.closingReason,
    email,
    [row.holderType === "PF" ? "person" : "legalPerson"]: holder,
    bankDocuments,
  };
}

/** 404 when none matches. */
export async function getAccountInfo({ db, tenant }: Call, query: { accountId: string; documentNumber: string }) {
  const [found] = await db
    .select({ onboarding, account: bankAccount })
    .from(bankAccount)
    .innerJoin(onboarding, eq(onboarding.id, bankAccount.onboardingId))
    .where(
      and(
        eq(bankAccount.id, query.accountId),
        eq(bankAccount.clientId, tenant.clientId),
        eq(bankAccount.documentNumber, query.documentNumber),
      ),
    );
  if (!found) throw notFound("The banking account was not found");
  return describeAccountInfo(found.onboarding, found.account);
}

/** By id, or the newest of the document. 404 when none matches, 422 when it is closed. */
async function lockCompany(tx: Tx, { tenant }: Call, { accountId, documentNumber }: UpdateCompanyInfo) {
  const [found] = await tx
    .select({ onboarding, account: bankAccount })
    .from(bankAccount)
    .innerJoin(onboarding, eq(onboarding.id, bankAccount.onboardingId))
    .where(
      and(
        eq(bankAccount.clientId, tenant.clientId),
        eq(onboarding.holderType, "PJ"),
        accountId === undefined ? undefined : eq(bankAccount.id, accountId),
        documentNumber === undefined ? undefined : eq(bankAccount.documentNumber, documentNumber),
      ),
    )
    .orderBy(desc(bankAccount.serial))
    .limit(1)
    .for("update");
  if (!found) throw notFound("The banking account was not found");
  if (found.account.status === "CLOSED") throw unprocessable("The banking account is closed");
  return found;
}

/** interface: Bank accounts › updateAccountInfoLegalPerson. Ignores fields that may not change. */
export async function updateCompany(call: Call, input: UpdateCompanyInfo) {
  const { tradingName, businessEmail, contactNumber, businessAddress } = input;
  const wanted = Object.entries({ tradingName, businessEmail, contactNumber, businessAddress });
  const changes = Object.fromEntries(wanted.filter(([, value]) => value !== undefined));
  return transaction(call.db, async (tx) => {
    const { onboarding: row, account } = await lockCompany(tx, call, input);
    const holder = { ...row.holder, ...changes };
    await tx.update(onboarding).set({ holder }).where(eq(onboarding.id, row.id));
    return describeAccountInfo({ ...row, holder }, account);
  });
}

const reais = (cents: bigint) => losslessNumber(centsToReais(cents));

type Query = z.output<typeof BalanceQuery>;

function isMeant({ clientId, documentNumber, onboardingId }: AccountFacts, { tenant }: Call, query: Query): boolean {
  const isItsOnboarding = query.onBoardingId === undefined || onboardingId === query.onBoardingId;
  return clientId === tenant.clientId && documentNumber === query.documentNumber && isItsOnboarding;
}

const resourceOf = ({ id }: AccountFacts, [available = 0n, blocked = 0n]: readonly bigint[]) => {
  return { accountId: id, balance: reais(available), blockedBalance: reais(blocked) };
};
type Balance = ReturnType<typeof resourceOf>;

/** interface: Resources › Balance. 404 unless it is the document's. */
export async function getBalance(call: Call, query: Query): Promise<Balance> {
  const facts = await call.accounts.find(query.accountId);
  if (!facts || !isMeant(facts, call, query)) throw notFound("The banking account was not found");
  return resourceOf(facts, await readBalances(call.db, [facts.available.id, facts.blocked.id]));
}

const REFUSED_CODE = "000000";
const unknownAccount = () => notFound("The banking account was not found");

/** With or without its hyphen; null when its check digit is wrong. */
function serialOf(number: string): number | null {
  const [, digits = ""] = /^(\d{1,9})-?\d$/.exec(number) ?? [];
  const serial = Number(digits);
  return accountNumber({ serial }).replace("-", "") === number.replace("-", "") ? serial : null;
}

async function findByNumber({ db, tenant }: Call, number: string): Promise<BankAccount> {
  const serial = serialOf(number);
  const isNamed = serial === null ? eq(bankAccount.id, number) : eq(bankAccount.serial, serial);
  const [found] = await db
    .select()
    .from(bankAccount)
    .where(and(isNamed, eq(bankAccount.clientId, tenant.clientId)));
  if (!found) throw unknownAccount();
  return found;
}

export type Closing = { at: Date; by: string; reason: string };
type Closable = Pick<AccountFacts, "id" | "onboardingId" | "available" | "blocked">;

/** In the caller's transaction. 422. */
export async function endAccount(tx: Tx, account: Closable, { at, by, reason }: Closing): Promise<void> {
  await closeAccounts(tx, [account.available, account.blocked]);
  await tx
    .update(bankAccount)
    .set({ status: "CLOSED", closedAt: at, closedBy: by, closingReason: reason })
    .where(eq(bankAccount.id, account.id));
  await tx.update(onboarding).set({ endedAt: at }).where(eq(onboarding.id, account.onboardingId));
}

/** interface: Bank accounts › closeAccount. 404 and 422 as documented; neither code nor token is stored. */
export async function closeAccount(call: Call, order: z.output<typeof CloseAccount>) {
  const { account: number, code, reason, userId } = order;
  if (code === REFUSED_CODE) throw unprocessable("The MFA code was refused");
  const account = await findByNumber(call, number);
  const facts = await call.accounts.find(account.id);
  if (!facts) throw unknownAccount();
  const closing = { at: instant(call.clock), by: userId, reason };
  await transaction(call.db, (tx) => endAccount(tx, facts, closing));
  return {
    accountId: account.id,
    branch: account.branch,
    account: accountNumber(account),
    documentNumber: account.documentNumber,
    status: "CLOSED",
    closedAt: closing.at.toISOString(),
    reason,
  };
}

export const Credit = z.looseObject({
  amount: BrlAmount,
  type: z.enum(ENTRY_TYPES).default("PIX"),
  description: z.string().max(500).default("Crédito recebido"),
});

/** 404, 422 when closed. */
async function sidesOf(tx: Tx, accountId: string) {
  const [account] = await tx.select().from(bankAccount).where(eq(bankAccount.id, accountId));
  const available = await findAccount(tx, { holder: accountId, assetId: BRL, kind: "available" });

  if (!account || !available) throw notFound("The banking account was not found");
  if (account.status === "CLOSED") throw unprocessable("The banking account is closed");
  return { available, world: await worldAccount(tx, BRL) };
}

/** Assumption: control routes. */
export async function creditAccount(
  service: Service,
  accountId: string,
  { amount, type, description }: z.output<typeof Credit>,
): Promise<{ transactionId: string }> {
  return transaction(service.db, async (tx) => {
    const { available, world } = await sidesOf(tx, accountId);
    const id = uuid(service.random);
    const cents = reaisToCents(amount);
    const lines = linesBetween(world, available, cents);
    await post(tx, { id, type, description, occurredAt: instant(service.clock), lines });
    return { transactionId: id };
  });
}

/** Our assumption: the interface does not show the answer, nor the values of `method`, which filters nothing. */
export async function listAccounts({ db, tenant }: Call, query: z.output<typeof AccountsQuery>) {
  const { limit, page } = query;
  const isListed = and(eq(onboarding.clientId, tenant.clientId), inCivilPeriod(onboarding.createdAt, query));
  const [total] = await db.select({ rows: count() }).from(onboarding).where(isListed);
  const rows = await db
    .select({ onboarding, account: bankAccount })
    .from(onboarding)
    .leftJoin(bankAccount, eq(bankAccount.onboardingId, onboarding.id))
    .where(isListed)
    .orderBy(desc(onboarding.createdAt), desc(onboarding.sequence))
    .limit(limit)
    .offset((page - 1) * limit);
  const accounts = rows.map(({ onboarding: row, account }) => ({
    clientCode: row.clientId,
    onBoardingId: row.id,
    ...describeAccount(row, account),
    ...describeUser(row),
    holderName: row.holderName,
    type: row.holderType,
    status: row.status,
    accountStatus: account?.status ?? null,
    createdAt: row.createdAt.toISOString(),
  }));
  return { accounts, page, totalPages: pagesOf(total?.rows ?? 0, limit) };
}
