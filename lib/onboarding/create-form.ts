import { z } from "zod";
import type { DraftFields } from "@/lib/draft";
import type { SealedPlace } from "@/lib/store/sealed-columns";
import { lookupHash, seal, unseal } from "@/lib/store/seal";
import type { AccountForm, AccountOrder } from "./create-rules";
import type { onboardingRequest } from "./schema";

type Row = typeof onboardingRequest.$inferSelect;

const Fields = z.record(z.string(), z.string());

const placeOf = (
  { tenant, intentId }: Pick<Row, "tenant" | "intentId">,
  column: "document_sealed" | "form_sealed",
): SealedPlace => ({ column: `onboarding_request.${column}`, row: [tenant, intentId] });

const DATE = /^(\d{2})-(\d{2})-(\d{4})$/;

function typed(value: unknown): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "string" ? value.replace(DATE, "$1/$2/$3") : "";
}

function flat(value: unknown, path: string): [string, string][] {
  if (typeof value !== "object" || value === null) return [[path, typed(value)]];
  return Object.entries(value).flatMap(([name, part]) => flat(part, path === "" ? name : `${path}.${name}`));
}

/** The document of whoever the account is for. */
export const documentOf = (form: AccountForm): string =>
  form.type === "PF" ? form.person.documentNumber : form.legalPerson.documentNumber;

/** What of an order may be kept: never the password. */
function withoutPassword(order: AccountOrder): AccountForm {
  const { email } = order;
  return order.type === "PF"
    ? { type: "PF", email, person: order.person, bankDocuments: order.bankDocuments }
    : { type: "PJ", email, legalPerson: order.legalPerson, bankDocuments: order.bankDocuments };
}

/** A form as its fields hold it, by their dotted paths. */
export function fieldsOf({ type: _type, ...form }: AccountForm): Record<string, string> {
  const fields = Object.fromEntries(flat(form, "").filter(([, text]) => text !== ""));
  if (!("legalPerson" in form)) return fields;
  const own = form.legalPerson.owner.map(({ address }, place) => [
    `legalPerson.owner.${place}.ownAddress`,
    address === null ? "" : "yes",
  ]);
  return { ...fields, ...Object.fromEntries(own), owners: String(form.legalPerson.owner.length) };
}

/** A request as its row is to keep it, without the password. */
export function sealRequest(row: Pick<Row, "tenant" | "intentId">, order: AccountOrder) {
  const form = withoutPassword(order);
  const document = documentOf(form);
  return {
    documentHash: lookupHash(document),
    documentSealed: seal(document, placeOf(row, "document_sealed")),
    formSealed: seal(JSON.stringify(fieldsOf(form)), placeOf(row, "form_sealed")),
  };
}

export const requestDocument = (row: Row): string => unseal(row.documentSealed, placeOf(row, "document_sealed"));

export const requestFields = (row: Row): DraftFields =>
  Fields.parse(JSON.parse(unseal(row.formSealed, placeOf(row, "form_sealed"))));
