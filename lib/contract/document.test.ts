import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  completeCnpj,
  completeCpf,
  documentAmong,
  formatDocument,
  isCnpj,
  isCpf,
  maskDocument,
  maskWithin,
} from "./document";
import { Cnpj, Cpf, Document } from "./document-schema";
import { normaliseDocument } from "./fold";

describe("words around a document", () => {
  it.each([
    ["CPF: 529.982.247-25 (Mariana)", "52998224725"],
    ["da Maria, 52998224725, cliente desde 2021", "52998224725"],
    ["Loja Sol 11.222.333/0001-81", "11222333000181"],
    ["529.982.247-25 ou 52998224725", "52998224725"],
  ])("gives the one document in %j", (typed, document) =>
    expect(normaliseDocument(documentAmong(typed))).toBe(document),
  );

  it.each([
    "52998224725",
    "529.982.247-25",
    "529.982.247-25 e 390.533.447-05",
    "CPF 529.982.247-26 (Mariana)",
    "pedido 7",
    "R$ 529.982.247,25",
    "",
  ])("leaves %j as it is", (typed) => expect(documentAmong(typed)).toBe(typed));

  it("gives the same document whatever surrounds it", () => {
    const words = fc.stringMatching(/^[A-Za-z ,;()]{0,20}$/);
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9]{9}$/), words, words, (base, before, after) => {
        const cpf = completeCpf(base);
        fc.pre(isCpf(cpf) && !cpf.startsWith("000"));
        const typed = `${before} ${formatDocument(cpf)} ${after}`;
        // Three letters before a CPF may by chance make a CNPJ of letters with it.
        fc.pre(!isCnpj(normaliseDocument(typed)));
        expect(normaliseDocument(documentAmong(typed))).toBe(cpf);
      }),
    );
  });
});

describe("a CPF", () => {
  it.each(["52998224725", "39053344705", "11144477735"])("accepts the CPF %s", (cpf) => expect(isCpf(cpf)).toBe(true));

  it.each([
    "52998224724",
    "529.982.247-25",
    "5299822472",
    "529982247255",
    "00000000000",
    "99999999999",
    "5299822472A",
    "",
  ])("refuses the CPF %j", (text) => expect(isCpf(text)).toBe(false));

  it("adds the check digits to a CPF", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9]{9}$/), (base) => {
        fc.pre(new Set(base).size > 1);
        expect(isCpf(completeCpf(base))).toBe(true);
      }),
    );
  });
});

describe("a CNPJ", () => {
  it.each(["11222333000181", "00000000000191", "12ABC34501DE35"])("accepts the CNPJ %s", (cnpj) =>
    expect(isCnpj(cnpj)).toBe(true),
  );

  it.each([
    "11222333000180",
    "12ABC34501DE34",
    "12abc34501de35",
    "12ABC34501DEA5",
    "00000000000000",
    "1122233300018",
    "",
  ])("refuses the CNPJ %j", (text) => expect(isCnpj(text)).toBe(false));

  it("adds the check digits to a CNPJ, with letters too", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9A-Z]{12}$/), (base) => {
        fc.pre(new Set(base).size > 1);
        expect(isCnpj(completeCnpj(base))).toBe(true);
      }),
    );
  });
});

describe("what people type", () => {
  it("strips the punctuation of a typed document", () => {
    expect(normaliseDocument(" 529.982.247-25 ")).toBe("52998224725");
    expect(normaliseDocument("12.abc.345/01de-35")).toBe("12ABC34501DE35");
  });
});

describe("a document in clear", () => {
  it("writes a document with its punctuation", () => {
    expect(formatDocument("52998224725")).toBe("529.982.247-25");
    expect(formatDocument("12ABC34501DE35")).toBe("12.ABC.345/01DE-35");
  });
});

describe("a masked document", () => {
  it("shows only a masked document's middle", () => {
    expect(maskDocument("52998224725")).toBe("***.982.247-**");
    expect(maskDocument("11222333000181")).toBe("**.222.333/0001-**");
    expect(maskDocument("12ABC34501DE35")).toBe("**.ABC.345/01DE-**");
  });
});

describe("a wrong document", () => {
  it("gives a wrong document its own code and sentence", () => {
    expect(Cpf.safeParse("1").error?.issues).toMatchObject([{ params: { code: "cpf" } }]);
    expect(Cnpj.safeParse("1").error?.issues).toMatchObject([{ params: { code: "cnpj" } }]);
    expect(Document.safeParse("1").error?.issues).toMatchObject([{ params: { code: "document" } }]);
  });
});

