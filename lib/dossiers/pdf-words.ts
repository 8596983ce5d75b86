import { formatDate, formatTime, type Locale } from "@/lib/format";
import { providerWord } from "@/lib/unknown";
import english from "@/messages/en.json";
import portuguese from "@/messages/pt-BR.json";
import type { Printing } from "./pdf";

type Say = Printing["say"];
type Person = { name: string; id: string };

/** In whose language it is printed, and what things are called in it. */
export type Reader = {
  locale: Locale;
  say: Say;
  /** What happened to the case, by its kind; a kind without words stands as it is. */
  kinds: Readonly<Record<string, string>>;
  /** The fields of the start form, likewise. */
  fields: Readonly<Record<string, string>>;
};

const WORDS = { "pt-BR": portuguese.dossiers, en: english.dossiers } as const satisfies Record<Locale, object>;

/** Words for names that are data: another release may have written one that has none here. */
export const wordsIn = (locale: Locale): Pick<Reader, "kinds" | "fields"> => {
  const { kinds, fields } = WORDS[locale];
  return { kinds, fields };
};

/** An instant on São Paulo's clock to the second. */
export const timeFor = ({ locale }: Reader, iso: string): string =>
  `${formatDate(iso, locale)} ${formatTime(iso, locale)}`;

/** A value that may not be there. */
export const orNone = ({ say }: Reader, text: string | null): string =>
  text === null || text === "" ? say("pdf.none") : text;

export const timeOrNone = (reader: Reader, iso: string | null): string =>
  iso === null ? reader.say("pdf.none") : timeFor(reader, iso);

export const nameOf = ({ name, id }: Person): string => (name === "" ? id : name);

/** Named values in one line: `status PENDING · process kyc-documentscopy`. */
export const listed = (fields: Readonly<Record<string, string | number | boolean | null>>): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name} ${providerWord(String(value))}`)
    .join(" · ");
