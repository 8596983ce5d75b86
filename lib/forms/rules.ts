import { z } from "zod";
import { normaliseDocument } from "@/lib/contract/document";
import { BodyDate, Required } from "@/lib/contract/shared";
import { civilDay } from "@/lib/text/time";

// What people type into long forms, as the interface wants it.

const NAME_MAX_LENGTH = 200;
/** Nobody is known to have lived longer. */
const AGE_MAX = 122;

/** What is pasted may bring along signs that nobody sees, and that a reviewer would pass: they stay behind. */
const tidy = (text: string) =>
  text
    .normalize("NFC")
    .replaceAll(/\p{Cf}/gu, "")
    .trim()
    .replaceAll(/\s+/g, " ");

/** A line of text, its spaces tidied, with nothing in it that cannot be seen. */
export const TypedText = z.string().transform(tidy).pipe(Required.max(NAME_MAX_LENGTH));

/** A person's name: letters, and neither digits nor symbols, which a name pasted from elsewhere may bring along. */
export const PersonName = TypedText.refine(
  (name) => /\p{L}.*\p{L}/u.test(name) && !/[\p{N}\p{So}\p{Sm}\p{Sc}]/u.test(name),
  {
    params: { code: "name" },
  },
);

/** `yyyy-MM-dd` of a body's date, or of nothing that is one. */
const sortable = (date: string) => date.split("-").toReversed().join("-");

/** How old whoever was born then, `DD-MM-YYYY`, is on that civil day, `yyyy-MM-dd`. */
export function ageOn(birthDate: string, today: string): number {
  const born = sortable(birthDate);
  const years = Number(today.slice(0, 4)) - Number(born.slice(0, 4));
  return today.slice(4) < born.slice(4) ? years - 1 : years;
}

const isPast = (date: string) => sortable(date) <= civilDay(new Date());

/** As people type it, `07/09/1984`, to what the interface wants, `07-09-1984`. */
const TypedDate = Required.transform((typed) =>
  typed.replace(/^(\d{2})[/. -]?(\d{2})[/. -]?(\d{4})$/, "$1-$2-$3"),
).pipe(BodyDate);

/** A day that has come, such as that on which a company was founded. */
export const PastDate = TypedDate.refine(isPast, { params: { code: "birth-future" } });

export const BirthDate = PastDate.refine((date) => ageOn(date, civilDay(new Date())) <= AGE_MAX, {
  params: { code: "birth-long-ago" },
});

export const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.string().pipe(z.enum(values));

/** A CPF or CNPJ as people type it, with or without points. */
export const typedDocument = (schema: z.ZodType<string, string>) => Required.transform(normaliseDocument).pipe(schema);
