import { asc, eq } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { completeCpf } from "@/lib/contract/document";
import { AccountRequested } from "@/lib/contract/onboarding";
import { onboarding } from "@/lib/db/tables/customers";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "./console";
import { personRequest } from "@/test/support/service/accounts";
import { refreshOnboarding } from "@/lib/onboarding/records";
import { onboardingEvent } from "@/lib/db/tables/onboarding";
import { AccountOrder } from "@/lib/onboarding/create-inputs";

const CPF = completeCpf("310000201");

export type OnboardingFixture = Awaited<ReturnType<typeof givenOnboardingFixture>>;

/** A support desk and a provider whose onboardings the test controls. */
export async function givenOnboardingFixture() {
  givenEnv();
  const db = await givenStore();
  const staffId = await givenStaff(db, "support");
  const service = await givenService();
  service.clock.set(Date.now());
  const reader = actorOf("support", staffId, "onboarding:read");
  return {
    db,
    service,
    reader,
    ana: actorOf("support", staffId, "onboarding:follow"),
    /** Requests an account at the provider; returns the onboarding's id there. */
    request: async (document = CPF): Promise<string> => {
      const { body } = await service.send("POST", "/v1/bank-accounts/create", { body: personRequest(document) });
      return AccountRequested.parse(body).data.body.onBoardingId;
    },
    steer: (id: string, body: Record<string, unknown>) => service.control("POST", `/sandbox/onboardings/${id}`, body),
    /** Stores the provider's current record; returns our id. */
    recordAccess: async (asked: string): Promise<string> => (await refreshOnboarding(reader, asked)).id,
    rowOf: async (id: string) => (await db.select().from(onboarding).where(eq(onboarding.id, id)))[0],
    eventsOf: async (id: string) =>
      db
        .select({ kind: onboardingEvent.kind, detail: onboardingEvent.detail })
        .from(onboardingEvent)
        .where(eq(onboardingEvent.onboardingId, id))
        .orderBy(asc(onboardingEvent.id)),
  };
}

let invented = 0;

/** A CPF that no other test uses. */
export function inventHolder(): string {
  invented += 1;
  return completeCpf(String(430_000_100 + invented));
}

/** A secret that only the call may contain. */
export const PASSWORD = "canario-9471";

const address = {
  postalCode: "01310-100",
  street: "Avenida Paulista",
  number: "1000",
  complement: "",
  neighborhood: "Bela Vista",
  city: "São Paulo",
  state: "sp",
};

const bankDocuments = {
  documentLink: "https://files.example/front.jpg",
  documentBackLink: "https://files.example/back.jpg",
  selfieLink: "https://selfies.example/1.jpg",
};

const sent = () => ({
  intentId: randomUUID(),
  seen: [],
  from: null,
  transactionPassword: PASSWORD,
  passwordAgain: PASSWORD,
});

/** A person's form as typed. */
export const typedPerson = (changes: Record<string, unknown> = {}) => ({
  type: "PF",
  email: "ana@example.com",
  person: {
    fullName: "Ana Beatriz  Souza",
    documentNumber: inventHolder(),
    phoneNumber: "(11) 99999-0000",
    email: "",
    motherName: "Maria Souza",
    birthDate: "07/05/1990",
    isPoliticallyExposedPerson: "no",
    address: { ...address, longitude: "-46,65", latitude: "" },
    ...changes,
  },
  bankDocuments,
});

/** A company's form as typed, with two owners, one with another address. */
export const typedCompany = (changes: Record<string, unknown> = {}) => {
  const owner = {
    fullName: "Rui Lima",
    email: "rui@example.com",
    phoneNumber: "+351 912 345 678",
    birthDate: "01/02/1980",
    motherName: "Josefa Lima",
  };
  return {
    type: "PJ",
    email: "contato@example.com",
    legalPerson: {
      businessName: "Padaria Aurora Ltda",
      tradingName: "Padaria Aurora",
      documentNumber: "11.222.333/0001-81",
      businessEmail: "",
      contactNumber: "1130000000",
      establishmentDate: "01/02/2015",
      businessAddress: address,
      owner: [
        { ...owner, documentNumber: inventHolder(), address: null },
        { ...owner, documentNumber: inventHolder(), address: { ...address, city: "Campinas" } },
      ],
      ...changes,
    },
    bankDocuments: { ...bankDocuments, socialContractLink: "https://files.example/contract.pdf" },
  };
};

/** A person's form as sent. */
export const typedOrder = () => ({ ...typedPerson(), ...sent() });

type PersonOrder = AccountOrder & { type: "PF" };

/** A valid order for a person's account; `changes` override. */
export function accountOrder(changes: Partial<PersonOrder> = {}): PersonOrder {
  const order = AccountOrder.parse(typedOrder());
  if (order.type !== "PF") throw new Error("it is a company's");
  return { ...order, ...changes };
}

export const companyAccountOrder = (): AccountOrder => AccountOrder.parse({ ...typedCompany(), ...sent() });
