import { z } from "zod";
import { normaliseDocument } from "@/lib/contract/fold";
import { BodyDate, Required } from "@/lib/contract/shared";
import { CSV_LINE_END, readCsv } from "@/lib/text/csv";
import { UNREADABLE } from "@/lib/text/text-file";
import { readDate } from "@/lib/text/typed-date";
import { civilDay, wholeYears } from "@/lib/text/time";

const NAME_MAX_LENGTH = 200;
/** Nobody is known to have lived longer. */
const AGE_MAX = 122;

/** Pasted text may carry invisible characters. */
const tidy = (text: string) =>
  text
    .normalize("NFC")
    .replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "")
    .trim()
    .replaceAll(/\s+/g, " ");

export const TypedText = z.string().transform(tidy).pipe(Required.max(NAME_MAX_LENGTH));

export const PersonName = TypedText.refine(
  (name) => /\p{L}.*\p{L}/u.test(name) && !/[\p{N}\p{So}\p{Sm}\p{Sc}]/u.test(name),
  {
    params: { code: "name" },
  },
);

/** A person's or a company's name. */
export const HolderName = TypedText.refine((name) => /\p{L}.*\p{L}/u.test(name) && !/[\p{So}<>]/u.test(name), {
  params: { code: "holder-name" },
});

export const ROWS_MAX = 5_000;

/** Counted before any cell is parsed; one more line has the column names. */
const hasRoom = (csv: string) => csv.trimEnd().split(CSV_LINE_END, ROWS_MAX + 2).length <= ROWS_MAX + 1;

export const CsvText = z
  .string()
  .min(1)
  .refine((csv) => !UNREADABLE.test(csv), { params: { code: "unreadable-file" }, abort: true })
  .refine(hasRoom, { params: { code: "too-many-rows", word: String(ROWS_MAX) }, abort: true })
  .superRefine((csv, context) => {
    const { open } = readCsv(csv);
    if (open !== null) context.addIssue({ code: "custom", params: { code: "open-quote", word: String(open) } });
  });

const sortable = (date: string) => date.split("-").toReversed().join("-");

/** `birthDate` DD-MM-YYYY, `today` `yyyy-MM-dd`. */
export const ageOn = (birthDate: string, today: string): number => wholeYears(sortable(birthDate), today);

const isPast = (date: string) => sortable(date) <= civilDay(new Date());

/** `07/09/1984` to `07-09-1984`. */
const TypedDate = Required.transform((typed) => {
  const iso = readDate(typed);
  return iso === null ? typed.replaceAll(/[/. ]/g, "-") : sortable(iso);
}).pipe(BodyDate);

export const PastDate = TypedDate.refine(isPast, { params: { code: "birth-future" } });

/** As people write it, to `yyyy-MM-dd`. */
export const PastDay = PastDate.transform(sortable);

export const BirthDate = PastDate.refine((date) => ageOn(date, civilDay(new Date())) <= AGE_MAX, {
  params: { code: "birth-long-ago" },
});

export const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.string().pipe(z.enum(values));

export const documentField = (schema: z.ZodType<string, string>) => Required.transform(normaliseDocument).pipe(schema);
