import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { companyRequest, openAccount, personRequest } from "@/test/support/service/accounts";
import { completeCnpj, completeCpf } from "@/lib/contract/document";
import { expectBalancedBooks } from "@/test/support/service/ledger";
import { BOREAL, type Harness, startService } from "@/test/support/service/harness";
import { meaningsOf } from "./look-up-key";

const CPF = completeCpf("123456789");
const CNPJ = completeCnpj("12ABC6780001");
let service: Harness;
let person: Awaited<ReturnType<typeof openAccount>>;

beforeEach(async () => {
  service = await startService();
  person = await openAccount(service, personRequest(CPF));
});
afterEach(() => expectBalancedBooks(service.call().db));

const lookUp = (pixKey: string, options = {}) =>
  service.send("GET", `/v1/pix/getAccountInfoByPixKey?${new URLSearchParams({ pixKey })}`, options);
const close = (account: string) =>
  service.send("POST", "/v1/bank-accounts/closeAccount", {
    body: { userId: "user-1", userAccessToken: "token", code: "123456", account, reason: "Teste" },
  });

describe("a PIX key", () => {
  it.each([
    ["CPF", CPF, () => CPF],
    ["CPF", CPF, () => "123.456.789-09"],
    ["EMAIL", "ana@example.com", () => "Ana@Example.com"],
    ["PHONE", "+5511999990000", () => "+5511999990000"],
    ["PHONE", "+5511999990000", () => "5511999990000"],
    ["PHONE", "+5511999990000", () => " 55 (11) 99999-0000"],
  ])("finds by a key of kind %s its holder's account: %s", async (keyType, pixKey, typed) => {
    const reply = await lookUp(typed());
    expect(reply).toMatchObject({ status: 200, body: { status: 200, httpCode: 200, when: expect.any(Number) } });
    expect(reply.body).toHaveProperty("data", {
      pixKey,
      keyType,
      name: "Ana Beatriz Souza",
      documentNumber: "***.456.789-**",
      type: "PF",
      accountId: person.accountId,
      branch: person.branch,
      account: person.account,
      accountType: "CACC",
    });
  });

  it("finds an account by the random key, which is its id", async () => {
    const reply = await lookUp(person.accountId.toUpperCase());
    expect(reply).toMatchObject({ body: { data: { keyType: "EVP", pixKey: person.accountId } } });
  });

  it("finds a company by its CNPJ, with letters, its e-mails or its phone", async () => {
    const { accountId } = await openAccount(service, companyRequest(CNPJ));
    for (const key of [CNPJ, CNPJ.toLowerCase(), "contato@example.com", "+551130000000"]) {
      expect(await lookUp(key)).toMatchObject({ status: 200, body: { data: { accountId, type: "PJ" } } });
    }
  });

  it("finds the oldest of several accounts, and the next once that closes", async () => {
    const second = await openAccount(service, personRequest(completeCpf("987654321")));
    expect(await lookUp("ana@example.com")).toMatchObject({ body: { data: { accountId: person.accountId } } });
    await close(person.account);
    expect(await lookUp("ana@example.com")).toMatchObject({ body: { data: { accountId: second.accountId } } });
    expect((await lookUp(CPF)).status).toBe(404);
  });

  it("follows a company's update of its keys", async () => {
    const { accountId } = await openAccount(service, companyRequest(CNPJ));
    const body = { accountId, contactNumber: "+5511 4444-0000" };
    await service.send("PUT", "/v1/bank-accounts/updateAccountInfoLegalPerson", { body });
    expect((await lookUp("+551130000000")).status).toBe(404);
    expect(await lookUp("+551144440000")).toMatchObject({ body: { data: { accountId } } });
  });

  it.each(["nobody@example.com", completeCpf("111222333"), "+5599999999999", "anything", "%", "+"])(
    "answers 404 when nobody has the key: %s",
    async (pixKey) => {
      expect(await lookUp(pixKey)).toMatchObject({ status: 404, body: { message: expect.any(String) } });
    },
  );

  it("answers 404 for another tenant's key and for an account not open yet", async () => {
    expect((await lookUp(CPF, { tenant: BOREAL })).status).toBe(404);
    const waiting = completeCpf("555555003");
    await service.send("POST", "/v1/bank-accounts/create", { body: personRequest(waiting) });
    expect((await lookUp(waiting)).status).toBe(404);
  });

  it("requires a PIX key", async () => {
    const reply = await service.send("GET", "/v1/pix/getAccountInfoByPixKey");
    expect([reply.status, reply.body]).toEqual([400, { message: "pixKey: is required" }]);
    expect((await lookUp("")).status).toBe(400);
  });
});

it("reads eleven digits as a document first, then as a phone", () => {
  expect(meaningsOf(CPF)).toEqual([
    { type: "CPF", key: CPF },
    { type: "PHONE", key: `+${CPF}` },
  ]);
  expect(meaningsOf("11999990000")).toEqual([{ type: "PHONE", key: "+11999990000" }]);
});
