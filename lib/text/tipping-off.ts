import { documentsWithin } from "@/lib/contract/document";
import { finderIn } from "@/lib/contract/fold";

/** From and to in UTF-16 units. */
export type Stop = { word: string; from: number; to: number };

type Run = { letters: string; from: number; to: number };

// Look-alikes that normalisation leaves: Cyrillic, Greek, barred Latin.
const READ_AS = new Map(
  [
    ["a", "\u0430\u03b1\u0251"],
    ["b", "\u0432\u03b2"],
    ["c", "\u0441\u03f2"],
    ["d", "\u0111\u0501"],
    ["e", "\u0435\u03b5"],
    ["h", "\u043d\u0127\u04bb"],
    ["i", "\u0456\u03b9\u0131\u04cf"],
    ["j", "\u0458"],
    ["k", "\u043a\u03ba"],
    ["l", "\u0142"],
    ["m", "\u043c\u03bc"],
    ["n", "\u03b7\u03bd"],
    ["o", "\u043e\u03bf\u00f8"],
    ["p", "\u0440\u03c1"],
    ["q", "\u051b"],
    ["s", "\u0455"],
    ["t", "\u0442\u03c4"],
    ["u", "\u03c5"],
    ["v", "\u0475"],
    ["w", "\u051d"],
    ["x", "\u0445\u03c7"],
    ["y", "\u0443"],
    ["z", "\u03b6"],
  ].flatMap(([letter = "", alike = ""]) => Array.from(alike, (sign) => [sign, letter] as const)),
);

const UNSEEN = /[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** Often one letter, sometimes none or several. */
const folded = (sign: string) =>
  Array.from(
    sign.normalize("NFKD").toUpperCase().toLowerCase().normalize("NFKD").replaceAll(UNSEEN, ""),
    (part) => READ_AS.get(part) ?? part,
  );

function kindOf(part: string): "letter" | "digit" | null {
  if (/\p{L}/u.test(part)) return "letter";
  return /\p{N}/u.test(part) ? "digit" : null;
}

function runsOf(text: string): Run[] {
  const runs: Run[] = [];
  let running: ReturnType<typeof kindOf> = null;
  let at = 0;
  for (const sign of text) {
    const from = at;
    at += sign.length;
    for (const part of folded(sign)) {
      const kind = kindOf(part);
      const last = runs.at(-1);
      if (kind !== null && kind === running && last !== undefined)
        runs.splice(-1, 1, { ...last, letters: last.letters + part, to: at });
      else if (kind !== null) runs.push({ letters: part, from, to: at });
      running = kind;
    }
  }
  return runs;
}

const lettersOf = (text: string) =>
  runsOf(text)
    .map(({ letters }) => letters)
    .join("");

export const canBeStopped = (word: string): boolean => lettersOf(word) !== "";

type TermSearch = { words: ReadonlyMap<string, string>; longest: number };

function longestAt(runs: readonly Run[], { words, longest }: TermSearch): Stop | null {
  let found: Stop | null = null;
  let joined = "";
  for (const { letters, to } of runs) {
    joined += letters;
    if (joined.length > longest) break;
    const word = words.get(joined);
    if (word !== undefined) found = { word, from: runs[0]?.from ?? 0, to };
  }
  return found;
}

/** Whole words only, in any case and with accents, look-alikes or separators ("C.O.A.F."). */
export function stopsIn(text: string, words: readonly string[]): Stop[] {
  const known = new Map(words.map((word) => [lettersOf(word), word] as const).filter(([letters]) => letters !== ""));
  const search = { words: known, longest: Math.max(0, ...Array.from(known.keys(), (letters) => letters.length)) };
  const runs = runsOf(text);
  const stops: Stop[] = [];
  runs.forEach(({ from }, n) => {
    if (from < (stops.at(-1)?.to ?? 0)) return;
    const stop = longestAt(runs.slice(n, n + search.longest), search);
    if (stop !== null) stops.push(stop);
  });
  return stops;
}

const IDENTIFIERS = [
  "\\d{3}[.\\s]?\\d{3}[.\\s]?\\d{3}[-\\s]?\\d{2}", // CPF
  "\\d{14}|[\\dA-Z]{2}\\.[\\dA-Z]{3}\\.[\\dA-Z]{3}/[\\dA-Z]{4}-\\d{2}", // CNPJ
  "(?:\\+?55[\\s.-]?)?\\(?[1-9][1-9]\\)?[\\s.-]?(?:9\\d{4}|[2-5]\\d{3})[\\s.-]?\\d{4}|9\\d{4}-\\d{4}", // phone
  "(?!(?:19|20)\\d{2}-)\\d{3,12}-[\\dXP]", // account or branch, with its check digit; not a year of a protocol
];
const IDENTIFIER = new RegExp(`(?<![\\p{L}\\d])(?:${IDENTIFIERS.join("|")})(?![\\p{L}\\d])`, "giu");

/** Shaped like a document, a phone number or an account, which no text to the provider may contain. */
export function identifiersIn(text: string): Stop[] {
  const shaped = finderIn(text)(IDENTIFIER).map(({ word, from, to }) => ({ word, from, to }));
  const stops: Stop[] = [];
  for (const stop of [...shaped, ...documentsWithin(text)].toSorted((one, other) => one.from - other.from)) {
    if (stop.from >= (stops.at(-1)?.to ?? 0)) stops.push(stop);
  }
  return stops;
}
