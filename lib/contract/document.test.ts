import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  Cnpj,
  completeCnpj,
  completeCpf,
  Cpf,
  Document,
  isCnpj,
  isCpf,
  maskDocument,
  normaliseDocument,
} from "./document";

describe("a CPF", () => {
  it.each(["52998224725", "39053344705", "11144477735"])("is %s", (cpf) => expect(isCpf(cpf)).toBe(true));

  it.each([
    "52998224724",
    "529.982.247-25",
    "5299822472",
    "529982247255",
    "00000000000",
    "99999999999",
    "5299822472A",
    "",
  ])("is not %j", (text) => expect(isCpf(text)).toBe(false));

  it("is completed to one", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9]{9}$/), (base) => {
        fc.pre(new Set(base).size > 1);
        expect(isCpf(completeCpf(base))).toBe(true);
      }),
    );
  });
});

describe("a CNPJ", () => {
  it.each(["11222333000181", "00000000000191", "12ABC34501DE35"])("is %s", (cnpj) => expect(isCnpj(cnpj)).toBe(true));

  it.each([
    "11222333000180",
    "12ABC34501DE34",
    "12abc34501de35",
    "12ABC34501DEA5",
    "00000000000000",
    "1122233300018",
    "",
  ])("is not %j", (text) => expect(isCnpj(text)).toBe(false));

  it("is completed to one, with letters too", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9A-Z]{12}$/), (base) => {
        fc.pre(new Set(base).size > 1);
        expect(isCnpj(completeCnpj(base))).toBe(true);
      }),
    );
  });
});

describe("what people type", () => {
  it("is stripped of its punctuation", () => {
    expect(normaliseDocument(" 529.982.247-25 ")).toBe("52998224725");
    expect(normaliseDocument("12.abc.345/01de-35")).toBe("12ABC34501DE35");
  });
});

describe("a masked document", () => {
  it("shows its middle only", () => {
    expect(maskDocument("52998224725")).toBe("***.982.247-**");
    expect(maskDocument("11222333000181")).toBe("**.222.333/0001-**");
    expect(maskDocument("12ABC34501DE35")).toBe("**.ABC.345/01DE-**");
  });
});

describe("a wrong document", () => {
  it("is told apart by a code that has a sentence", () => {
    expect(Cpf.safeParse("1").error?.issues).toMatchObject([{ params: { code: "cpf" } }]);
    expect(Cnpj.safeParse("1").error?.issues).toMatchObject([{ params: { code: "cnpj" } }]);
    expect(Document.safeParse("1").error?.issues).toMatchObject([{ params: { code: "document" } }]);
  });
});
