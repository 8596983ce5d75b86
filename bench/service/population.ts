import { completeCpf } from "@/lib/contract/document";
import { AccountRequested, OnboardingRecord } from "@/lib/contract/onboarding";
import { type Service, answerOf } from "./program";

const link = "https://files.example/document.png";

/** A CPF of its own for each number below a million; none ends, before its check digits, as the simulated checks refuse or delay. */
export const documentOf = (number: number) => completeCpf(`${100_000 + number}500`);

/** A request for a natural person's account as the interface words it. */
export const accountRequest = (documentNumber: string) => ({
  email: "holder@example.com",
  transactionPassword: "123456",
  person: {
    fullName: "Ana Beatriz Souza",
    documentNumber,
    phoneNumber: "+5511999990000",
    motherName: "Maria Souza",
    birthDate: "07-05-1990",
    isPoliticallyExposedPerson: false,
    address: { city: "São Paulo", state: "SP" },
  },
  bankDocuments: { documentLink: link, documentBackLink: link, selfieLink: link },
});

export type Account = { accountId: string; documentNumber: string };

export const OPENING_REAIS = 5_000;
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
