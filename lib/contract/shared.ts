import { LosslessNumber } from "lossless-json";
import { z } from "zod";

// `.meta({ type, … })` gives the JSON Schema type of a schema that checks or converts in code.

/** A value outside a documented enum: kept, marked, shown as it came, never acted upon. */
export type Unknown = `unknown:${string}`;

const WireNumber = z.union([z.number(), z.instanceof(LosslessNumber)], { error: "must be a number" });

function digitsOf(wire: z.output<typeof WireNumber>): string {
  return typeof wire === "number" ? String(wire) : wire.value;
}

/** A text, number or boolean as its text; anything else unchanged. */
function written(wire: unknown): unknown {
  if (typeof wire === "boolean") return String(wire);
  return typeof wire === "number" || wire instanceof LosslessNumber ? digitsOf(wire) : wire;
}

// Documented as the inner schema, but parsed as widely as the preprocessing allows: `/openapi.json` shows only the
// former.

/** A required text of an answer; a provider may send it as a number. */
export const AnswerText = z.preprocess(written, z.string());

/** An identifier: a non-empty text of an answer. */
export const Identifier = z.preprocess(written, z.string().min(1));

/** A text of an answer that nothing depends on: empty when absent. */
export const TextOrEmpty = z.preprocess((wire) => written(wire ?? ""), z.string());

/** A text of an answer that may be null; an empty one is null, too. */
export const TextOrNull = z.preprocess((wire) => (wire === "" ? null : written(wire ?? null)), z.string().nullable());

/** A text of an answer that may be null or absent. */
export const NullishText = z.preprocess(written, z.string().nullish());

/** A text of an answer that may be absent. */
export const OptionalText = z.preprocess((wire) => written(wire ?? undefined), z.string().optional());

function counted(wire: unknown): unknown {
  return typeof wire === "string" && /^\s*\d{1,15}\s*$/.test(wire) ? Number(wire) : wire;
}

/** A whole number of an answer, which a provider may send as a text. */
export const WholeNumber = z.preprocess(counted, z.number().int());

function countedOrNull(wire: unknown): number | null {
  const number = counted(wire);
  return typeof number === "number" && Number.isSafeInteger(number) ? number : null;
}

/** The same, null when absent. */
export function numberOrNull(type: "number" | "integer") {
  return z.preprocess((wire) => wire, z.unknown().transform(countedOrNull).meta({ type }));
}

/** A boolean of an answer in any notation; false when absent. */
export const Flag = z.preprocess((wire) => {
  const text = written(wire);
  return typeof text === "string" && /^(true|1)$/i.test(text);
}, z.boolean());

/** Documented with this type and never read: any value passes, or none. */
export function unused(type: "string" | "number" | "integer") {
  return z.preprocess((wire) => wire, z.unknown().meta({ type }));
}

/** An enum of an answer: documented values pass, any other one, or none, becomes a marked unknown. */
export function known<const Values extends readonly [string, ...string[]]>(values: Values) {
  const documented: ReadonlySet<string> = new Set(values);
  const isDocumented = (value: string): value is Values[number] => documented.has(value);
  return z.preprocess(
    (wire) => written(wire ?? ""),
    z
      .string()
      .transform((value): Values[number] | Unknown => (isDocumented(value) ? value : `unknown:${value}`))
      .meta({ type: "string", "x-extensible-enum": values, examples: values }),
  );
}

/** An unreadable value, as the provider sent it. */
export type Unread = { unread: unknown };

/** The parsed value, or the unreadable one as it came. */
export function orUnread<Value extends z.ZodType>(value: Value) {
  return z.preprocess((wire) => wire, z.union([value, z.unknown().transform((unread): Unread => ({ unread }))]));
}

/** A list whose items are parsed one by one: an unreadable one keeps its place and does not fail the rest. */
export function eachOf<Item extends z.ZodType>(item: Item) {
  return z.array(orUnread(item));
}

/** The digits of a number in any notation: with a sign, a fraction or a reasonable exponent. */
const WRITTEN_NUMBER = /^([+-]?)(\d{1,60})(?:\.(\d{1,60}))?(?:[eE]([+-]?\d{1,2}))?$/;

/** A number as a plain decimal string with all its digits; null for anything else. */
export function plainDecimal(text: string): string | null {
  const [matched, sign = "", whole = "", fraction = "", exponent = "0"] = WRITTEN_NUMBER.exec(text.trim()) ?? [];
  if (matched === undefined) return null;
  const digits = `${whole}${fraction}`;
  const point = whole.length + Number(exponent);
  const padded = digits.padStart(digits.length - Math.min(0, point - 1), "0").padEnd(point, "0");
  const at = Math.max(1, point);
  const integer = padded.slice(0, at).replace(/^0+(?=\d)/, "");
  const rest = padded.slice(at);
  return `${sign === "-" ? "-" : ""}${integer}${rest === "" ? "" : `.${rest}`}`;
}

function withoutEndZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === "0") end -= 1;
  return digits.slice(0, end);
}

/** An answer's money amount: a JSON number on the wire, a decimal string (reais) with two decimals or more here. */
export const Brl = z
  .preprocess(
    written,
    z.string({ error: "must be an amount in reais" }).transform((text, context) => {
      const decimal = plainDecimal(text);
      if (decimal !== null) {
        const [whole = "", fraction = ""] = decimal.split(".");
        return `${whole}.${withoutEndZeros(fraction).padEnd(2, "0")}`;
      }
      context.addIssue({ code: "custom", message: "must be an amount in reais", input: text });
      return z.NEVER;
    }),
  )
  .meta({ type: "number", description: "Reais, exact to the cent.", examples: [1234.56] });

/** A crypto amount of an answer: its text with every digit; a number becomes a plain decimal. */
export const CryptoSum = z.preprocess((wire) => {
  const text = written(wire);
  return typeof text === "string" ? (plainDecimal(text) ?? (text.trim() === "" ? undefined : text)) : text;
}, z.string());

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

/** A positive crypto amount on the wire: a decimal string whose scale depends on the asset. */
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

export const isAscii = (text: string): boolean => /^[ -~]*$/.test(text);

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

const AnyNumber = unused("number");

/** `{status, httpCode, when, data}`: one of the three envelopes (interface: Endpoints › Common rules). */
export function statusEnvelope<Data extends z.ZodType>(data: Data) {
  return z.looseObject({ status: AnyNumber, httpCode: AnyNumber, when: AnyNumber, data });
}

/** `{message, data}`: the envelope of the crypto area. */
export function messageEnvelope<Data extends z.ZodType>(data: Data) {
  return z.looseObject({ message: TextOrEmpty, data });
}

/** An answer that the interface does not show: an object whose fields are displayed as they come. */
export const OpenRecord = z.record(z.string(), z.unknown());
export type OpenRecord = z.infer<typeof OpenRecord>;
