import { and, desc, eq } from "drizzle-orm";
import type { UpdateCompanyInfo } from "@/lib/contract/accounts";
import type { Call } from "@/service/context";
import { notFound, unprocessable } from "@/service/error";
import { transaction, type Tx } from "@/service/store/transaction";
import { accountNumber, type BankAccount, type Onboarding } from "./onboarding";
import { bankAccount, onboarding } from "./schema";

/** Our assumption: the interface does not show the record. */
function describeAccountInfo(row: Onboarding, account: BankAccount) {
  const { accountEmail: email, bankDocuments, ...holder } = row.holder;
  return {
    clientCode: account.clientId,
    accountId: account.id,
    branch: account.branch,
    account: accountNumber(account),
    documentNumber: account.documentNumber,
    onBoardingId: row.id,
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

/** 404 when none fits. */
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

/** By id, or the newest of the document. 404 when none fits, 422 when it is closed. */
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
