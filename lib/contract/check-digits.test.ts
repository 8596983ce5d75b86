import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { csvLine } from "@/lib/text/csv";
import { SearchId, SearchText } from "@/lib/text/filter";
import { showBody } from "@/lib/text/shown-body";
import { withDroppedZeros } from "./check-digits";
import { completeCnpj, completeCpf, documentsWithin, isDocument, maskDocument, maskWithin } from "./document";
import { normaliseDocument } from "./fold";

const SIGNS = " .-/_,;:|#\\=~()[]'\"\t\n\u00a0\u2003\u3000\u00b7\u2014\u2026\u200b\u00ad\u2060*!?^&%".split("");
const Sign = fc.constantFrom(...SIGNS);
const Run = fc.array(Sign, { minLength: 1, maxLength: 5 }).map((signs) => signs.join(""));

const Digits = (length: number) => fc.stringMatching(new RegExp(`^\\d{${length}}$`));
const Document = fc
  .oneof(
    Digits(9).map(completeCpf),
    Digits(8).map((base) => completeCpf(`0${base}`)),
    Digits(12).map(completeCnpj),
  )
  .filter(isDocument);

const partsOf = (document: string) =>
  document.length === 11
    ? [document.slice(0, 3), document.slice(3, 6), document.slice(6, 9), document.slice(9)]
    : [document.slice(0, 2), document.slice(2, 5), document.slice(5, 8), document.slice(8, 12), document.slice(12)];

type Joining = (parts: readonly string[]) => string;

/** One run between all, or a run of its own between each two. */
const Joined: fc.Arbitrary<Joining> = fc.oneof(
  Run.map(
    (run): Joining =>
      (parts) =>
        parts.join(run),
  ),
  fc.array(Run, { minLength: 14, maxLength: 14 }).map(
    (runs): Joining =>
      (parts) =>
        parts.map((part, at) => `${part}${at === parts.length - 1 ? "" : runs[at]}`).join(""),
  ),
);

