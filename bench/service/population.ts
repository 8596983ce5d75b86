import { z } from "zod";
import { completeCpf } from "@/lib/contract/document";
import { answerOf, type Service } from "./service-process";

export type Account = { accountId: string; documentNumber: string };

const OPENING_REAIS = 5_000;
const AT_ONCE = 16;

const Requested = z.object({ data: z.object({ body: z.object({ onBoardingId: z.string() }) }) });
const Onboarded = z.object({ data: z.object({ body: z.object({ account: z.object({ accountId: z.string() }) }) }) });

const link = "https://files.example/document.png";
const address = {
  postalCode: "01310100",
  street: "Avenida Paulista",
  number: "1000",
  complement: "",
  neighborhood: "Bela Vista",
  city: "São Paulo",
  state: "SP",
  longitude: "-46.65",
  latitude: "-23.56",
};

const request = (documentNumber: string) => ({
  email: "holder@example.com",
  transactionPassword: "123456",
  person: {
    fullName: "Ana Beatriz Souza",
    documentNumber,
    phoneNumber: "+5511999990000",
    email: "holder@example.com",
    motherName: "Maria Souza",
    birthDate: "07-05-1990",
    isPoliticallyExposedPerson: false,
    address,
  },
  bankDocuments: { documentLink: link, documentBackLink: link, selfieLink: link },
});

async function open({ origin, headers, control }: Service, index: number): Promise<Account> {
  // Before its check digits it never ends in 001 to 004, which the simulated checks treat in their own way.
  const documentNumber = completeCpf(`${100_000 + index}500`);
  const body = JSON.stringify(request(documentNumber));
  const json = { ...headers, "Content-Type": "application/json" };
  const requested = await fetch(`${origin}/v1/bank-accounts/create`, { method: "POST", headers: json, body });
  const { onBoardingId } = Requested.parse(await answerOf(requested)).data.body;
  await control("POST", `/sandbox/onboardings/${onBoardingId}`, { status: "CONFIRMED" });
  const checked = await fetch(`${origin}/v1/bank-accounts/checkOnboarding?onBoardingId=${onBoardingId}`, { headers });
  const { accountId } = Onboarded.parse(await answerOf(checked)).data.body.account;
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
