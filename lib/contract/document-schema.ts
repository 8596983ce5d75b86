import { z } from "zod";
import { isCnpj, isCpf, isDocument } from "./check-digits";
import { namedDocument } from "./document";

export const Cpf = z
  .string()
  .refine(isCpf, { error: "must be a CPF: 11 digits with valid check digits", params: { code: "cpf" } })
  .meta({
    type: "string",
    pattern: "^\\d{11}$",
    description: "A CPF: 11 digits, the last two of them valid check digits.",
    examples: ["52998224725"],
  });
export const Cnpj = z
  .string()
  .refine(isCnpj, { error: "must be a CNPJ: 14 characters with valid check digits", params: { code: "cnpj" } })
  .meta({
    type: "string",
    pattern: "^[0-9A-Z]{12}\\d{2}$",
    description: "A CNPJ: 14 digits (letters may stand among the first twelve), the last two valid check digits.",
    examples: ["11222333000181"],
  });
export const Document = z
  .string()
  .refine(isDocument, {
    error: "must be a valid CPF or CNPJ",
    params: { code: "document" },
  })
  .meta({
    type: "string",
    pattern: "^(\\d{11}|[0-9A-Z]{12}\\d{2})$",
    description: "A CPF or a CNPJ, without punctuation.",
    examples: ["52998224725"],
  });

/** Of a look-up: several documents (`documents`), or a mistyped one (`document`) that is no other number. */
export const refuseUnclear =
  (isOther: (typed: string) => boolean = () => false) =>
  (typed: string, context: z.RefinementCtx): void => {
    const { kind } = namedDocument(typed);
    if (kind === "several") context.addIssue({ code: "custom", params: { code: "documents" } });
    if (kind === "mistyped" && !isOther(typed)) context.addIssue({ code: "custom", params: { code: "document" } });
  };
