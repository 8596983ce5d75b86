import { and, eq } from "drizzle-orm";
import type { z } from "zod";
import type { CloseAccount } from "@/lib/contract/accounts";
import { instant } from "@/service/clock";
import type { Call } from "@/service/context";
import { notFound, unprocessable } from "@/service/error";
import { closeAccounts } from "@/service/ledger/account";
import type { Tx } from "@/service/store/db";
import { transaction } from "@/service/store/transaction";
import type { AccountFacts } from "./directory";
import { accountNumber, type BankAccount } from "./onboarding";
import { bankAccount, onboarding } from "./schema";

const REFUSED_CODE = "000000";
const unknownAccount = () => notFound("The banking account was not found");

/** The serial number in an account number, written with or without its hyphen; null when its check digit is wrong. */
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

/** When an account was closed, by whom as the request named them, and why. */
export type Closing = { at: Date; by: string; reason: string };
type Closable = Pick<AccountFacts, "id" | "onboardingId" | "available" | "blocked">;

/** Ends an account in the caller's transaction: it takes no further entry, and its holder may ask for another. 422. */
export async function endAccount(tx: Tx, account: Closable, { at, by, reason }: Closing): Promise<void> {
  await closeAccounts(tx, [account.available, account.blocked]);
  await tx
    .update(bankAccount)
    .set({ status: "CLOSED", closedAt: at, closedBy: by, closingReason: reason })
    .where(eq(bankAccount.id, account.id));
  await tx.update(onboarding).set({ endedAt: at }).where(eq(onboarding.id, account.onboardingId));
}

/**
 * Closes an account for good, by its number (its id does, too): it takes no further movement, stays readable, and its
 * holder may ask for a new one. 404 when the tenant has none of that number; 422 for a refused MFA code, for an account
 * with a balance or a held amount, and for a closed one (interface: Bank accounts › closeAccount). Neither the code nor
 * the holder's token is kept.
 */
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
