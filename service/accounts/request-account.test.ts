import { beforeEach, describe, expect, it } from "vitest";
import { fieldsOf, withField, withoutField } from "@/test/support/contract";
import { completeCnpj, completeCpf } from "@/lib/contract/document";
import { type Harness, startService } from "@/test/support/service/harness";
import { onboarding } from "@/service/store/schema";
import { companyRequest, personRequest } from "@/test/support/service/accounts";

const CPF = completeCpf("123456789");
const CNPJ = completeCnpj("123456780001");
let service: Harness;

beforeEach(async () => {
  service = await startService();
});

const create = (body: unknown) => service.send("POST", "/v1/bank-accounts/create", { body });
const refusalOf = (field: string) => [400, { message: expect.stringMatching(new RegExp(`^${field}: `)) }];

type Body = { name: string; body: unknown; mayLack: RegExp };
const BODIES: Body[] = [
  { name: "a person", body: personRequest(CPF), mayLack: /^person\.(email|address\..+)$/ },
  {
    name: "a company",
    body: companyRequest(CNPJ),
    mayLack: /^legalPerson\.(businessEmail|contactNumber|businessAddress.*|owner\.0\..+)$/,
  },
];

describe.each(BODIES)("a request for the account of $name", ({ body, mayLack }) => {
  const fields = fieldsOf(body).map((path) => ({ path, name: path.join(".") }));
  const required = fields.filter(({ name }) => !mayLack.test(name));

  it("answers 400 naming each required field that is missing or of the wrong kind", async () => {
    for (const { path, name } of required) {
      const missing = await create(withoutField(body, path));
      // Without the identifying object, either of the two may be meant.
      const named = name === "legalPerson" ? "(legalPerson|person)" : name;
      expect([missing.status, missing.body]).toEqual(refusalOf(named));
      const odd = await create(withField(body, path, 7));
      expect([odd.status, odd.body]).toEqual(refusalOf(named));
    }
  });

  it("accepts a request without the optional fields", async () => {
    const bare = fields
      .filter(({ name }) => mayLack.test(name))
      .toSorted((one, other) => other.path.length - one.path.length)
      .reduce((rest: unknown, { path }) => withoutField(rest, path), body);
    expect(await create(bare)).toMatchObject({
      status: 200,
      body: { status: 200, httpCode: 200, data: { status: "PROCESSING", body: { onBoardingId: expect.any(String) } } },
    });
  });

  it("accepts the tenant as application and fields of a later version", async () => {
    expect((await create({ ...Object(body), application: "aurora", addedLater: { any: "thing" } })).status).toBe(200);
  });
});

describe("a request that does not fit", () => {
  const person = personRequest(CPF);
  const company = companyRequest(CNPJ);
  const withPerson = (changes: Record<string, unknown>) => ({ ...person, person: { ...person.person, ...changes } });
  const withCompany = (changes: Record<string, unknown>) => ({
    ...company,
    legalPerson: { ...company.legalPerson, ...changes },
  });
  const [owner] = company.legalPerson.owner;

  it.each([
    ["person.documentNumber", withPerson({ documentNumber: "12345678900" })],
    ["person.documentNumber", withPerson({ documentNumber: "123.456.789-09" })],
    ["person.documentNumber", withPerson({ documentNumber: CNPJ })],
    ["person.documentNumber", withPerson({ documentNumber: "11111111111" })],
    ["person.birthDate", withPerson({ birthDate: "1990-05-07" })],
    ["person.birthDate", withPerson({ birthDate: "31-02-1990" })],
    ["person.email", withPerson({ email: "nobody" })],
    ["person.isPoliticallyExposedPerson", withPerson({ isPoliticallyExposedPerson: "false" })],
    ["person.address.street", withPerson({ address: { street: 7 } })],
    ["email", { ...person, email: "nobody" }],
    ["bankDocuments.selfieLink", { ...person, bankDocuments: { ...person.bankDocuments, selfieLink: "selfie.jpg" } }],
    ["legalPerson.documentNumber", withCompany({ documentNumber: CPF })],
    ["legalPerson.documentNumber", withCompany({ documentNumber: "12345678000100" })],
    ["legalPerson.establishmentDate", withCompany({ establishmentDate: "01/02/2015" })],
    ["legalPerson.businessEmail", withCompany({ businessEmail: "nobody" })],
    ["legalPerson.owner", withCompany({ owner: [] })],
    ["legalPerson.owner", withCompany({ owner: owner })],
    ["legalPerson.owner.0.documentNumber", withCompany({ owner: [{ ...owner, documentNumber: "12345678900" }] })],
    ["legalPerson.owner.0.birthDate", withCompany({ owner: [{ ...owner, birthDate: "1990" }] })],
    ["person", { ...company, person: person.person }],
    ["body", []],
  ])("answers 400 and names %s", async (field, body) => {
    const reply = await create(body);
    expect([reply.status, reply.body]).toEqual(refusalOf(field));
  });

  it("keeps nothing of a refused request, so a correct one succeeds", async () => {
    await create(withPerson({ birthDate: "31-02-1990" }));
    expect(await service.call().db.$count(onboarding)).toBe(0);
    expect((await create(person)).status).toBe(200);
  });
});
