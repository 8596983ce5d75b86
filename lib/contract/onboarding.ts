import { z } from "zod";
import { Cnpj, Cpf } from "@/lib/contract/document-schema";
import {
  AnswerText,
  BodyDate,
  Flag,
  Identifier,
  known,
  NullishText,
  Required,
  Secret,
  statusEnvelope,
  TextOrEmpty,
  TextOrNull,
  unused,
} from "@/lib/contract/shared";

export const ONBOARDING_STATUSES = ["PROCESSING", "CONFIRMED", "ERROR"] as const;
export const OnboardingStatus = known(ONBOARDING_STATUSES);
export type OnboardingStatus = z.infer<typeof OnboardingStatus>;

const Url = z.url({ protocol: /^https?$/, error: "must be an http(s) URL" });
const Text = z.string().optional();

/** The interface lists these subfields as strings and does not say which are required. */
const Address = z.looseObject({
  postalCode: Text,
  street: Text,
  number: Text,
  complement: Text,
  neighborhood: Text,
  city: Text,
  state: Text,
  longitude: Text,
  latitude: Text,
});

export const Person = z.looseObject({
  fullName: Required,
  documentNumber: Cpf,
  phoneNumber: Required,
  email: z.email({ error: "must be an e-mail address" }).optional(),
  motherName: Required,
  birthDate: BodyDate,
  isPoliticallyExposedPerson: z.boolean(),
  address: Address,
});
export type Person = z.infer<typeof Person>;

/** An item of `legalPerson.owner`; which of its fields are required is not shown. */
const Owner = z.looseObject({
  fullName: Text,
  documentNumber: Cpf.optional(),
  email: Text,
  phoneNumber: Text,
  birthDate: BodyDate.optional(),
  motherName: Text,
  address: Address.optional(),
});

export const LegalPerson = z.looseObject({
  businessName: Required,
  tradingName: Required,
  documentNumber: Cnpj,
  businessEmail: z.email({ error: "must be an e-mail address" }).optional(),
  contactNumber: Text,
  establishmentDate: BodyDate,
  businessAddress: Address.optional(),
  owner: z.array(Owner).min(1),
});
export type LegalPerson = z.infer<typeof LegalPerson>;

const PersonDocuments = z.looseObject({ documentLink: Url, documentBackLink: Url, selfieLink: Url });
const CompanyDocuments = PersonDocuments.extend({ socialContractLink: Url });
const common = { email: z.email({ error: "must be an e-mail address" }), transactionPassword: Secret };

/** Body of POST /v1/bank-accounts/create for a natural person. */
export const CreatePersonAccount = z.looseObject({ ...common, person: Person, bankDocuments: PersonDocuments });
export type CreatePersonAccount = z.infer<typeof CreatePersonAccount>;

/** Body of POST /v1/bank-accounts/create for a legal person. */
export const CreateCompanyAccount = z.looseObject({
  ...common,
  legalPerson: LegalPerson,
  bankDocuments: CompanyDocuments,
});
export type CreateCompanyAccount = z.infer<typeof CreateCompanyAccount>;

/** Answer of POST /v1/bank-accounts/create, 200. The id is opaque: never validate its format. */
export const AccountRequested = z.looseObject({
  status: unused("number"),
  httpCode: unused("number"),
  when: unused("number").optional(),
  data: z.looseObject({ status: OnboardingStatus, body: z.looseObject({ onBoardingId: Identifier }) }),
});
export type AccountRequested = z.infer<typeof AccountRequested>;

export const OnboardingMessage = z.looseObject({
  id: TextOrEmpty,
  date: TextOrEmpty,
  message: TextOrEmpty,
  status: TextOrEmpty,
  actionRequired: Flag,
  url: NullishText,
});
export type OnboardingMessage = z.infer<typeof OnboardingMessage>;

/** Query of GET /v1/bank-accounts/checkOnboarding: an onboarding id or the holder's CPF/CNPJ. */
export const CheckOnboardingQuery = z.looseObject({ onBoardingId: Required });

/** Answer of GET /v1/bank-accounts/checkOnboarding, 200 (interface: Resources › Onboarding record). */
export const OnboardingRecord = statusEnvelope(
  z.looseObject({
    status: OnboardingStatus,
    body: z.looseObject({
      clientCode: unused("string"),
      account: z.looseObject({
        accountId: TextOrNull,
        branch: TextOrEmpty,
        account: TextOrEmpty,
        documentNumber: AnswerText,
      }),
      traceId: TextOrEmpty,
      biometricUrl: NullishText,
      messages: z.preprocess((wire) => wire ?? undefined, z.array(OnboardingMessage).optional()),
    }),
  }),
);
export type OnboardingRecord = z.infer<typeof OnboardingRecord>;
