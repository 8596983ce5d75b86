import { LosslessNumber } from "lossless-json";
import { z } from "zod";

// `.meta({ type, … })` says in JSON Schema what the wire shows of a schema whose check or change is code.

/** A value outside a documented enum: kept, marked, shown as it came, never acted upon. */
export type Unknown = `unknown:${string}`;

/** An enum in an answer: documented values pass, any other string becomes a marked unknown. */
export function known<const Values extends readonly [string, ...string[]]>(values: Values) {
  const documented: ReadonlySet<string> = new Set(values);
  const isDocumented = (value: string): value is Values[number] => documented.has(value);
  return z
    .string()
    .transform((value): Values[number] | Unknown => (isDocumented(value) ? value : `unknown:${value}`))
    .meta({ type: "string", "x-extensible-enum": values, examples: values });
}

const WireNumber = z.union([z.number(), z.instanceof(LosslessNumber)], { error: "must be a number" });

function digitsOf(wire: z.output<typeof WireNumber>): string {
  return typeof wire === "number" ? String(wire) : wire.value;
}

const DECIMAL = /^-?\d+(\.\d+)?$/;

/** Sum of money in an answer: a JSON number on the wire, an exact decimal string (reais) with two decimals here. */
export const Brl = WireNumber.transform((wire, context) => {
  const [whole = "", cents = ""] = digitsOf(wire).split(".");
  if (DECIMAL.test(digitsOf(wire)) && cents.length <= 2) return `${whole}.${cents.padEnd(2, "0")}`;
  context.addIssue({ code: "custom", message: "must be an amount in reais with at most two decimals", input: wire });
  return z.NEVER;
}).meta({ type: "number", description: "Reais, exact to the cent.", examples: [1234.56] });

const isPayment = (digits: string) => /^\d{1,15}(\.\d{1,2})?$/.test(digits) && /[1-9]/.test(digits);
const PaymentDecimal = z.string().refine(isPayment, { params: { code: "amount" } });

/** Amount of a payment order: positive, at most two decimals, at most 15 digits of reais. Encodes back to the JSON number. */
export const BrlAmount = z
  .codec(WireNumber, PaymentDecimal, {
    decode: (wire, context) => {
      const digits = digitsOf(wire);
      const [whole = "", cents = ""] = digits.split(".");
      if (isPayment(digits)) return `${whole}.${cents.padEnd(2, "0")}`;
      context.issues.push({
        code: "custom",
        message: "must be a positive number in reais with at most two decimals",
        params: { code: "amount" },
        input: wire,
      });
      return z.NEVER;
    },
    encode: (decimal) => new LosslessNumber(decimal),
  })
  .meta({
    type: "number",
    exclusiveMinimum: 0,
    description: "Reais, with at most two decimals and 15 digits before them.",
    examples: [150.75],
  });

/** A positive amount of a crypto asset as the wire carries it: a decimal string; its scale is the asset's affair. */
export const CryptoAmount = z
  .string()
  .refine((text) => /^(0|[1-9]\d{0,59})(\.\d{1,40})?$/.test(text) && /[1-9]/.test(text), {
    error: "must be a positive decimal string",
    params: { code: "amount" },
  })
  .meta({
    type: "string",
    pattern: "^(?=.*[1-9])(0|[1-9]\\d{0,59})(\\.\\d{1,40})?$",
    description: "A positive decimal string with at most the asset's decimals.",
    examples: ["0.5"],
  });

function isCivilDate(year: string, month: string, day: string): boolean {
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${year}-${month}-${day}`);
}

/** Civil date in a body: `DD-MM-YYYY`. */
export const BodyDate = z
  .string()
  .refine(
    (text) => {
      const [, day = "", month = "", year = ""] = /^(\d{2})-(\d{2})-(\d{4})$/.exec(text) ?? [];
      return isCivilDate(year, month, day);
    },
    { error: "must be a date as DD-MM-YYYY", params: { code: "date" } },
  )
  .meta({
    type: "string",
    pattern: "^\\d{2}-\\d{2}-\\d{4}$",
    description: "A civil date as DD-MM-YYYY.",
    examples: ["29-02-1992"],
  });

/** Civil date in a query, in America/Sao_Paulo: `yyyy-MM-dd`. */
export const QueryDate = z
  .string()
  .refine(
    (text) => {
      const [, year = "", month = "", day = ""] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
      return isCivilDate(year, month, day);
    },
    { error: "must be a date as yyyy-MM-dd", params: { code: "date" } },
  )
  .meta({
    type: "string",
    format: "date",
    description: "A civil date of America/Sao_Paulo as yyyy-MM-dd.",
    examples: ["2026-03-31"],
  });

/** Whether PostgreSQL can keep the text: neither NUL nor half a surrogate pair. */
export function isStorable(text: string): boolean {
  return !/[\0\p{Surrogate}]/u.test(text);
}

export const Required = z
  .string()
  .trim()
  .min(1, { error: "is required" })
  .refine(isStorable, { error: "has characters that cannot be kept", params: { code: "characters" } });

/** A password or token: its spaces are part of it. */
export const Secret = z.string().min(1, { error: "is required" });

/** A positive whole number in a query string. */
export function queryInteger(minimum: number, maximum: number) {
  return z
    .string()
    .regex(/^\d{1,9}$/, { error: "must be a whole number" })
    .transform(Number)
    .pipe(z.number().int().min(minimum).max(maximum))
    .meta({ type: "integer", minimum, maximum });
}

export const QueryBoolean = z
  .enum(["true", "false"], { error: "must be true or false" })
  .transform((text) => text === "true")
  .meta({ type: "boolean" });

/** `{status, httpCode, when, data}`: one of the three envelopes (interface: Endpoints › Common rules). */
export function statusEnvelope<Data extends z.ZodType>(data: Data) {
  return z.looseObject({ status: z.number(), httpCode: z.number(), when: z.number(), data });
}

/** `{message, data}`: the envelope of the crypto area. */
export function messageEnvelope<Data extends z.ZodType>(data: Data) {
  return z.looseObject({ message: z.string(), data });
}

/** An answer that the interface does not show: an object whose fields are shown as they come. */
export const OpenRecord = z.record(z.string(), z.unknown());
export type OpenRecord = z.infer<typeof OpenRecord>;
