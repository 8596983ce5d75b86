import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  completeCnpj,
  completeCpf,
  documentAmong,
  isDocument,
  mayHoldDocument,
  restoredDocuments,
} from "@/lib/contract/document";
import { normaliseDocument } from "@/lib/contract/fold";
import { KycFilter } from "@/lib/kyc/inputs";
import { FilterMinute, SearchId, SearchText } from "./filter";

test.each(["2026-11-21T16:07", "2024-02-29T00:00", "9999-12-31T23:59"])(
  "accepts %s as a minute of a filter",
  (text) => {
    expect(FilterMinute.safeParse(text).success).toBe(true);
  },
);

test.each([
  "2026-02-31T10:00",
  "2025-02-29T10:00",
  "2026-13-01T10:00",
  "0000-01-01T00:00",
  "2026-11-21T24:00",
  "2026-11-21",
])("refuses %s, a moment that the store cannot hold", (text) => {
  expect(FilterMinute.safeParse(text).success).toBe(false);
});

test("reads a typed minute, as a form without a script sends it", () => {
  expect(FilterMinute.parse("21/11/2026 16:07")).toBe("2026-11-21T16:07");
  expect(FilterMinute.safeParse("31/02/2026 16:07").success).toBe(false);
});

const Digits = (length: number) => fc.stringMatching(new RegExp(`^\\d{${length}}$`));
const Valid = fc.oneof(Digits(9).map(completeCpf), Digits(12).map(completeCnpj)).filter(isDocument);
const WrongDigit = fc
  .tuple(Valid, fc.integer({ min: 1, max: 9 }))
  .map(([document, by]) => `${document.slice(0, -1)}${(Number(document.at(-1)) + by) % 10}`);
const PLAIN_SEPARATORS = ["", "-", "/", " ", "\u00a0", " / ", ":", ";", "_", "|", " - "];
const SEPARATORS = [...PLAIN_SEPARATORS, ".", ",", "·"];
const Written = (document: fc.Arbitrary<string>, separators: readonly string[]) =>
  fc
    .tuple(document, fc.array(fc.constantFrom(...separators), { minLength: 4, maxLength: 4 }), fc.boolean())
    .map(([text, joins, isWide]) => {
      const ends = text.length === 11 ? [0, 3, 6, 9, 11] : [0, 2, 5, 8, 12, 14];
      const written = ends
        .slice(1)
        .map((end, nth) => `${text.slice(ends[nth], end)}${nth < ends.length - 2 ? joins[nth] : ""}`);
      const plain = written.join("");
      return isWide ? plain.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))) : plain;
    });
const Before = fc.constantFrom(
  "",
  "cliente ",
  "cliente Mariana ",
  "CPF: ",
  "cpf:",
  "CNPJ ",
  "Mariana, ",
  "(",
  "/",
  "“",
  "cliente:",
  "\u00a0",
  "doc. ",
);
const After = fc.constantFrom("", ".", ";", ")", "/", "”", " e outro", ", ok", "?", "\u00a0", " - ver");

// With points and commas, wrong check digits may also be those of a computer's address or of an amount.
const MayBe = fc
  .oneof(Written(Valid, SEPARATORS), Written(WrongDigit, PLAIN_SEPARATORS))
  .filter((text) => !/\/(19|20)\d\d-/.test(text));

const isInNoAddress = (text: string) =>
  !SearchText.safeParse(text).success &&
  !SearchId.safeParse(text).success &&
  KycFilter.parse({ search: text }).search === undefined &&
  mayHoldDocument(text);

describe("what may be a document", () => {
  test("stands in no address, with whatever digits, separators and words", () => {
    fc.assert(
      fc.property(Before, MayBe, After, (before, written, after) => {
        expect(isInNoAddress(`${before}${written}${after}`)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test("stands in no address without its leading zeros, and is read among words", () => {
    const Short = fc
      .tuple(Digits(7), fc.integer({ min: 1, max: 3 }))
      .map(([base, zeros]) =>
        completeCpf(
          base
            .slice(0, 9 - zeros)
            .padStart(9, "0")
            .slice(0, 9),
        ),
      )
      .filter((cpf) => isDocument(cpf) && /^0{1,5}[1-9]/.test(cpf));
    fc.assert(
      fc.property(Before, Short, After, (before, cpf, after) => {
        const short = cpf.replace(/^0+/, "");
        expect(isInNoAddress(`${before}${short}${after}`)).toBe(true);
        expect(restoredDocuments(`${before}${short}${after}`)).toEqual(restoredDocuments(short));
      }),
      { numRuns: 300 },
    );
  });

  test("is read the same with words around it as without", () => {
    fc.assert(
      fc.property(Before, Valid, After, (before, document, after) => {
        fc.pre(!document.startsWith("000"));
        expect(normaliseDocument(documentAmong(`${before}${document}${after}`))).toBe(document);
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    "NF 12.345.678/2026-01",
    "acesso de 192.168.100.20",
    "R$ 1.234.567,89",
    "conta 104735-3",
    "Agência 0001 · Conta 104735-3",
    "f4028942-850d-49c4-b4ba-201cf0a1ff17",
    "E18236120202603101234s0abcdefghi",
    `0x${"5299822472".repeat(6)}5299`,
    "PED-20261129-001",
    "2026-03-10 12:00:00",
  ])("is not %s", (text) => expect(mayHoldDocument(text)).toBe(false));
});
