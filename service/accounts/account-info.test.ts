import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { completeCnpj, completeCpf } from "@/lib/contract/document";
import { expectBalancedBooks } from "@/test/support/service/ledger";
import { BOREAL, type Harness, startService } from "@/test/support/service/harness";
import { companyRequest, openAccount, personRequest } from "@/test/support/service/accounts";

const CPF = completeCpf("123456789");
const CNPJ = completeCnpj("123456780001");
const PERSON_INFO = "/v1/bank-accounts/getAccountInfoNaturalPerson";
const COMPANY_INFO = "/v1/bank-accounts/getAccountInfoLegalPerson";
const UPDATE = "/v1/bank-accounts/updateAccountInfoLegalPerson";

let service: Harness;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => expectBalancedBooks(service.call().db));

const read = (path: string, query: Record<string, string>, options = {}) =>
  service.send("GET", `${path}?${new URLSearchParams(query)}`, options);
const update = (body: unknown, options = {}) => service.send("PUT", UPDATE, { body, ...options });

describe("the record of a person's account", () => {
  it("shows the request and its result, never the transaction password", async () => {
    const request = personRequest(CPF);
    const withPasswords = {
      ...request,
      transactionPassword: "canary-password",
      person: { ...request.person, transactionPassword: "canary-password" },
    };
    const { accountId, account, onBoardingId } = await openAccount(service, withPasswords);
    const reply = await read(PERSON_INFO, { accountId, documentNumber: CPF });
    expect(reply).toMatchObject({ status: 200, body: { status: 200, httpCode: 200, when: expect.any(Number) } });
    expect(reply.body).toHaveProperty("data", {
      clientCode: "aurora",
      accountId,
      branch: "0001",
      account,
      documentNumber: CPF,
      onBoardingId,
      type: "PF",
      status: "ACTIVE",
      createdAt: "2026-03-10T12:00:04.000Z",
      closedAt: null,
      closingReason: null,
      email: request.email,
      person: request.person,
      bankDocuments: request.bankDocuments,
    });
    expect(JSON.stringify(reply.body)).not.toContain("canary-password");
  });

  it("answers 404 by another document, for another tenant or the companies' route", async () => {
    const { accountId } = await openAccount(service, personRequest(CPF));
    const company = await openAccount(service, companyRequest(CNPJ));
    const own = { accountId, documentNumber: CPF };
    const replies = await Promise.all([
      read(PERSON_INFO, { ...own, documentNumber: completeCpf("987654321") }),
      read(PERSON_INFO, { ...own, accountId: "nobody" }),
      read(PERSON_INFO, own, { tenant: BOREAL }),
      read(COMPANY_INFO, { accountId, documentNumber: CNPJ }),
      read(PERSON_INFO, { accountId: company.accountId, documentNumber: CPF }),
    ]);
    const missing = { message: "The banking account was not found" };
    expect(replies.map(({ status, body }) => [status, body])).toEqual(replies.map(() => [404, missing]));
  });

  it.each([
    [PERSON_INFO, "documentNumber", { accountId: "some", documentNumber: CNPJ }],
    [PERSON_INFO, "documentNumber", { accountId: "some" }],
    [PERSON_INFO, "accountId", { documentNumber: CPF }],
    [COMPANY_INFO, "documentNumber", { accountId: "some", documentNumber: CPF }],
    [COMPANY_INFO, "accountId", { documentNumber: CNPJ }],
  ])("answers 400 at %s when %s is invalid", async (path, field, query) => {
    const reply = await read(path, query);
    expect([reply.status, reply.body]).toEqual([400, { message: expect.stringMatching(new RegExp(`^${field}: `)) }]);
  });
});

describe("the record of a company's account", () => {
  it("returns the company, its owners and its documents", async () => {
    const request = companyRequest(CNPJ);
    const { accountId } = await openAccount(service, request);
    const { legalPerson, bankDocuments } = request;
    expect(await read(COMPANY_INFO, { accountId, documentNumber: CNPJ })).toMatchObject({
      status: 200,
      body: { data: { accountId, type: "PJ", legalPerson, bankDocuments, email: request.email } },
    });
  });
});

describe("an update of a company", () => {
  const changes = {
    tradingName: "Padaria do Bairro",
    businessEmail: "novo@example.com",
    contactNumber: "+551144440000",
    businessAddress: { street: "Rua Nova", number: "7", city: "Campinas", state: "SP" },
  };

  it("changes a company's trade name and contacts for every later read", async () => {
    const { accountId } = await openAccount(service, companyRequest(CNPJ));
    const reply = await update({ accountId, documentNumber: CNPJ, ...changes });
    expect(reply).toMatchObject({ status: 200, body: { status: 200, httpCode: 200, when: expect.any(Number) } });
    const after = await read(COMPANY_INFO, { accountId, documentNumber: CNPJ });
    expect(after.body).toMatchObject({ data: { legalPerson: { ...changes, businessName: "Padaria Aurora Ltda" } } });
    expect(after.body).toHaveProperty("data.legalPerson.businessAddress", changes.businessAddress);
    expect(reply.body).toHaveProperty("data.legalPerson", expect.objectContaining(changes));
  });

  it("leaves omitted fields and the registered name, even when sent", async () => {
    const { accountId } = await openAccount(service, companyRequest(CNPJ));
    const before = (await read(COMPANY_INFO, { accountId, documentNumber: CNPJ })).body;
    const reply = await update({ accountId, businessName: "Outra Ltda", application: "aurora" });
    expect([reply.status, (await read(COMPANY_INFO, { accountId, documentNumber: CNPJ })).body]).toEqual([200, before]);
  });

  it.each(["accountId", "documentNumber"])("finds the account by its %s alone", async (field) => {
    const { accountId } = await openAccount(service, companyRequest(CNPJ));
    const ids = new Map([
      ["accountId", accountId],
      ["documentNumber", CNPJ],
    ]);
    const reply = await update({ [field]: ids.get(field), tradingName: "Nova" });
    expect(reply).toMatchObject({ status: 200, body: { data: { accountId, legalPerson: { tradingName: "Nova" } } } });
  });

  it("answers 404 for a person's, unknown or foreign account and mismatched ids", async () => {
    const person = await openAccount(service, personRequest(CPF));
    const { accountId } = await openAccount(service, companyRequest(CNPJ));
    const replies = [
      await update({ accountId: person.accountId, ...changes }),
      await update({ documentNumber: CPF, ...changes }),
      await update({ accountId: "nobody", ...changes }),
      await update({ accountId, documentNumber: completeCnpj("999999990001"), ...changes }),
      await update({ accountId, ...changes }, { tenant: BOREAL }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  });

  it.each([
    ["accountId", {}],
    ["accountId", { accountId: " " }],
    ["documentNumber", { documentNumber: "12345678000100" }],
    ["businessEmail", { accountId: "some", businessEmail: "nobody" }],
    ["tradingName", { accountId: "some", tradingName: "" }],
    ["businessAddress", { accountId: "some", businessAddress: "Rua Nova, 7" }],
  ])("answers 400 and names %s", async (field, body) => {
    const reply = await update(body);
    expect([reply.status, reply.body]).toEqual([400, { message: expect.stringMatching(new RegExp(`^${field}: `)) }]);
  });
});
