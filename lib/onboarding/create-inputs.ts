import { z } from "zod";
import { OWNERS_MAX, PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH, STATES } from "./view";
import { ONBOARDING_KINDS } from "@/lib/db/enums/onboarding";
import { Cnpj, Cpf } from "@/lib/contract/document-schema";
import { pastedEmail, withoutSeparators } from "@/lib/contract/fold";
import { fold } from "@/lib/contract/signs";
import { isAscii, isStorable, Required } from "@/lib/contract/shared";
import { DraftOrder } from "@/lib/drafts/inputs";
import { RevealReasoned } from "@/lib/privacy/inputs";
import { BirthDate, oneOf, PastDate, PersonName, documentField, TypedText } from "@/lib/text/field-rules";

const TEXT_MAX_LENGTH = 200;
const LINK_MAX_LENGTH = 2_000;

const Optional = z
  .string()
  .transform((text) => text.trim())
  .pipe(
    z
      .string()
      .max(TEXT_MAX_LENGTH)
      .refine(isStorable, { params: { code: "characters" } }),
  )
  .transform((text) => (text === "" ? undefined : text));

const isEmail = (typed: string) => z.email().safeParse(typed).success;
const Email = Required.transform(pastedEmail)
  .pipe(Required.max(TEXT_MAX_LENGTH))
  .refine(isAscii, { params: { code: "email-letters" }, abort: true })
  .refine(isEmail, { params: { code: "email" } });
/** Empty means the account's own. */
const OtherEmail = z.union([z.literal("").transform(() => undefined), Email]);

/** `(11) 99999-0000` is Brazilian; with a plus, any country's. */
function internationalPhone(typed: string): string {
  const digits = fold(typed)
    .replace(/^ *tel:/i, "")
    .replaceAll(/[ ().,/-]/g, "");
  if (/^\d{10,11}$/.test(digits)) return `+55${digits}`;
  return /^55\d{10,11}$/.test(digits) ? `+${digits}` : digits;
}

const isPhone = (phone: string) =>
  phone.startsWith("+55") ? /^\+55[1-9]{2}(9\d{8}|[2-8]\d{7})$/.test(phone) : /^\+[1-9]\d{7,14}$/.test(phone);

const Phone = Required.max(40)
  .transform(internationalPhone)
  .refine(isPhone, { params: { code: "phone" } });

const PostalCode = Required.transform((typed) => withoutSeparators(typed)).refine((code) => /^\d{8}$/.test(code), {
  params: { code: "postal-code" },
});

const coordinate = (limit: number) =>
  Optional.transform((text) => text?.replace(",", ".")).refine(
    (text) => text === undefined || (/^-?\d{1,3}(\.\d{1,12})?$/.test(text) && Math.abs(Number(text)) <= limit),
    { params: { code: "coordinate" } },
  );

const Address = z.strictObject({
  postalCode: PostalCode,
  street: TypedText,
  number: TypedText,
  complement: Optional,
  neighborhood: TypedText,
  city: TypedText,
  state: Required.toUpperCase().refine((state) => STATES.includes(state)),
});

const isSafeLink = (typed: string) => {
  if (!URL.canParse(typed)) return false;
  const { protocol, username, password } = new URL(typed);
  return protocol === "https:" && username === "" && password === "";
};

/** The provider fetches it; we never do. */
const Link = Required.max(LINK_MAX_LENGTH).refine(isSafeLink, { params: { code: "https" } });

const documents = { documentLink: Link, documentBackLink: Link, selfieLink: Link };

const Yes = oneOf(["yes", "no"]).transform((answer) => answer === "yes");

const Person = z.strictObject({
  fullName: PersonName,
  documentNumber: documentField(Cpf),
  phoneNumber: Phone,
  email: OtherEmail,
  motherName: PersonName,
  birthDate: BirthDate,
  isPoliticallyExposedPerson: Yes,
  address: Address.extend({ longitude: coordinate(180), latitude: coordinate(90) }),
});

const Owner = z.strictObject({
  fullName: PersonName,
  documentNumber: documentField(Cpf),
  email: Email,
  phoneNumber: Phone,
  birthDate: BirthDate,
  motherName: PersonName,
  address: Address.nullable(),
});

/** Checked even when other fields are wrong, so that every error shows at once. */
const Owners = z
  .array(Owner)
  .min(1)
  .max(OWNERS_MAX)
  .superRefine((owners, context) => {
    const seen = new Set<string>();
    for (const [index, { documentNumber }] of owners.entries()) {
      const path = [index, "documentNumber"];
      if (seen.has(documentNumber)) context.addIssue({ code: "custom", path, params: { code: "repeated" } });
      seen.add(documentNumber);
    }
  });

