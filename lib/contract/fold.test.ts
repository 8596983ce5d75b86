import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LookUp } from "@/lib/accounts/look-up";
import { readPixKey, StatementFilter } from "@/lib/accounts/inputs";
import { CustomerQuery } from "@/lib/onboarding/inputs";
import { SearchId } from "@/lib/text/filter";
import { showBody } from "@/lib/text/shown-body";
import { identifiersIn } from "@/lib/text/tipping-off";
import { shownOfDocument, typedDocument } from "@/lib/text/typed-document";
import { TransferForm } from "@/lib/transfers/inputs";
import { completeCnpj, completeCpf, documentsWithin, isCnpj, isCpf, maskDocument, maskWithin } from "./document";
import { normaliseDocument, pasted, pastedEmail } from "./fold";
import { fold } from "./signs";

const signsOf = (pattern: RegExp) =>
  Array.from({ length: 0x110000 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((sign) => pattern.test(sign));

const DASHES = signsOf(/[\p{Pd}\u2212\u02d7\u2043\u207b\u208b\u2796\u30fc]/u);
const SPACES = signsOf(/[\s\p{Z}]/u);
const FORMATS = signsOf(/\p{Cf}|\u034f|\u115f|\u17b4|\u180b|\u3164|\ufe0f|\uffa0|\u{e0100}/u);
const OTHER_DIGITS = signsOf(/\p{Nd}/u);
const BETWEEN = ["\r\n", "\n", ",", ", ", ".", " - ", "/", "\\", "_", "·", "．", "／", "，", "’", " \r\n "];

/** The ten digits of the same script. */
const SCRIPTS = OTHER_DIGITS.map((sign, at) => ({ sign, value: at % 10 }));
const inScript = (script: number) => (text: string) =>
  text.replaceAll(/\d/g, (digit) => SCRIPTS[script * 10 + Number(digit)]?.sign ?? digit);

const CPF = "52998224725";
const CNPJ = "11222333000181";
const LETTERED = "12ABC34501DE35";
const groups = (document: string): string[] =>
  document.length === 11
    ? [document.slice(0, 3), document.slice(3, 6), document.slice(6, 9), document.slice(9)]
    : [document.slice(0, 2), document.slice(2, 5), document.slice(5, 8), document.slice(8, 12), document.slice(12)];
const formatted = (document: string, sign: string) => {
  const [last = "", ...others] = groups(document).toReversed();
  return `${others.toReversed().join(".")}${sign}${last}`;
};

/** Each character between all groups, and the last alone; invisible ones after each digit, too. */
const SPELLINGS: readonly (readonly [name: string, of: (document: string) => string[]])[] = [
  ["dash", (document) => DASHES.flatMap((sign) => [groups(document).join(sign), formatted(document, sign)])],
  ["space", (document) => SPACES.flatMap((sign) => [groups(document).join(sign), formatted(document, sign)])],
  [
    "invisible sign",
    (document) => FORMATS.flatMap((sign) => [groups(document).join(sign), Array.from(document).join(sign)]),
  ],
  [
    "script of digits",
    (document) =>
      Array.from({ length: OTHER_DIGITS.length / 10 }, (_, script) => inScript(script)(document)).flatMap((text) => [
        text,
        groups(document).map(inScript(1)).join("-"),
      ]),
  ],
  ["sign between groups", (document) => BETWEEN.map((sign) => groups(document).join(sign))],
  [
    "full-width letter",
    (document) => [document.replaceAll(/[\dA-Z]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0))],
  ],
];

const description = (text: string) =>
  TransferForm.safeParse({
    kind: "INTERNAL",
    from: "123e4567-e89b-42d3-a456-426614174000",
    to: "123e4567-e89b-42d3-a456-426614174001",
    userId: "u",
    amount: "1,00",
    description: text,
  }).error?.issues.flatMap((issue) => ("params" in issue ? [issue.params?.["code"]] : []));

describe.each([
  ["a CPF", CPF],
  ["a CNPJ", CNPJ],
  ["a CNPJ with letters", LETTERED],
])("%s", (_, document) => {
  it.each(SPELLINGS)("masks, refuses and finds a document written with any %s", (_name, spell) => {
    const spellings = spell(document);
    expect(spellings.length).toBeGreaterThan(0);
    const mask = maskDocument(document);
    for (const spelling of spellings) {
      const text = `Aluguel de ${spelling}; obrigado`;
      expect({
        signs: Array.from(spelling, (sign) => sign.codePointAt(0)?.toString(16)).join(" "),
        masked: maskWithin(text),
        shown: showBody({ nota: text }).fields.map(({ value }) => value),
        isFound: documentsWithin(text).some(({ word }) => word === spelling),
        identifiers: identifiersIn(text).length,
        description: description(text),
        search: StatementFilter.parse({ search: text }).search,
        lookedUp: [normaliseDocument(spelling), CustomerQuery.parse(spelling), readPixKey(spelling)],
        accountOf: LookUp.parse({ query: spelling }).query,
        typed: typedDocument(spelling),
        queue: shownOfDocument(spelling),
      }).toMatchObject({
        masked: `Aluguel de ${mask}; obrigado`,
        shown: [`Aluguel de ${mask}; obrigado`],
        isFound: true,
        identifiers: 1,
        description: ["no-document"],
        search: undefined,
        lookedUp: [document, document, document],
        accountOf: document,
        typed: typedDocument(document),
        queue: shownOfDocument(document),
      });
    }
  });

  it.each(["CPF ", "CPF: ", "cnpj: ", "CPF/CNPJ ", '"', "(", "<"])("reads a document after %j", (before) => {
    const closing = { '"': '"', "(": ")", "<": ">" }[before] ?? "";
    expect(CustomerQuery.parse(`${before}${groups(document).join("-")}${closing}`)).toBe(document);
  });

  it("never sends such a document as part of an id, but alone", () => {
    for (const text of [`onb:${document}:1`, `id=${groups(document).join("-")}`])
      expect(CustomerQuery.parse(text)).toBe(document);
    expect(SearchId.safeParse(`CPF${CPF}`).success).toBe(false);
  });
});

it("masks any mixture of these spellings", () => {
  const digits = fc
    .stringMatching(/^\d{9}$/)
    .map(completeCpf)
    .filter(isCpf);
  const companies = fc
    .stringMatching(/^\d{12}$/)
    .map(completeCnpj)
    .filter(isCnpj);
  const between = fc.constantFrom(...DASHES, ...SPACES, ...BETWEEN, "");
  const unseen = fc.constantFrom(...FORMATS, "");
  const mixed = fc.tuple(
    fc.oneof(digits, companies),
    fc.array(between, { minLength: 4, maxLength: 4 }),
    unseen,
    fc.nat(SCRIPTS.length / 10 - 1),
  );
  fc.assert(
    fc.property(mixed, ([document, joins, hidden, script]) => {
      const written = groups(document)
        .map((group, at) => `${inScript(script)(Array.from(group).join(hidden))}${joins[at] ?? ""}`)
        .join("");
      const shown = maskWithin(`<${written}>`);
      expect(fold(shown)).toContain(maskDocument(document));
      expect(documentsWithin(shown)).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

describe("a number whose check digits do not fit", () => {
  it.each([
    "Acesso de 192.168.100.10",
    "Acesso de 200.147.035.11",
    "Nota fiscal 123.456.789/01",
    "Nota 123 456 789 01",
    "Fatura 123-456-789-01",
    "Pedido 12 345 678 9012 34",
    "NF-e 12.345.678 9012-34",
    "De 2026-03-10 12:00 a 2026-03-11 12:30",
    "Boleto 34191.79001 01043.510047 91020.150008 1 99990000012345",
  ])("accepts no document with wrong check digits: %s", (text) => {
    expect(maskWithin(text)).toBe(text);
  });
});

describe("what came along with a copy", () => {
  it.each([
    ["\u200b123e4567-e89b-42d3-a456-426614174000\ufeff", "123e4567-e89b-42d3-a456-426614174000"],
    ["onb\u00ad-1\u2060", "onb-1"],
    [" ;\tonb 1; 2,\u00a0", "onb 1; 2"],
    [" ;,\n", ""],
    [";x", "x"],
  ])("removes what was pasted along with an id: %j", (text, id) => expect(pasted(text)).toBe(id));

  it("keeps a million spaces within a pasted id", () => {
    const id = `onb${" ".repeat(1_000_000)}1`;
    expect(pasted(` ${id};`) === id).toBe(true);
  });

  it.each([
    ["mailto:Ana@Exemplo.com.br", "Ana@Exemplo.com.br"],
    ["MAILTO:ana@exemplo.com.br?subject=Oi", "ana@exemplo.com.br"],
    ["Ana Souza <ana@exemplo.com.br>", "ana@exemplo.com.br"],
    ["ana\u200b@exemplo.com.br\u2060", "ana@exemplo.com.br"],
    ["ａｎａ＠exemplo.com.br", "ana@exemplo.com.br"],
  ])("removes what was pasted along with an e-mail address: %j", (text, email) =>
    expect(pastedEmail(text)).toBe(email),
  );
});
