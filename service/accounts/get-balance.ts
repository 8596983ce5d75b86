import type { z } from "zod";
import type { BalanceQuery } from "@/lib/contract/accounts";
import { losslessNumber } from "@/lib/contract/json";
import type { Call } from "@/service/context";
import { notFound } from "@/service/error";
import { centsToReais } from "@/service/ledger/amount";

const reais = (cents: bigint) => losslessNumber(centsToReais(cents));

/** What an account has and what is held of it (interface: Resources › Balance). 404 unless it is the document's. */
export async function getBalance(call: Call, query: z.output<typeof BalanceQuery>) {
  const { accountId, documentNumber, onBoardingId } = query;
  const facts = await call.accounts.find(accountId);
  const isMeant =
    facts?.clientId === call.tenant.clientId &&
    facts.documentNumber === documentNumber &&
    (onBoardingId === undefined || facts.onboardingId === onBoardingId);
  if (!isMeant) throw notFound("The banking account was not found");
  const [available = 0n, blocked = 0n] = await call.balances.read([facts.available.id, facts.blocked.id]);
  return { accountId, balance: reais(available), blockedBalance: reais(blocked) };
}
