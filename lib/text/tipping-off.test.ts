import { array, assert, constantFrom, oneof, property, string, tuple } from "fast-check";
import { describe, expect, it } from "vitest";
import { canBeStopped, identifiersIn, stopsIn } from "./tipping-off";

const WORDS = ["COAF", "PLD", "PLD/FT", "suspeita", "operação atípica", "financiamento ao terrorismo", "Lei 9.613"];

const found = (text: string) => stopsIn(text, WORDS).map(({ word }) => word);

describe("a word that would tip a client off", () => {
  it.each([
    ["as it is written", "Comunicado ao COAF hoje.", "COAF"],
    ["in other case", "comunicado ao coaf", "COAF"],
    ["without its accents", "operacao atipica", "operação atípica"],
    ["with accents that it does not have", "çÓÂF e suspêita", "COAF"],
    ["with accents that stand apart", "operac\u0327a\u0303o ati\u0301pica", "operação atípica"],
    ["at the end of a sentence", "Há suspeita.", "suspeita"],
    ["in brackets", "(PLD)", "PLD"],
    ["letter by letter with points", "C.O.A.F.", "COAF"],
    ["letter by letter with spaces", "c o a f", "COAF"],
    ["with hyphens", "C-O-A-F", "COAF"],
    ["broken at the end of a line", "sus-\npeita", "suspeita"],
    ["with signs of no width", "C\u200bO\u2060A\ufeffF", "COAF"],
    ["with a soft hyphen", "sus\u00adpeita", "suspeita"],
    ["with a filler", "PL\u3164D", "PLD"],
    ["in full-width letters", "ＣＯＡＦ", "COAF"],
    ["in mathematical letters", "𝐂𝐎𝐀𝐅", "COAF"],
    ["in circled letters", "ⓅⓁⒹ", "PLD"],
    ["with Cyrillic letters", "СОАF", "COAF"],
    ["with Greek letters", "CΟΑF", "COAF"],
    ["beside a year", "COAF2026", "COAF"],
    ["between underscores", "_PLD_", "PLD"],
    ["a phrase over several spaces", "financiamento   ao\tterrorismo", "financiamento ao terrorismo"],
    ["a law's number however it is pointed", "a lei 9613", "Lei 9.613"],
  ])("finds a blocked term %s", (_, text, word) => {
    expect(found(text)).toContain(word);
  });

  it.each([
    "Documentos conferidos e identidade confirmada.",
    "Titular acima de qualquer insuspeitas dúvida",
    "COAFI",
    "ACOAF",
    "aplde",
    "operação regular, atípica não",
    "financiamento do terreno",
    "",
  ])("finds no blocked term in %j", (text) => {
    expect(found(text)).toEqual([]);
  });

  it("names a term as the rules write it, longest match first, once per place", () => {
    expect(found("PLD/FT")).toEqual(["PLD/FT"]);
    expect(found("pld ft, pld")).toEqual(["PLD/FT", "PLD"]);
  });

  it("reports a term with its place in the text", () => {
    const text = "Ver 👍 C.O.A.F. já";
    const [stop] = stopsIn(text, WORDS);
    expect(text.slice(stop?.from, stop?.to)).toBe("C.O.A.F");
  });

  it("reports a term without any letter or digit as unfindable", () => {
    expect(canBeStopped("***")).toBe(false);
    expect(canBeStopped("PLD")).toBe(true);
    expect(stopsIn("***", ["***"])).toEqual([]);
  });
});

const word = constantFrom(...WORDS);
const unseen = constantFrom(
  "\u200b",
  "\u200c",
  "\u200d",
  "\u2060",
  "\ufeff",
  "\u00ad",
  "\u0301",
  "\u{e0041}",
  "\ufe0f",
);
const parting = constantFrom("", " ", ".", "-", "_", " - ", "\n", "/", "·", "…");
const look = constantFrom(
  (sign: string) => sign,
  (sign: string) => sign.toUpperCase(),
  (sign: string) => sign.toLowerCase(),
  (sign: string) => sign.normalize("NFD"),
  (sign: string) => (/[!-~]/.test(sign) ? String.fromCodePoint((sign.codePointAt(0) ?? 0) + 0xfee0) : sign),
);
// A letter right beside it would make another word.
const before = constantFrom("", " ", "(", "Caso: ", "Ver, ", "“");
const after = constantFrom("", " ", ")", ", ver", " hoje", "”", ".");

/** The word with every character disguised. */
const disguised = word.chain((plain) => {
  const signs = Array.from(plain);
  const each = array(tuple(look, unseen, parting), { minLength: signs.length, maxLength: signs.length });
  return each.map((how) => ({
    plain,
    text: signs
      .map((sign, n) => {
        const [change, hidden, gap] = how[n] ?? [(same: string) => same, "", ""];
        return n === signs.length - 1 ? change(sign) : `${change(sign)}${hidden}${gap}`;
      })
      .join(""),
  }));
});

describe("whatever disguise a word takes", () => {
  it("finds a blocked term in any disguise", () => {
    assert(
      property(disguised, before, after, ({ plain, text }, ahead, behind) => {
        expect(found(`${ahead}${text}${behind}`)).toContain(plain);
      }),
      { numRuns: 2_000 },
    );
  });

  it("marks only parts of the text, in order, and never twice", () => {
    assert(
      property(array(oneof(word, string({ unit: "binary" }))), (parts) => {
        const text = parts.join(" ");
        let end = 0;
        for (const { from, to } of stopsIn(text, WORDS)) {
          expect(from).toBeGreaterThanOrEqual(end);
          expect(to).toBeGreaterThan(from);
          expect(to).toBeLessThanOrEqual(text.length);
          end = to;
        }
      }),
    );
  });

  it("never stops a text of other letters", () => {
    const harmless = array(constantFrom("b", "g", "h", "j", "k", "m", "q", "x", "z", " ", ".", "-"));
    assert(
      property(harmless, (signs) => {
        expect(found(signs.join(""))).toEqual([]);
      }),
    );
  });
});

describe("numbers of people", () => {
  it.each([
    ["CPF 529.982.247-25 conferido", "529.982.247-25"],
    ["CNPJ 12.ABC.345/01DE-35", "12.ABC.345/01DE-35"],
    ["CPF 529-982-247-25", "529-982-247-25"],
    ["CNPJ 11 222 333 0001 81", "11 222 333 0001 81"],
    ["CNPJ 12ABC34501DE35", "12ABC34501DE35"],
    ["tel. (11) 98765-4321", "(11) 98765-4321"],
    ["celular 98765-4321", "98765-4321"],
    ["conta 12345-6", "12345-6"],
    ["c/c 0001-X", "0001-X"],
  ])("finds people's numbers in %s", (text, number) => {
    expect(identifiersIn(text)).toMatchObject([{ word: number }]);
  });

  it.each([
    "em 12/11/2026",
    "protocolo 2026004417",
    "R$ 1.234,56",
    "entre 2025-2026",
    "art. 10, § 2",
    "caso ab12-3",
    "protocolo 2026-2",
  ])("finds no people's numbers in %s", (text) => {
    expect(identifiersIn(text)).toEqual([]);
  });
});
