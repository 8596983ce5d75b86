import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DEPOSIT_CLASSES, DEPOSIT_STAGES } from "@/lib/db/enums/deposits";
import { SEND_STATES } from "@/lib/db/enums/wallets";
import { EVENT_STATES } from "@/lib/db/enums/webhooks";
import { STATUSES } from "@/lib/kyc/view";
import { LOCALES } from "@/lib/text/format";
import { TRANSFER_STATES } from "@/lib/transfers/view";
import english from "@/messages/en.json";
import { screenHas } from "@/test/support/screen-words";
import { findPages, messageAt, pagesIn, partsOf, referencesIn } from "./pages";
import { HELP_ENTRIES } from "./view";

const NAMES = HELP_ENTRIES.map(({ name }) => name);

const fileOf = (locale: string, name: string) => readFileSync(join("lib/help/pages", locale, `${name}.md`), "utf8");

const matchesOf = (text: string, pattern: RegExp) => Array.from(text.matchAll(pattern), ([, found = ""]) => found);
const linksOf = (text: string) => matchesOf(text, /\[\[([\w-]+)\]\]/g);
const picturesOf = (text: string) => matchesOf(text, /!\[[^\]]+\]\(([^)]+)\)/g);
const altsOf = (text: string) => matchesOf(text, /!\[([^\]]*)\]/g);

