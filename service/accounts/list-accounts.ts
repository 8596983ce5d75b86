import { and, count, desc, eq } from "drizzle-orm";
import type { z } from "zod";
import type { AccountsQuery } from "@/lib/contract/accounts";
import type { Call } from "@/service/context";
import { inCivilPeriod, pagesOf } from "./civil-period";
import { describeAccount } from "./onboarding";
import { bankAccount, onboarding } from "./schema";

/**
 * The requests for accounts made in a period, newest first; our assumption, the interface does not show the answer. Its
 * `method` has no values shown, so it narrows nothing.
 */
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
    holderName: row.holderName,
    type: row.holderType,
    status: row.status,
    accountStatus: account?.status ?? null,
    createdAt: row.createdAt.toISOString(),
  }));
  return { accounts, page, totalPages: pagesOf(total?.rows ?? 0, limit) };
}
