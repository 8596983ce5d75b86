import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { completeCnpj, completeCpf } from "@/lib/contract/document";
import { HeldTransaction } from "@/lib/contract/errors";
import { expectBalancedBooks } from "@/test/support/service/ledger";
import { BOREAL, type Harness, startService } from "@/test/support/service/harness";
import { bankAccount, onboarding } from "@/service/store/schema";
import { companyRequest, openAccount, personRequest } from "@/test/support/service/accounts";

const CPF = completeCpf("123456789");
let service: Harness;
let opened: Awaited<ReturnType<typeof openAccount>>;

beforeEach(async () => {
  service = await startService();
  opened = await openAccount(service, personRequest(CPF));
});
afterEach(() => expectBalancedBooks(service.call().db));

const order = (changes: Record<string, unknown> = {}) => ({
  userId: "user-1",
  userAccessToken: "canary-token",
  code: "918273",
  account: opened.account,
  reason: "A pedido do titular",
  ...changes,
});
const close = (changes: Record<string, unknown> = {}, options = {}) =>
  service.send("POST", "/v1/bank-accounts/closeAccount", { body: order(changes), ...options });
const credit = (amount: number) =>
  service.control("POST", `/sandbox/bank-accounts/${opened.accountId}/credit`, { amount });
const transfer = (accountIdFrom: string, accountIdTo: string, amount = 1) =>
  service.send("POST", "/v1/bank-accounts/generateInternalTransferRequest", {
    body: { userId: "user-1", accountIdFrom, accountIdTo, amount },
  });

const read = async (operation: string, query: Record<string, string> = {}) => {
  const named = { accountId: opened.accountId, documentNumber: CPF, ...query };
  return service.send("GET", `/v1/bank-accounts/${operation}?${new URLSearchParams(named)}`);
};

