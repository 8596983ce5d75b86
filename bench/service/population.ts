import { History, type StatementEntry } from "@/lib/contract/accounts";
import { completeCpf } from "@/lib/contract/document";
import onboarding from "@/lib/contract/fixtures/onboarding.json";
import { AccountRequested, OnboardingRecord } from "@/lib/contract/onboarding";
import type { Service } from "./program";

/** A distinct CPF for each number below a million; none triggers the simulated refusals or delays. */
export const documentOf = (number: number) => completeCpf(`${100_000 + number}500`);

/** A request for a natural person's account as the interface words it. */
export const accountRequest = (documentNumber: string) => ({
  ...onboarding.createPersonAccount,
  person: { ...onboarding.createPersonAccount.person, documentNumber },
});

export type Account = { accountId: string; documentNumber: string };

const OPENING_REAIS = 5_000;
const AT_ONCE = 16;

async function open({ post, read, control }: Service, index: number): Promise<Account> {
  const documentNumber = documentOf(index);
  const requested = await post("/v1/bank-accounts/create", accountRequest(documentNumber));
  const { onBoardingId } = AccountRequested.parse(requested).data.body;
  await control(`/sandbox/onboardings/${onBoardingId}`, { status: "CONFIRMED" });
  const checked = await read(`/v1/bank-accounts/checkOnboarding?onBoardingId=${onBoardingId}`);
  const { accountId } = OnboardingRecord.parse(checked).data.body.account;
  if (accountId === null) throw new Error("the account was not opened");
  await control(`/sandbox/bank-accounts/${accountId}/credit`, { amount: OPENING_REAIS });
  return { accountId, documentNumber };
}

/** Opens accounts through the interface and gives each some money. */
export async function populate(service: Service, count: number): Promise<Account[]> {
  const accounts: Account[] = [];
  for (let index = 0; index < count; index += AT_ONCE) {
    const indexes = Array.from({ length: Math.min(AT_ONCE, count - index) }, (_, offset) => index + offset);
    accounts.push(...(await Promise.all(indexes.map((each) => open(service, each)))));
  }
  return accounts;
}

type Read = (path: string) => Promise<unknown>;

/** Every entry of an account's statement. */
export async function statementOf(read: Read, { accountId, documentNumber }: Account): Promise<StatementEntry[]> {
  const whole = { accountId, documentNumber, initialDate: "2000-01-01", endDate: "2999-12-31", limit: "500" };
  const entries: StatementEntry[] = [];
  for (let [page, pages] = [1, 1]; page <= pages; page += 1) {
    const query = new URLSearchParams({ ...whole, page: String(page) });
    const { data } = History.parse(await read(`/v1/bank-accounts/history?${query}`));
    entries.push(...data.transactions);
    pages = data.totalPages ?? 1;
  }
  return entries;
}
