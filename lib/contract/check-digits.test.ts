import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { csvLine } from "@/lib/text/csv";
import { SearchId, SearchText } from "@/lib/text/filter";
import { showBody } from "@/lib/text/shown-body";
import { withDroppedZeros } from "./check-digits";
import { decoded, Digits, SpeltDocument } from "@/test/support/spelt-documents";
import { documentsWithin, isDocument, maskDocument, maskWithin } from "./document";
import { normaliseDocument } from "./fold";

describe("5,000 documents, each spelt in its own way", () => {
  const Before = fc.constantFrom("Aluguel de ", "CPF", "doc_", "a=");

  it("masks each of 5,000 documents in its own spelling", () => {
    fc.assert(
      fc.property(SpeltDocument, Before, ({ document, spelling }, before) => {
        const text = `${before}${spelling} ok.pdf`;
        const masked = maskWithin(text);
        expect(masked).not.toBe(text);
        // The check digits could be computed from the rest.
        expect(decoded(masked)).not.toContain(document.slice(0, -2));
      }),
      { numRuns: 5_000, endOnFailure: true },
    );
  });

  it("refuses misspelt documents like plain ones", () => {
    fc.assert(
      fc.property(SpeltDocument, Before, ({ document, spelling }, before) => {
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

  it("finds the same records for each document's spelling", () => {
    fc.assert(
      fc.property(SpeltDocument, ({ document, spelling }) => {
        // Padded with three zeros, a CPF may also be a valid CNPJ.
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

  it("leaves other numbers unmasked: invoices, addresses, amounts, times and ids", () => {
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
  ])("reads %s as %s without its leading zeros", (typed, documents) =>
    expect(withDroppedZeros(typed)).toEqual(documents),
  );
});
