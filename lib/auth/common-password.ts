import { dictionary } from "@zxcvbn-ts/language-common";

/** What people here choose and the list, made from leaks of the whole world, lacks. */
const LOCAL = [
  "bemvindo",
  "mudar",
  "trocar",
  "corinthians",
  "saopaulo",
  "gremio",
  "internacional",
  "cruzeiro",
  "banco",
];

/** A stem with fewer characters around it than this is the stem, to whoever guesses. */
const OWN_CHARACTERS = 10;
const LONGEST_REPEATED = 4;

let known: Set<string> | undefined;

function isListed(word: string): boolean {
  known ??= new Set([...dictionary["passwords-common"], ...LOCAL]);
  return known.has(word);
}

/** "aaaa", "abcabc", "123456", "fedcba": each character follows from those before it. */
function isPattern(text: string): boolean {
  const codes = Array.from(text, (character) => character.charCodeAt(0));
  const [first = 0, second = 0] = codes;
  const step = second - first;
  const isRun = (at: number) =>
    (codes[at] ?? 0) - (codes[at - 1] ?? 0) === step || ["90", "09"].includes(text.slice(at - 1, at + 1));
  if (Math.abs(step) <= 1 && codes.every((_, at) => at === 0 || isRun(at))) return true;
  for (let length = 1; length <= LONGEST_REPEATED; length += 1) {
    const unit = text.slice(0, length);
    if (text.length >= 2 * length && unit.repeat(Math.ceil(text.length / length)).startsWith(text)) return true;
  }
  return false;
}

/** The whole of it is one listed word, twice or more. */
function isRepeatedWord(text: string): boolean {
  for (let length = LONGEST_REPEATED + 1; length <= text.length / 2; length += 1) {
    const word = text.slice(0, length);
    if (text.length % length === 0 && word.repeat(text.length / length) === text) return isListed(word);
  }
  return false;
}

/** Whether guessing begins with it: a listed password, one with digits or signs put around it, or a pattern of the keyboard. */
export function isCommonPassword(password: string): boolean {
  const text = password.normalize("NFKC").toLowerCase();
  const stem = text.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
  if (isListed(text) || isPattern(text) || isRepeatedWord(text)) return true;
  return stem !== "" && text.length - stem.length < OWN_CHARACTERS && (isListed(stem) || isRepeatedWord(stem));
}