const shapeOf = (text: string) => ({
  references: referencesIn(text).toSorted(),
  links: linksOf(text),
  pictures: picturesOf(text),
  blocks: text.split(/\n{2,}/).map((block) => /^(#+|>|-|\d|!)?/.exec(block)?.[0]),
});

const pages = NAMES.flatMap((name) => LOCALES.map((locale) => ({ locale, name, text: fileOf(locale, name) })));

const STATES: Readonly<Record<string, readonly string[]>> = {
  "transfer-states": TRANSFER_STATES.map((state) => `transfers.states.${state}`),
  "deposit-states": [
    ...DEPOSIT_CLASSES.map((one) => `deposits.classes.${one}`),
    ...DEPOSIT_STAGES.map((one) => `deposits.stages.${one}`),
  ],
  "case-states": STATUSES.map((status) => `kyc.status.${status}`),
  "coin-states": SEND_STATES.map((state) => `coins.states.${state}`),
  "webhook-states": EVENT_STATES.map((state) => `received.states.${state}`),
};

const screenOf = (path: string) => screenHas(`app/(console)${path === "/" ? "" : path}/page.tsx`);

const sectionsOf = (text: string) => partsOf(text).body.split(/^## /m).slice(1);

describe("the handbook", () => {
  it("has one file for each page and language, and no other", () => {
    for (const locale of LOCALES) {
      const files = readdirSync(join("lib/help/pages", locale)).toSorted();
      expect(files).toEqual(NAMES.map((name) => `${name}.md`).toSorted());
    }
  });

  it("has the same references, links, pictures and blocks in both languages", () => {
    for (const name of NAMES) {
      const [first, ...others] = LOCALES.map((locale) => ({ name, ...shapeOf(fileOf(locale, name)) }));
      for (const other of others) expect(other).toEqual(first);
    }
  });

  it("fills in every reference", () => {
    for (const locale of LOCALES) {
      const wrong = pagesIn(locale).filter(({ title, lead, body }) => /\{\{|\[\[/.test(title + lead + body));
      expect(wrong).toEqual([]);
    }
    expect(pagesIn("en").find(({ name }) => name === "kyc-put-off")?.body).toContain("Press **Put off**");
  });

  it("names only messages that its screens have", () => {
    const isOfShell = screenHas("app/(console)/layout.tsx");
    const wrong = HELP_ENTRIES.flatMap((entry) => {
      const paths: readonly string[] = [
        ...("path" in entry ? [entry.path] : []),
        ...("tells" in entry ? entry.tells : []),
      ];
      const screens = [isOfShell, ...paths.map(screenOf)];
      return referencesIn(fileOf("en", entry.name))
        .filter((key) => !screens.some((has) => has(key)))
        .map((key) => `${entry.name}: ${key}`);
    });
    expect(wrong).toEqual([]);
  });

  it("tells a message of another screen from one of its own", () => {
    const has = screenHas("app/(console)/transfers/new/page.tsx");
    expect(["transferForm.to", "transfers.kinds.INTERNAL", "transferForm.holder"].map(has)).toEqual([true, true, true]);
    expect(["transfers.filters.held", "deposits.expect.button", "transferForm.correct"].map(has)).toEqual([
      false,
      false,
      false,
    ]);
  });

  it("types no field and no label in bold: it names their messages", () => {
    const TYPED = /(?:^|\. |\band |\bor |\be |\bou )(?:[Tt]ype|[Dd]igite) ([^.;\n]*)/gm;
    const wrong = pages.flatMap(({ locale, name, text }) => [
      ...matchesOf(text, TYPED)
        .flatMap((fields) => fields.split(/, | and | or | e | ou /))
        .filter((field) => !field.includes("{{"))
        .map((field) => `${locale} ${name}: ${field}`),
      ...matchesOf(text, /\*\*([^*\n]+)\*\*/g)
        .filter((label) => !label.endsWith(".") && label !== "CSV")
        .map((label) => `${locale} ${name}: ${label}`),
    ]);
    expect(wrong).toEqual([]);
  });

  it("names what it says is on the screen", () => {
    for (const { name, ...entry } of HELP_ENTRIES) {
      const references = referencesIn(fileOf("en", name));
      const shows: readonly string[] = "shows" in entry ? entry.shows : [];
      expect([name, shows.filter((key) => !references.includes(key))]).toEqual([name, []]);
    }
  });

  it("refers to no message that is unknown or has arguments", () => {
    expect(messageAt(english, "kyc.decide")).toBe("Decide");
    expect(() => messageAt(english, "kyc.nothing")).toThrow("kyc.nothing");
    expect(() => messageAt(english, "kyc")).toThrow("no message");
    expect(() => messageAt(english, "kycStart.partner")).toThrow("kycStart.partner");
  });

  it.each(Object.entries(STATES))("has a section in %s for each state of the code", (name, keys) => {
    for (const locale of LOCALES) {
      const sections = sectionsOf(fileOf(locale, name));
      expect(sections.map((section) => referencesIn(section)[0])).toEqual(keys);
    }
  });

  it.each(Object.keys(STATES))("says in %s what each state means, what to do and what to say", (name) => {
    for (const locale of LOCALES) {
      for (const section of sectionsOf(fileOf(locale, name))) {
        const [heading, meaning, what, ...say] = section.trim().split("\n\n");
        expect([heading, meaning?.includes("\n"), what?.startsWith("- ")]).toEqual([heading, false, true]);
        expect(say.every((line) => line.startsWith("> "))).toBe(true);
        expect(say.length).toBe(name === "webhook-states" ? 0 : 1);
      }
    }
  });

  it("has each picture that it names, in both languages, and no other", () => {
    for (const locale of LOCALES) {
      const named = pages.filter((page) => page.locale === locale).flatMap(({ text }) => picturesOf(text));
      const files = readdirSync(join("public/help", locale));
      expect(files.toSorted()).toEqual([...new Set(named)].map((name) => `${name}.webp`).toSorted());
    }
  });

  it("describes each picture in the page's language", () => {
    for (const name of NAMES) {
      const [first = [], second = []] = LOCALES.map((locale) => altsOf(fileOf(locale, name)));
      expect(first.filter((alt) => alt.length < 10 || second.includes(alt))).toEqual([]);
    }
  });

  it("holds no markup of HTML", () => {
    expect(pages.filter(({ text }) => /<[a-z!/]/i.test(text)).map(({ name }) => name)).toEqual([]);
  });
});

const namesOf = (...asked: Parameters<typeof findPages>) => findPages(...asked).map(({ name }) => name);

describe("the search in the handbook", () => {
  it("finds a page by words in any case and without accents", () => {
    expect(namesOf("pt-BR", "TRANSFERENCIA retida")[0]).toBe("held-transfer");
    expect(namesOf("en", "put off")[0]).toBe("kyc-put-off");
  });

  it("finds a page by the words on its screen", () => {
    expect(namesOf("en", "record outcome")).toContain("unconfirmed");
  });

  it("finds nothing where a word is in no page, for short words alone and for an id", () => {
    expect(namesOf("en", "held zebra")).toEqual([]);
    expect(namesOf("en", "a to")).toEqual([]);
    expect(namesOf("en", "held-7")).toEqual([]);
  });
});
