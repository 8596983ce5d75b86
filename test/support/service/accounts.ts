import { AccountRequested, OnboardingRecord } from "@/lib/contract/onboarding";
import type { Harness } from "./harness";
import type { Tenant } from "@/service/tenants/load-tenants";

const documents = {
  documentLink: "https://files.example/front.jpg",
  documentBackLink: "https://files.example/back.jpg",
  selfieLink: "https://files.example/selfie.jpg",
};

const address = {
  postalCode: "01310100",
  street: "Avenida Paulista",
  number: "1000",
  complement: "",
  neighborhood: "Bela Vista",
  city: "São Paulo",
  state: "SP",
};

/** A request for a natural person's account as the interface words it. */
export const personRequest = (documentNumber: string) => ({
  email: "ana@example.com",
  transactionPassword: "123456",
  person: {
    fullName: "Ana Beatriz Souza",
    documentNumber,
    phoneNumber: "+5511999990000",
    email: "ana@example.com",
    motherName: "Maria Souza",
    birthDate: "07-05-1990",
    isPoliticallyExposedPerson: false,
    address: { ...address, longitude: "-46.65", latitude: "-23.56" },
  },
  bankDocuments: documents,
});

/** A request for a legal person's account as the interface words it. */
export const companyRequest = (documentNumber: string) => ({
  email: "contato@example.com",
  transactionPassword: "123456",
  legalPerson: {
    businessName: "Padaria Aurora Ltda",
    tradingName: "Padaria Aurora",
    documentNumber,
    businessEmail: "contato@example.com",
    contactNumber: "+551130000000",
    establishmentDate: "01-02-2015",
    businessAddress: address,
    owner: [{ fullName: "Ana Beatriz Souza", motherName: "Maria Souza", birthDate: "07-05-1990", address }],
  },
  bankDocuments: { ...documents, socialContractLink: "https://files.example/contract.pdf" },
});

type Request = ReturnType<typeof personRequest> | ReturnType<typeof companyRequest>;

/** Opens an account as an integrator does, and returns checkOnboarding's answer once the provider is done. */
export async function openAccount(service: Harness, body: Request, options: { tenant?: Tenant } = {}) {
  const reply = await service.send("POST", "/v1/bank-accounts/create", { body, ...options });
  const { onBoardingId } = AccountRequested.parse(reply.body).data.body;
  await service.advance(4_000);
  const path = `/v1/bank-accounts/checkOnboarding?onBoardingId=${onBoardingId}`;
  const { account } = OnboardingRecord.parse((await service.send("GET", path, options)).body).data.body;
  return { ...account, accountId: account.accountId ?? "", onBoardingId };
}