describe("closing an account", () => {
  it("returns the closed account, which stays readable", async () => {
    const reply = await close();
    expect(reply).toMatchObject({
      status: 200,
      body: {
        status: 200,
        httpCode: 200,
        when: expect.any(Number),
        data: { accountId: opened.accountId, account: opened.account, status: "CLOSED", reason: "A pedido do titular" },
      },
    });
    const period = { initialDate: "2026-03-01", endDate: "2026-03-31" };
    expect(await read("balance")).toMatchObject({ status: 200, body: { data: { balance: 0, blockedBalance: 0 } } });
    expect(await read("history", period)).toMatchObject({ status: 200, body: { data: { transactions: [] } } });
    expect(await read("getAccountInfoNaturalPerson")).toMatchObject({
      status: 200,
      body: { data: { status: "CLOSED", closedAt: expect.any(String), closingReason: "A pedido do titular" } },
    });
    expect(await read("checkOnboarding", { onBoardingId: opened.onBoardingId })).toMatchObject({
      status: 200,
      body: { data: { status: "CONFIRMED", body: { account: { accountId: opened.accountId } } } },
    });
    expect(await read("getAccounts", period)).toMatchObject({
      body: { data: { accounts: [{ accountId: opened.accountId, status: "CONFIRMED", accountStatus: "CLOSED" }] } },
    });
  });

  it.each([
    ["as it is printed", () => opened.account],
    ["without its hyphen", () => opened.account.replace("-", "")],
    ["between spaces", () => ` ${opened.account} `],
    ["as the account's id", () => opened.accountId],
  ])("accepts the account number %s", async (_, account) => {
    expect((await close({ account: account() })).status).toBe(200);
  });

  it("answers 404 for a number that the tenant lacks", async () => {
    const [serial = "", digit = ""] = opened.account.split("-");
    const wrongDigit = `${serial}-${(Number(digit) + 1) % 10}`;
    const replies = [
      await close({ account: wrongDigit }),
      await close({ account: "999999999999999999-9" }),
      await close({ account: "nobody" }),
      await close({}, { tenant: BOREAL }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect((await close()).status).toBe(200);
  });

  it.each(["userId", "userAccessToken", "code", "account", "reason"])("answers 400 without %s", async (field) => {
    for (const value of [undefined, ""]) {
      const reply = await close({ [field]: value });
      expect([reply.status, reply.body]).toEqual([400, { message: expect.stringMatching(new RegExp(`^${field}: `)) }]);
    }
  });

  it("answers 422 with the code 000000", async () => {
    expect(await close({ code: "000000" })).toMatchObject({ status: 422, body: { message: expect.any(String) } });
    expect((await close()).status).toBe(200);
  });

  it("answers 422 with money on the account, and succeeds once that has left", async () => {
    const other = await openAccount(service, companyRequest(completeCnpj("123456780001")));
    await credit(1);
    expect(await close()).toMatchObject({ status: 422, body: { message: expect.any(String) } });
    await transfer(opened.accountId, other.accountId);
    expect((await close()).status).toBe(200);
  });

  it("answers 422 while an amount is held, until returned and paid out", async () => {
    const other = await openAccount(service, companyRequest(completeCnpj("123456780001")));
    await credit(10_000);
    const held = HeldTransaction.parse((await transfer(opened.accountId, other.accountId, 10_000)).body);
    expect(await read("balance")).toMatchObject({ body: { data: { balance: 0, blockedBalance: 10_000 } } });
    expect((await close()).status).toBe(422);
    await service.control("POST", `/sandbox/transactions/${held.antifraudId}`, { decision: "REJECT" });
    expect((await close()).status).toBe(422);
    await transfer(opened.accountId, other.accountId, 9_999.99);
    await transfer(opened.accountId, other.accountId, 0.01);
    expect((await close()).status).toBe(200);
  });

  it("closes an account once for ten concurrent requests", async () => {
    const replies = await Promise.all(Array.from({ length: 10 }, () => close()));
    const statuses = replies.map(({ status }) => status).toSorted((one, other) => one - other);
    expect(statuses).toEqual([200, ...Array.from({ length: 9 }, () => 422)]);
  });

  it("stores neither the holder's token nor the code", async () => {
    await close();
    const { db } = service.call();
    const stored = JSON.stringify([await db.select().from(bankAccount), await db.select().from(onboarding)]);
    expect(stored).toContain("A pedido do titular");
    expect(stored).not.toMatch(/canary-token|918273/);
  });
});

describe("a closed account", () => {
  it("refuses further movements on a closed account, internal and external", async () => {
    const other = await openAccount(service, companyRequest(completeCnpj("123456780001")));
    await service.control("POST", `/sandbox/bank-accounts/${other.accountId}/credit`, { amount: 10 });
    await close();
    expect((await transfer(opened.accountId, other.accountId)).status).toBe(422);
    expect((await transfer(other.accountId, opened.accountId)).status).toBe(422);
    expect((await credit(5)).status).toBe(422);
    expect(await read("balance")).toMatchObject({ body: { data: { balance: 0 } } });
  });

  it("keeps an account closed after a restart", async () => {
    await close();
    service = await service.restart();
    expect([(await close()).status, (await credit(5)).status]).toEqual([422, 422]);
  });

  it("refuses changes of a closed account's company", async () => {
    const company = await openAccount(service, companyRequest(completeCnpj("123456780001")));
    await close({ account: company.account });
    const body = { accountId: company.accountId, tradingName: "Nova" };
    expect((await service.send("PUT", "/v1/bank-accounts/updateAccountInfoLegalPerson", { body })).status).toBe(422);
  });

  it("frees a closed account's holder to open another, which is then found", async () => {
    const create = () => service.send("POST", "/v1/bank-accounts/create", { body: personRequest(CPF) });
    expect((await create()).status).toBe(409);
    await close();
    const second = await openAccount(service, personRequest(CPF));
    expect([second.accountId === opened.accountId, second.account === opened.account]).toEqual([false, false]);
    expect(await read("checkOnboarding", { onBoardingId: CPF })).toMatchObject({
      body: { data: { body: { account: { accountId: second.accountId } } } },
    });
    expect((await create()).status).toBe(409);
  });
});
