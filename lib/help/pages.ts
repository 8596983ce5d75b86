import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Locale } from "@/lib/text/format";
import { folded } from "@/lib/text/typed";
import { HELP_ENTRIES, type HelpName } from "./view";

/** `lead`: one sentence without markup; `body`: markdown with every reference filled in. */
export type HelpPage = { name: HelpName; title: string; lead: string; body: string };

type ReadPage = HelpPage & { index: { title: string; whole: string } };

const read = (...path: string[]) => readFileSync(join(process.cwd(), ...path), "utf8");

const Part = z.record(z.string(), z.unknown());

/** A message that stands on a screen as it is written: without arguments. Throws for any other key. */
export function messageAt(messages: unknown, key: string): string {
  const found = key.split(".").reduce((part, name) => Part.safeParse(part).data?.[name], messages);
  if (typeof found !== "string" || /[{<]/.test(found)) throw new Error(`${key} is no message without arguments`);
  return found;
}

const REFERENCE = /\{\{([\w./?-]+)\}\}/g;
const PAGE_LINK = /\[\[([\w-]+)\]\]/g;

export const referencesIn = (text: string): string[] => Array.from(text.matchAll(REFERENCE), ([, key = ""]) => key);

/** Title, lead and body of a file: `# Title`, a paragraph, the rest. */
export function partsOf(file: string): { title: string; lead: string; body: string } {
  const [heading = "", lead = "", ...rest] = file.trim().split(/\n{2,}/);
  if (!heading.startsWith("# ")) throw new Error(`no title: ${heading}`);
  return { title: heading.slice(2), lead: lead.replaceAll("\n", " "), body: rest.join("\n\n") };
}

const escaped = (text: string) => text.replaceAll(/[\\`*_[\]<>|#]/g, String.raw`\$&`);

const wordsIn = (text: string): string[] => folded(text).match(/\p{L}+/gu) ?? [];
const indexOf = (text: string): string => ` ${wordsIn(text).join(" ")}`;

function readPages(locale: Locale): ReadPage[] {
  const messages: unknown = JSON.parse(read("messages", `${locale}.json`));
  const plain = (text: string) => text.replaceAll(REFERENCE, (_, key: string) => messageAt(messages, key));
  const files = HELP_ENTRIES.map(({ name }) => ({ name, ...partsOf(read("lib/help/pages", locale, `${name}.md`)) }));
  const titles = new Map<string, string>(files.map(({ name, title }) => [name, plain(title)]));
  const linked = (_: string, name: string) => {
    const title = titles.get(name);
    if (title === undefined) throw new Error(`${name} is no page of the handbook`);
    return `[${escaped(title)}](/help/${name})`;
  };
  return files.map(({ name, title, lead, body }) => {
    const words = { title: plain(title), lead: plain(lead) };
    const filled = body
      .replaceAll(REFERENCE, (_, key: string) => `**${escaped(messageAt(messages, key))}**`)
      .replaceAll(PAGE_LINK, linked);
    const index = { title: indexOf(words.title), whole: indexOf([words.title, words.lead, filled].join(" ")) };
    return { name, ...words, body: filled, index };
  });
}

const kept = new Map<Locale, ReadPage[]>();

/** Every page of the handbook in a language, in its order. Throws for a reference to nothing. */
export function pagesIn(locale: Locale): readonly ReadPage[] {
  const known = kept.get(locale) ?? readPages(locale);
  kept.set(locale, known);
  return known;
}

const LEAST_WORD = 3;

/**
 * The pages that have every word of a text, or one that begins with it; first those with one in the title. A text with
 * a digit or a sign is no words: none.
 */
export function findPages(locale: Locale, text: string): HelpPage[] {
  if (!/^[\p{L}\s,?!“”’]+$/u.test(text)) return [];
  const words = wordsIn(text).filter((word) => word.length >= LEAST_WORD);
  if (words.length === 0) return [];
  const fits = pagesIn(locale).filter(({ index }) => words.every((word) => index.whole.includes(` ${word}`)));
  const isTitled = ({ index }: ReadPage) => words.some((word) => index.title.includes(` ${word}`));
  return [...fits.filter(isTitled), ...fits.filter((page) => !isTitled(page))];
}
