import type { z } from "zod";
import type { BalanceQuery } from "@/lib/contract/accounts";
import { losslessNumber } from "@/lib/contract/json";
import type { AccountFacts } from "@/service/accounts/directory";
import type { Call } from "@/service/context";
import { notFound } from "@/service/error";
import { centsToReais } from "@/service/ledger/amount";
import { type Soon, withValue } from "@/service/soon";

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

/** What was last told of each account, to be told again while it holds: most who ask only look whether it does. */
const told = new WeakMap<AccountFacts, { cents: readonly bigint[]; balance: Balance }>();

function tell(facts: AccountFacts, cents: readonly bigint[]): Balance {
  const last = told.get(facts);
  if (last && cents.every((each, index) => each === last.cents[index])) return last.balance;
  const balance = resourceOf(facts, cents);
  told.set(facts, { cents, balance });
  return balance;
}

/**
 * What an account has and what is held of it (interface: Resources › Balance); the same object while it is the same
 * money. 404 unless it is the document's.
 */
export function getBalance(call: Call, query: Query): Soon<Balance> {
  return withValue(call.accounts.find(query.accountId), (facts) => {
    if (!facts || !isMeant(facts, call, query)) throw notFound("The banking account was not found");
    const { available, blocked } = facts;
    return withValue(call.balances.read([available.id, blocked.id]), (cents) => tell(facts, cents));
  });
}