const percent = (text: string) =>
  Array.from(new TextEncoder().encode(text), (byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
const decimal = (text: string) => Array.from(text, (sign) => `&#${sign.codePointAt(0)};`).join("");
const hexadecimal = (text: string) => Array.from(text, (sign) => `&#x${sign.codePointAt(0)?.toString(16)};`).join("");

const Encoding = fc.constantFrom<(text: string) => string>(
  (text) => text,
  (text) => encodeURIComponent(text),
  (text) => encodeURIComponent(encodeURIComponent(text)),
  percent,
  (text) => percent(percent(text)),
  decimal,
  hexadecimal,
  (text) => decimal(text).replaceAll("&", "&amp;"),
  (text) => text.replaceAll(".", "&period;").replaceAll("\u00a0", "&nbsp;"),
);

const Zeros = fc.stringMatching(/^0{0,8}$/);

const Spelt = fc
  .tuple(Document, Joined, Encoding, Zeros, fc.boolean())
  .map(([document, join, encode, zeros, isApart]) => {
    const written = join(isApart ? Array.from(document) : partsOf(document));
    return { document, spelling: encode(isApart ? written : `${zeros}${written}`) };
  });

function decoded(text: string): string {
  let read = text;
  for (let times = 0; times < 4; times += 1) {
    read = read
      .replaceAll(/(?:%[\da-f]{2})+/gi, (run) => Buffer.from(run.replaceAll("%", ""), "hex").toString())
      .replaceAll(/&#x([\da-f]+);/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
      .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
      .replaceAll("&amp;", "&");
  }
  return read.replaceAll(/\D/g, "");
}

describe("5,000 documents, each spelt in its own way", () => {
  const Before = fc.constantFrom("Aluguel de ", "CPF", "doc_", "a=");

  it("are nowhere in clear", () => {
    fc.assert(
      fc.property(Spelt, Before, ({ document, spelling }, before) => {
        const text = `${before}${spelling} ok.pdf`;
        const masked = maskWithin(text);
        expect(masked).not.toBe(text);
        expect(decoded(masked)).not.toContain(document);
      }),
      { numRuns: 5_000, endOnFailure: true },
    );
  });

  it("are refused like the plain ones", () => {
    fc.assert(
      fc.property(Spelt, Before, ({ document, spelling }, before) => {
        const text = `${before}${spelling} ok.pdf`;
        expect(documentsWithin(text).length).toBeGreaterThan(0);
        expect(decoded(JSON.stringify(showBody({ nota: text })))).not.toContain(document);
        expect(decoded(csvLine([maskWithin(text)]))).not.toContain(document);
        expect(SearchText.safeParse(text).success).toBe(false);
        expect(SearchId.safeParse(text).success).toBe(false);
      }),
      { numRuns: 500, endOnFailure: true },
    );
  });

  it("are looked up as they were meant", () => {
    fc.assert(
      fc.property(Spelt, ({ document, spelling }) => {
        // Filled up with three zeros, a CPF may be a CNPJ, too.
        fc.pre(document.length === 14 || !isDocument(document.padStart(14, "0")));
        expect(normaliseDocument(spelling)).toBe(document);
      }),
      { numRuns: 1_000, endOnFailure: true },
    );
  });
});

describe("a number that is no document", () => {
  const Byte = fc.integer({ min: 0, max: 255 });
  const Others = fc.oneof(
    fc.tuple(Digits(2), Digits(3), Digits(3), Digits(2)).map(([a, b, c, d]) => `NF ${a}.${b}.${c}/2026-${d}`),
    fc.tuple(Byte, Byte, Byte, Byte).map((bytes) => `IP ${bytes.join(".")}`),
    fc.tuple(Byte, Byte, Byte, Byte).map((bytes) => `http://${bytes.join(".")}:3000`),
    fc.tuple(Digits(4), Digits(7), Digits(1)).map(([branch, number, digit]) => `${branch} / ${number}-${digit}`),
    fc.tuple(Digits(4), Digits(6), Digits(1)).map(([branch, number, digit]) => `${branch}/${number}-${digit}`),
    fc.tuple(Digits(3), Digits(3), Digits(3), Digits(2)).map(([a, b, c, d]) => `R$ ${a}.${b}.${c},${d}`),
    fc.tuple(Digits(2), Digits(3), Digits(2)).map(([a, b, c]) => `1${a},00 ${a}.${b},${c} 10,${c}`),
    fc.tuple(Digits(4), Digits(4)).map(([a, b]) => `(11) 9${a}-${b}`),
    fc
      .date({ noInvalidDate: true, min: new Date("2000-01-01"), max: new Date("2099-12-31") })
      .map((date) => date.toISOString().replace("T", " ").slice(0, 19)),
    fc.uuid(),
    fc.stringMatching(/^[\da-f]{64}$/),
  );

  it("stays as it is: invoices, addresses, accounts, amounts, times and ids", () => {
    // A CNPJ's own check digits behind a year: one in a hundred invoices.
    fc.assert(
      fc.property(Others, (text) => {
        fc.pre(!text.startsWith("NF") || !isDocument(text.replaceAll(/\D/g, "")));
        expect(maskWithin(`Pago ${text} ontem`)).toBe(`Pago ${text} ontem`);
      }),
      { numRuns: 5_000 },
    );
    expect(maskWithin("NF 12.345.678/2026-01")).toBe("NF 12.345.678/2026-01");
    expect(maskWithin("CNPJ 12.345.678/2026-01")).toBe(`CNPJ ${maskDocument("12345678202601")}`);
  });
});

describe("a document without its first zeros", () => {
  it.each([
    ["1234567890", ["01234567890"]],
    ["191", ["00000000191", "00000000000191"]],
    ["1011", []],
    ["52998224725", []],
  ])("%s may be %s", (typed, documents) => expect(withDroppedZeros(typed)).toEqual(documents));
});
