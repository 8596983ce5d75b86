import { and, eq } from "drizzle-orm";
import type { z } from "zod";
import type { BalanceQuery } from "@/lib/contract/accounts";
import { losslessNumber } from "@/lib/contract/json";
import type { Call } from "@/service/context";
import { notFound } from "@/service/error";
import { centsToReais } from "@/service/ledger/amount";
import { BRL } from "@/service/ledger/asset";
import { ledgerAccount } from "@/service/ledger/schema";
import { bankAccount } from "./schema";

/** What an account has and what is held of it (interface: Resources › Balance). 404 unless it is the document's. */
export async function getBalance({ db, tenant }: Call, query: z.output<typeof BalanceQuery>) {
  const { accountId, documentNumber, onBoardingId } = query;
  const rows = await db
    .select({ kind: ledgerAccount.kind, balance: ledgerAccount.balance })
    .from(bankAccount)
    .innerJoin(ledgerAccount, and(eq(ledgerAccount.holder, bankAccount.id), eq(ledgerAccount.assetId, BRL)))
    .where(
      and(
        eq(bankAccount.id, accountId),
        eq(bankAccount.clientId, tenant.clientId),
        eq(bankAccount.documentNumber, documentNumber),
        onBoardingId === undefined ? undefined : eq(bankAccount.onboardingId, onBoardingId),
      ),
    );
  const reais = (kind: "available" | "blocked") => {
    const kept = rows.find((row) => row.kind === kind)?.balance;
    if (kept === undefined || kept === null) throw notFound("The banking account was not found");
    return losslessNumber(centsToReais(kept));
  };
  return { accountId, balance: reais("available"), blockedBalance: reais("blocked") };
}
