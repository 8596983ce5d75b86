import type { HeldDraft } from "@/components/use-draft";
import { OWNERS_MAX } from "@/lib/account-creation";
import type { OnboardingKind } from "@/lib/onboarding-view";

export const ADDRESS = ["postalCode", "street", "number", "complement", "neighborhood", "city", "state"] as const;
export const PERSON = ["fullName", "documentNumber", "birthDate", "motherName"] as const;
const OWNER = [...PERSON, "email", "phoneNumber", "ownAddress", ...ADDRESS.map((part) => `address.${part}`)];
const OWNERS = "owners";

type Values = Pick<HeldDraft, "value">;

export const ownersOf = ({ value }: Values): number => Math.min(OWNERS_MAX, Math.max(1, Number(value(OWNERS)) || 1));

export const ownerAt = (place: number): string => `legalPerson.owner.${place}.`;

/** Whether this owner lives elsewhere than the company is. */
export const hasOwnAddress = ({ value }: Values, place: number): boolean =>
  value(`${ownerAt(place)}ownAddress`) === "yes";

function addressOf({ value }: Values, at: string) {
  const part = (name: (typeof ADDRESS)[number]) => value(`${at}${name}`);
  return {
    postalCode: part("postalCode"),
    street: part("street"),
    number: part("number"),
    complement: part("complement"),
    neighborhood: part("neighborhood"),
    city: part("city"),
    state: part("state"),
  };
}

const individualOf = ({ value }: Values, at: string) => ({
  fullName: value(`${at}fullName`),
  documentNumber: value(`${at}documentNumber`),
  birthDate: value(`${at}birthDate`),
  motherName: value(`${at}motherName`),
  phoneNumber: value(`${at}phoneNumber`),
  email: value(`${at}email`),
});

const linksOf = ({ value }: Values) => ({
  documentLink: value("bankDocuments.documentLink"),
  documentBackLink: value("bankDocuments.documentBackLink"),
  selfieLink: value("bankDocuments.selfieLink"),
});

function personOf(draft: Values) {
  const { value } = draft;
  return {
    ...individualOf(draft, "person."),
    isPoliticallyExposedPerson: value("person.isPoliticallyExposedPerson"),
    address: {
      ...addressOf(draft, "person.address."),
      longitude: value("person.address.longitude"),
      latitude: value("person.address.latitude"),
    },
  };
}

const ownerOf = (draft: Values, place: number) => ({
  ...individualOf(draft, ownerAt(place)),
  address: hasOwnAddress(draft, place) ? addressOf(draft, `${ownerAt(place)}address.`) : null,
});

const companyOf = (draft: Values) => ({
  businessName: draft.value("legalPerson.businessName"),
  tradingName: draft.value("legalPerson.tradingName"),
  documentNumber: draft.value("legalPerson.documentNumber"),
  businessEmail: draft.value("legalPerson.businessEmail"),
  contactNumber: draft.value("legalPerson.contactNumber"),
  establishmentDate: draft.value("legalPerson.establishmentDate"),
  businessAddress: addressOf(draft, "legalPerson.businessAddress."),
  owner: Array.from({ length: ownersOf(draft) }, (_, place) => ownerOf(draft, place)),
});

/** The form as it is sent, with everything as it was typed; the password is not in it. */
export function typedForm(kind: OnboardingKind, draft: Values) {
  const email = draft.value("email");
  if (kind === "PF") return { type: kind, email, person: personOf(draft), bankDocuments: linksOf(draft) };
  const socialContractLink = draft.value("bankDocuments.socialContractLink");
  return { type: kind, email, legalPerson: companyOf(draft), bankDocuments: { ...linksOf(draft), socialContractLink } };
}

/** With one owner more. */
export const withOwner = (draft: HeldDraft): Record<string, string> => ({
  ...draft.values,
  [OWNERS]: String(ownersOf(draft) + 1),
});

/** Without that owner; those behind move up. */
export function withoutOwner(draft: HeldDraft, gone: number): Record<string, string> {
  const left = Array.from({ length: ownersOf(draft) }, (_, place) => place).filter((place) => place !== gone);
  const others = Object.entries(draft.values).filter(([name]) => !name.startsWith("legalPerson.owner."));
  const moved = left.flatMap((from, to) =>
    OWNER.map((part) => [`${ownerAt(to)}${part}`, draft.value(`${ownerAt(from)}${part}`)]),
  );
  return { ...Object.fromEntries([...others, ...moved]), [OWNERS]: String(left.length) };
}
