import { describe, expect, it } from "vitest";
import { isBehindMask, isLetteredCnpj, typedDocument } from "./typed-document";

describe("a document that is being typed", () => {
  it.each([
    ["52998224725", "529.982.247-25"],
    ["529 982 247 25", "529.982.247-25"],
    ["11222333000181", "11.222.333/0001-81"],
    ["12abc34501de35", "12.ABC.345/01DE-35"],
    ["5299822472", "5299822472"],
  ])("shows %s as the document %s", (typed, shown) => {
    expect(typedDocument(typed)).toBe(shown);
  });

  it("is not behind the mask of another one", () => {
    expect(isBehindMask("529.982.247-25", "***.982.247-**")).toBe(true);
    expect(isBehindMask("000.110.475-82", "***.982.247-**")).toBe(false);
    expect(isBehindMask("000.110.475-82", "**.197.478/0001-**")).toBe(false);
  });

  it("shows a CNPJ with letters only once complete", () => {
    expect(["12.ABC.345/01DE-35", "11.222.333/0001-81", "ABC"].map(isLetteredCnpj)).toEqual([true, false, false]);
  });
});
