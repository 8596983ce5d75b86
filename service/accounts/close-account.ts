import { and, eq } from "drizzle-orm";
import type { z } from "zod";
import type { CloseAccount } from "@/lib/contract/accounts";
import { instant } from "@/service/clock";
import type { Call } from "@/service/context";
import { notFound, unprocessable } from "@/service/error";
import { closeAccounts } from "@/service/ledger/account";
import { transaction } from "@/service/store/transaction";
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
  const sides = await call.accounts.find(account.id);
  if (!sides) throw unknownAccount();
  const closedAt = instant(call.clock);
  await transaction(call.db, async (tx) => {
    await closeAccounts(tx, [sides.available, sides.blocked]);
    await tx
      .update(bankAccount)
      .set({ status: "CLOSED", closedAt, closedBy: userId, closingReason: reason })
      .where(eq(bankAccount.id, account.id));
    await tx.update(onboarding).set({ endedAt: closedAt }).where(eq(onboarding.id, account.onboardingId));
  });
  return {
    accountId: account.id,
    branch: account.branch,
    account: accountNumber(account),
    documentNumber: account.documentNumber,
    status: "CLOSED",
    closedAt: closedAt.toISOString(),
    reason,
  };
}
