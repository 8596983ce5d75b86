import { accountRequest, documentOf } from "@/bench/holder";
import { AccountRequested, OnboardingRecord } from "@/lib/contract/onboarding";
import { answerOf, type Service } from "./service-process";

export type Account = { accountId: string; documentNumber: string };

const OPENING_REAIS = 5_000;
const AT_ONCE = 16;

async function open({ origin, headers, control }: Service, index: number): Promise<Account> {
  const documentNumber = documentOf(index);
  const body = JSON.stringify(accountRequest(documentNumber));
  const json = { ...headers, "Content-Type": "application/json" };
  const requested = await fetch(`${origin}/v1/bank-accounts/create`, { method: "POST", headers: json, body });
  const { onBoardingId } = AccountRequested.parse(await answerOf(requested)).data.body;
  await control("POST", `/sandbox/onboardings/${onBoardingId}`, { status: "CONFIRMED" });
  const checked = await fetch(`${origin}/v1/bank-accounts/checkOnboarding?onBoardingId=${onBoardingId}`, { headers });
  const { accountId } = OnboardingRecord.parse(await answerOf(checked)).data.body.account;
  if (accountId === null) throw new Error("the account was not opened");
  await control("POST", `/sandbox/bank-accounts/${accountId}/credit`, { amount: OPENING_REAIS });
  return { accountId, documentNumber };
}

/** Opens that many accounts, as an integrator would, and gives each some money. */
export async function populate(service: Service, count: number): Promise<Account[]> {
  const accounts: Account[] = [];
  for (let index = 0; index < count; index += AT_ONCE) {
    const indexes = Array.from({ length: Math.min(AT_ONCE, count - index) }, (_, offset) => index + offset);
    accounts.push(...(await Promise.all(indexes.map((each) => open(service, each)))));
  }
  return accounts;
}
