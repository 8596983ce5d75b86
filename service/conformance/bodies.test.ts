import { beforeAll, describe, expect, test } from "vitest";
import { companyRequest, personRequest } from "@/test/support/service/accounts";
import { type Harness, startService } from "@/test/support/service/harness";
import { altered, cnpjEnding, company, cpfEnding, member, person } from "@/test/support/service/conformance";

const CREATE = "/v1/bank-accounts/create";
const PERSON = "/v1/kyc/person";
const COMPANY = "/v1/kyc/company";
const bodies = { PF: personRequest(cpfEnding("789")), PJ: companyRequest(cnpjEnding("678")) };

// Refusals change nothing and each initiation is independent, so one service serves all tests.
let service: Harness;
beforeAll(async () => {
  service = await startService();
});

const post = (path: string, body: unknown) => service.send("POST", path, { body });

describe("each field of a request for an account", () => {
  const common = ["email", "transactionPassword", "bankDocuments"];
  const links = ["documentLink", "documentBackLink", "selfieLink"].map((name) => `bankDocuments.${name}`);
  const personal = ["fullName", "documentNumber", "phoneNumber", "motherName", "birthDate"];
  const corporate = ["businessName", "tradingName", "documentNumber", "establishmentDate", "owner"];

  test.each([
    ...[...common, ...links].flatMap((field) => [["PF", field] as const, ["PJ", field] as const]),
    ...[...personal, "isPoliticallyExposedPerson", "address"].map((field) => ["PF", `person.${field}`] as const),
    ...corporate.map((field) => ["PJ", `legalPerson.${field}`] as const),
    ["PJ", "bankDocuments.socialContractLink"] as const,
  ])("names in a %s a missing %s", async (kind, field) => {
    const reply = await post(CREATE, altered(bodies[kind], field));
    expect(reply).toMatchObject({ status: 400, body: { message: `${field}: is required` } });
  });

  test.each([
    ["PF", "person.documentNumber", "12345678900"],
    ["PF", "person.documentNumber", "123.456.789-09"],
    ["PF", "person.documentNumber", cnpjEnding("678")],
    ["PF", "person.birthDate", "1990-05-07"],
    ["PF", "person.birthDate", "29-02-2023"],
    ["PF", "person.isPoliticallyExposedPerson", "false"],
    ["PF", "person.address", "Avenida Paulista"],
    ["PF", "person.address.number", 1000],
    ["PF", "email", "nobody"],
    ["PF", "bankDocuments.selfieLink", "selfie.jpg"],
    ["PF", "bankDocuments.documentLink", "javascript:alert(1)"],
    ["PF", "transactionPassword", ""],
    ["PJ", "legalPerson.documentNumber", "12345678000199"],
    ["PJ", "legalPerson.establishmentDate", "31-04-2015"],
    ["PJ", "legalPerson.owner", []],
    ["PJ", "legalPerson.owner", {}],
    ["PJ", "legalPerson.owner.0.documentNumber", "12345678900"],
  ] as const)("names in a %s an invalid %s such as %j", async (kind, field, value) => {
    const reply = await post(CREATE, altered(bodies[kind], field, value));
    expect(reply).toMatchObject({ status: 400, body: { message: expect.stringMatching(new RegExp(`^${field}: `)) } });
  });
});

describe("each field of an initiation", () => {
  test.each([
    ...["backgroundcheckModel", "vatNumber", "name", "birthDate", "motherName"].map(
      (field) => [PERSON, field] as const,
    ),
    ...["backgroundcheckModel", "vatNumber", "legalName", "qsa"].map((field) => [COMPANY, field] as const),
    ...["ownerType", "vatNumber", "name", "birthDate", "motherName"].map(
      (field) => [COMPANY, `qsa.0.${field}`] as const,
    ),
  ])("names in %s a missing %s", async (path, field) => {
    const reply = await post(path, altered(path === PERSON ? person : company, field));
    expect(reply).toMatchObject({ status: 400, body: { message: `${field}: is required` } });
    expect(Object.keys(Object(reply.body))).toEqual(["message"]);
  });

  test.each([
    [PERSON, "backgroundcheckModel", "basic"],
    [PERSON, "documentscopyFlag", "true"],
    [PERSON, "documentscopyFlag", 1],
    [PERSON, "vatNumber", "123.456.789-09"],
    [PERSON, "vatNumber", "11111111111"],
    [PERSON, "vatNumber", 12345678909],
    [PERSON, "vatNumber", cnpjEnding("678")],
    [PERSON, "name", "   "],
    [PERSON, "name", null],
    [PERSON, "birthDate", "1984-09-07"],
    [PERSON, "birthDate", "29-02-2023"],
    [PERSON, "birthDate", "31-04-2000"],
    [PERSON, "birthDate", "7-9-1984"],
    [COMPANY, "vatNumber", cpfEnding("789")],
    [COMPANY, "vatNumber", "00000000000000"],
    [COMPANY, "qsa", {}],
    [COMPANY, "qsa", []],
    [COMPANY, "qsa", [member, member, member, member]],
    [COMPANY, "qsa", [{ ...member, ownerType: "SOCIO" }]],
    [COMPANY, "qsa.0.ownerType", "ADMINISTRADOR"],
    [COMPANY, "qsa.0.vatNumber", "12345678900"],
    [COMPANY, "qsa.0.birthDate", "30-02-1970"],
  ])("names in %s an invalid %s such as %j", async (path, field, value) => {
    const reply = await post(path, altered(path === PERSON ? person : company, field, value));
    expect(reply).toMatchObject({ status: 400, body: { message: expect.stringMatching(new RegExp(`^${field}: `)) } });
  });

  test.each([
    [PERSON, "birthDate", "29-02-2024"],
    [PERSON, "name", "José d'Ávila 😀"],
    [PERSON, "documentscopyFlag", false],
    [COMPANY, "qsa", [member]],
    [COMPANY, "qsa", [{ ...member, ownerType: "SOCIO" }, { ...member, ownerType: "SOCIO" }, member]],
    [COMPANY, "vatNumber", "12ABC34501DE35"],
  ])("accepts in %s a valid %s such as %j", async (path, field, value) => {
    expect((await post(path, altered(path === PERSON ? person : company, field, value))).status).toBe(200);
  });
});
