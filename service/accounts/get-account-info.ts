import { and, eq } from "drizzle-orm";
import type { Call } from "@/service/context";
import { notFound } from "@/service/error";
import { accountNumber, type BankAccount, type Onboarding } from "./onboarding";
import { bankAccount, onboarding } from "./schema";

/** An account and its holder, as they were asked for; our assumption, the interface does not show the record. */
export function describeAccountInfo(row: Onboarding, account: BankAccount) {
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

/** The record of the document's account, open or closed: a CPF's is a person's, a CNPJ's a company's. 404 when none fits. */
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