const Company = z.strictObject({
  businessName: TypedText,
  tradingName: TypedText,
  documentNumber: documentField(Cnpj),
  businessEmail: OtherEmail,
  contactNumber: Phone,
  establishmentDate: PastDate,
  businessAddress: Address,
  owner: Owners,
});

const person = { type: z.literal("PF"), email: Email, person: Person, bankDocuments: z.strictObject(documents) };
const company = {
  type: z.literal("PJ"),
  email: Email,
  legalPerson: Company,
  bankDocuments: z.strictObject({ ...documents, socialContractLink: Link }),
};

/** Fields are named as in the interface. Without the password. */
export const AccountForm = z.discriminatedUnion("type", [z.strictObject(person), z.strictObject(company)]);
export type AccountForm = z.output<typeof AccountForm>;

const from = z.uuid().nullable();

export const AccountReviewing = z.discriminatedUnion("type", [
  z.strictObject({ ...person, from }),
  z.strictObject({ ...company, from }),
]);
export type AccountReviewing = z.output<typeof AccountReviewing>;

/** A form that may lack anything yet. */
export const AccountChecking = z.looseObject({ type: z.enum(ONBOARDING_KINDS), from });
export type AccountChecking = z.output<typeof AccountChecking>;

const PersonDocument = z
  .object({ person: z.object({ documentNumber: documentField(Cpf) }) })
  .transform((typed) => typed.person.documentNumber);
const CompanyDocument = z
  .object({ legalPerson: z.object({ documentNumber: documentField(Cnpj) }) })
  .transform((typed) => typed.legalPerson.documentNumber);

export const documentOfForm = (typed: AccountChecking): string | null =>
  (typed.type === "PF" ? PersonDocument : CompanyDocument).safeParse(typed).data ?? null;

const Password = z
  .string()
  .min(1)
  .max(PASSWORD_MAX_LENGTH)
  .refine((password) => password.length >= PASSWORD_MIN_LENGTH && !/^\s|\s$|\p{Cc}/u.test(password), {
    params: { code: "password" },
  });

/** `seen`: refs of the possible duplicates that the person chose to ignore; `from`: the attempt to retry. */
const order = {
  transactionPassword: Password,
  passwordAgain: z.string(),
  intentId: z.uuid(),
  seen: z.array(z.string().max(200)).max(100),
  from,
};

/** `777777`, `123456`, `987654`. */
function isRun(password: string): boolean {
  const steps = Array.from(
    password,
    (character, index) => character.charCodeAt(0) - password.charCodeAt(index - 1),
  ).slice(1);
  const [step = 2] = steps;
  return Math.abs(step) <= 1 && steps.every((one) => one === step);
}

function isGuessable(password: string, form: AccountForm): boolean {
  const { documentNumber } = form.type === "PF" ? form.person : form.legalPerson;
  const date = form.type === "PF" ? form.person.birthDate : form.legalPerson.establishmentDate;
  const [day = "", month = "", year = ""] = date.split("-");
  const dates = [`${day}${month}${year}`, `${day}${month}${year.slice(2)}`, `${year}${month}${day}`];
  return isRun(password) || documentNumber.includes(password) || dates.includes(password);
}

export const AccountOrder = z
  .discriminatedUnion("type", [z.strictObject({ ...person, ...order }), z.strictObject({ ...company, ...order })])
  .superRefine((typed, context) => {
    const { transactionPassword: password, passwordAgain } = typed;
    if (isGuessable(password, typed))
      context.addIssue({ code: "custom", path: ["transactionPassword"], params: { code: "password-guessable" } });
    else if (password !== passwordAgain)
      context.addIssue({ code: "custom", path: ["passwordAgain"], params: { code: "password-again" } });
  });
export type AccountOrder = z.output<typeof AccountOrder>;

export const AccountDrafting = z.strictObject({
  type: z.enum(ONBOARDING_KINDS),
  /** The retried attempt, which has a form of its own. */
  from,
  order: DraftOrder,
});
export type AccountDrafting = z.output<typeof AccountDrafting>;

export const Prefilling = RevealReasoned.extend({ from: z.uuid() });
export type Prefilling = z.output<typeof Prefilling>;

export const AccountReconciliation = z.strictObject({ intentId: z.uuid(), onboardingId: z.uuid() });
export type AccountReconciliation = z.output<typeof AccountReconciliation>;
