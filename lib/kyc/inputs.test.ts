import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { completeCnpj } from "@/lib/contract/document";
import { ageOn } from "@/lib/text/field-rules";
import { StartForm } from "./inputs";

const maria = {
  vatNumber: "529.982.247-25",
  name: "  Maria   Aparecida dos Santos ",
  birthDate: "07/09/1984",
  motherName: "Josefa dos Santos",
};
const person = { type: "PF", backgroundcheckModel: "COMPLETE", documentscopyFlag: true, ...maria };
const admin = { ownerType: "SOCIO_ADMINISTRADOR", ...maria };
const rui = { ...maria, ownerType: "SOCIO", vatNumber: "39053344705", name: "Rui Lima" };
const company = {
  type: "PJ",
  backgroundcheckModel: "BASIC",
  documentscopyFlag: false,
  vatNumber: "11.222.333/0001-81",
  legalName: "3M do Brasil",
  qsa: [admin, rui],
};

const codeOf = ({ code, ...issue }: z.core.$ZodIssue) => ("params" in issue ? issue.params?.["code"] : code);
/** The first error of each field, as screens show it. */
const wrong = (form: unknown) => {
  const issues = StartForm.safeParse(form).error?.issues ?? [];
  return Object.fromEntries(issues.toReversed().map((one) => [one.path.join("."), codeOf(one)]));
};

describe("a form to start a case", () => {
  it("turns the form into the interface's request for a person", () => {
    expect(StartForm.parse(person)).toEqual({
      ...person,
      vatNumber: "52998224725",
      name: "Maria Aparecida dos Santos",
      birthDate: "07-09-1984",
    });
  });

  it("strips invisible characters from a pasted name, and normalises its accents", () => {
    const pasted = "Mari\u00ADa\u200B da Conceic\u0327a\u0303o \u202EJose\u0301";
    expect(StartForm.parse({ ...person, name: pasted })).toMatchObject({
      name: "Maria da Concei\u00E7\u00E3o Jos\u00E9",
    });
  });

  it("accepts the apostrophes and hyphens of a name", () => {
    for (const name of ["D´Ávila O'Neil-Silva", "Ana d’Arc"]) {
      expect(StartForm.parse({ ...person, name })).toMatchObject({ name });
    }
  });

  it("turns the form into the interface's request for a company with partners", () => {
    expect(StartForm.parse(company)).toMatchObject({
      vatNumber: "11222333000181",
      legalName: "3M do Brasil",
      qsa: [{ vatNumber: "52998224725", birthDate: "07-09-1984" }, { ownerType: "SOCIO" }],
    });
  });

  it("accepts a CNPJ with letters", () => {
    const vatNumber = completeCnpj("12ABC34501DE");
    expect(StartForm.parse({ ...company, vatNumber: vatNumber.toLowerCase() })).toMatchObject({ vatNumber });
  });

  it.each([
    ["vatNumber", "", "too_small"],
    ["vatNumber", "529.982.247-24", "cpf"],
    ["name", "  ", "too_small"],
    ["name", "Maria 2", "name"],
    ["name", "…", "name"],
    ["name", "Maria 😀 Souza", "name"],
    ["name", "<b>Maria</b>", "name"],
    ["name", "Maria ٣", "name"],
    ["motherName", "Josefa 1984", "name"],
    ["birthDate", "", "too_small"],
    ["birthDate", "31/02/1990", "date"],
    ["birthDate", "7/9/84", "date"],
    ["birthDate", "07/09/2984", "birth-future"],
    ["birthDate", "07/09/1884", "birth-long-ago"],
    ["backgroundcheckModel", "", "invalid_value"],
  ])("says beside %s what is wrong with “%s”", (field, typed, code) => {
    expect(wrong({ ...person, [field]: typed })).toEqual({ [field]: code });
  });

  it("lists every error at once, partners' errors beside their fields", () => {
    const partners = [
      { ...rui, birthDate: "31/02/1990" },
      { ...rui, name: "" },
    ];
    expect(wrong({ ...company, vatNumber: "1", qsa: partners })).toMatchObject({
      vatNumber: "cnpj",
      "qsa.0.birthDate": "date",
      "qsa.1.name": "too_small",
      qsa: "qsa",
    });
  });

  it("accepts one to three partners, nobody twice", () => {
    expect(wrong({ ...company, qsa: [admin, { ...rui, vatNumber: "52998224725" }] })).toEqual({
      "qsa.1.vatNumber": "repeated",
    });
    expect(wrong({ ...company, qsa: [] })).toMatchObject({ qsa: "too_small" });
    expect(wrong({ ...company, qsa: [admin, rui, rui, rui] })).toMatchObject({ qsa: "too_big" });
  });

  it("counts age by birthday", () => {
    expect(["2026-09-06", "2026-09-07"].map((day) => ageOn("07-09-2008", day))).toEqual([17, 18]);
  });
});