describe("a document within a text", () => {
  it.each([
    ["CPF 529.982.247-25 divergente", "CPF ***.982.247-** divergente"],
    ["CPF 52998224725 divergente", "CPF ***.982.247-** divergente"],
    ["CPF52998224725", "CPF***.982.247-**"],
    ["CNPJ11222333000181", "CNPJ**.222.333/0001-**"],
    ["TED 529982247-25", "TED ***.982.247-**"],
    ["TED 529 982 247 25", "TED ***.982.247-**"],
    ["529.982.247-99 tem um dígito errado", "***.982.247-** tem um dígito errado"],
    ["De 11222333000181 para 11.222.333/0001-81", "De **.222.333/0001-** para **.222.333/0001-**"],
    ["12.ABC.345/01DE-35 e 12abc34501de35", "**.ABC.345/01DE-** e **.ABC.345/01DE-**"],
    ["52998224725 39053344705", "***.982.247-** ***.533.447-**"],
  ])("masks a document within a text: %s", (text, masked) => {
    expect(maskWithin(text)).toBe(masked);
  });

  it.each([
    "",
    "Pagamento de boleto",
    "Telefone 11987654321",
    "***.982.247-**",
    "Protocolo 52998224725000",
    "E18236120202603101234s0abcdefghi",
    "2026-03-10 12:00:00",
    "R$ 1.234.567,89",
    "Conta 1234567-8",
    "f4028942-850d-49c4-b4ba-201cf0a1ff17",
    "Estorno de F4028942-850D-49C4-B4BA-201CF0A1FF17.",
    "0b5e6a3c-1d2f-4a5b-8c9d-52998224725a",
  ])("leaves other numbers as they are: %s", (text) => {
    expect(maskWithin(text)).toBe(text);
  });

  it("finds a document anywhere in a text, in any spelling", () => {
    const digits = fc
      .stringMatching(/^\d{9}$/)
      .map(completeCpf)
      .filter(isCpf);
    const words = fc.stringMatching(/^[a-zç ]{0,8}$/);
    const written = [
      (cpf: string) => cpf,
      (cpf: string) => `${cpf.slice(0, 3)}.${cpf.slice(3, 6)}.${cpf.slice(6, 9)}-${cpf.slice(9)}`,
      (cpf: string) => `${cpf.slice(0, 9)}-${cpf.slice(9)}`,
    ];
    fc.assert(
      fc.property(digits, fc.tuple(words, words), fc.constantFrom(...written), (cpf, [before, after], write) => {
        // Letters before a CPF can form a valid CNPJ with it, which is then masked as that.
        const joined = normaliseDocument(`${before}${cpf}`);
        fc.pre(!Array.from(joined, (_, from) => joined.slice(from, from + 14)).some(isCnpj));
        expect(maskWithin(`${before}${write(cpf)}${after}`)).toBe(`${before}${maskDocument(cpf)}${after}`);
      }),
    );
  });
});

describe("a document behind a long text", () => {
  it.each([
    ["spaces after four digits", `1234${" ".repeat(1_000_000)}`],
    ["spaces after a date", `2026-03-10${" ".repeat(1_000_000)}`],
    ["points after a digit", `1${".111".repeat(250_000)}`],
    ["zeros", "0".repeat(1_000_000)],
    ["letters and an escape", `${"a".repeat(600_000)}%20`],
  ])("masks a document behind a long run of %s", (_, filling) => {
    expect(maskWithin(`${filling} ok 52998224725`) === `${filling} ok ***.982.247-**`).toBe(true);
  });

  it("masks each of seventy thousand documents of one text", () => {
    const masked = maskWithin("529.982.247-25 ".repeat(70_000));
    expect(masked === "***.982.247-** ".repeat(70_000)).toBe(true);
  });
});

it.each(["doc. 96000000006", "CPF 960.000.000-06", "DOC: 960.000.000/06"])(
  "reads a labelled CPF as one where label and digits would be a CNPJ: %s",
  (typed) => expect(normaliseDocument(typed)).toBe("96000000006"),
);

it("reads a CNPJ with letters as one where its digits would be a CPF", () =>
  expect(normaliseDocument("DOC96000000006")).toBe("DOC96000000006"));
