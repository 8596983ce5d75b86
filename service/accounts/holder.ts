import type { CreateCompanyAccount, CreatePersonAccount } from "@/lib/contract/onboarding";
import { invalid } from "@/service/error";
import type { onboarding } from "./schema";

type Requested = Pick<typeof onboarding.$inferInsert, "holderType" | "documentNumber" | "holderName" | "holder">;
export type AccountRequest = CreatePersonAccount | CreateCompanyAccount;

const isCompany = (request: AccountRequest): request is CreateCompanyAccount => "legalPerson" in request;

/** A client may have put the password beside the holder's fields, too: it is kept nowhere. */
function withoutPassword(holder: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(holder).filter(([name]) => name !== "transactionPassword"));
}

/** What a request says of the holder, without the transaction password. 400 when it names a person and a company. */
export function holderOf(request: AccountRequest): Requested {
  if (isCompany(request)) {
    const { legalPerson, email, bankDocuments } = request;
    if ("person" in request) throw invalid("person", "cannot stand beside legalPerson");
    return {
      holderType: "PJ",
      documentNumber: legalPerson.documentNumber,
      holderName: legalPerson.businessName,
      holder: { ...withoutPassword(legalPerson), accountEmail: email, bankDocuments },
    };
  }
  const { person, email, bankDocuments } = request;
  return {
    holderType: "PF",
    documentNumber: person.documentNumber,
    holderName: person.fullName,
    holder: { ...withoutPassword(person), accountEmail: email, bankDocuments },
  };
}
