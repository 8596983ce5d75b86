import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Balance, History } from "@/lib/contract/accounts";
import { completeCpf } from "@/lib/contract/document";
import { AccountRequested, OnboardingRecord } from "@/lib/contract/onboarding";
import { expectBalancedBooks } from "@/test/support/service/ledger";
import { BOREAL, type Harness, START_MS, startService } from "@/test/support/service/harness";
import { personRequest } from "@/test/support/service/accounts";

const DOCUMENT = completeCpf("123456789");
const HOUR_MS = 3_600_000;
let service: Harness;
let accountId: string;
let onBoardingId: string;

async function openAccount(documentNumber: string): Promise<string> {
  const { body } = await service.send("POST", "/v1/bank-accounts/create", { body: personRequest(documentNumber) });
  onBoardingId = AccountRequested.parse(body).data.body.onBoardingId;
  await service.advance(4_000);
  const path = `/v1/bank-accounts/checkOnboarding?onBoardingId=${onBoardingId}`;
  const record = OnboardingRecord.parse((await service.send("GET", path)).body);
  return record.data.body.account.accountId ?? "";
}

beforeEach(async () => {
  service = await startService();
  accountId = await openAccount(DOCUMENT);
});
afterEach(() => expectBalancedBooks(service.call().db));

const credit = (body: Record<string, unknown>, to = accountId) =>
  service.control("POST", `/sandbox/bank-accounts/${to}/credit`, body);

const balancePath = (query: Record<string, string> = {}) =>
  `/v1/bank-accounts/balance?${new URLSearchParams({ accountId, documentNumber: DOCUMENT, ...query })}`;

const historyPath = (query: Record<string, string> = {}) => {
  const given = { accountId, documentNumber: DOCUMENT, initialDate: "2026-03-01", endDate: "2026-03-31", ...query };
  return `/v1/bank-accounts/history?${new URLSearchParams(given)}`;
};

const history = async (query: Record<string, string> = {}) =>
  History.parse((await service.send("GET", historyPath(query))).body).data;

describe("the balance of an account", () => {
  it("starts a balance at zero and adds what arrives, to the cent", async () => {
    const before = Balance.parse((await service.send("GET", balancePath())).body);
    expect(before.data).toEqual({ accountId, balance: "0.00", blockedBalance: "0.00" });
    await credit({ amount: 0.1 });
    await credit({ amount: 0.2 });
    await credit({ amount: 900_719_925_474.99 });
    const after = Balance.parse((await service.send("GET", balancePath({ onBoardingId }))).body);
    expect(after).toMatchObject({ status: expect.any(String), data: { balance: "900719925475.29" } });
  });

  it.each([
    ["another document", { documentNumber: completeCpf("987654321") }],
    ["another onboarding", { onBoardingId: "nobody" }],
    ["an unknown account", { accountId: "nobody" }],
  ])("answers 404 for %s", async (_, query) => {
    expect((await service.send("GET", balancePath(query))).status).toBe(404);
  });

  it("answers 404 for another tenant, with the body of an unknown account", async () => {
    const foreign = await service.send("GET", balancePath(), { tenant: BOREAL });
    const unknown = await service.send("GET", balancePath({ accountId: "nobody" }), { tenant: BOREAL });
    expect([foreign.status, foreign.body]).toEqual([404, unknown.body]);
  });

  it.each([{ documentNumber: "12345678900" }, { accountId: "" }])("answers 400 for %o", async (query) => {
    expect((await service.send("GET", balancePath(query))).status).toBe(400);
  });
});

async function creditAt(iso: string, description: string): Promise<void> {
  service.clock.set(Date.parse(iso));
  await credit({ amount: 1, description });
}

describe("the statement of an account", () => {
  it("shows each movement with its kind, exact amount and direction, newest first", async () => {
    await credit({ amount: 1_500.5, type: "TED", description: "Salário" });
    await service.advance(1);
    await credit({ amount: 20, description: "Feira" });
    const { transactions, page, totalPages } = await history();
    expect(transactions).toEqual([
      expect.objectContaining({ type: "PIX", amount: "20.00", description: "Feira", direction: "CREDIT" }),
      expect.objectContaining({ type: "TED", amount: "1500.50", description: "Salário", direction: "CREDIT" }),
    ]);
    expect([page, totalPages]).toEqual([1, 1]);
  });

  it("includes a statement's first and last São Paulo day", async () => {
    await creditAt("2026-03-12T02:59:59.999Z", "11th, last moment");
    await creditAt("2026-03-12T03:00:00.000Z", "12th, first moment");
    await creditAt("2026-03-14T02:59:59.999Z", "13th, last moment");
    await creditAt("2026-03-14T03:00:00.000Z", "14th, first moment");
    const { transactions } = await history({ initialDate: "2026-03-12", endDate: "2026-03-13" });
    expect(transactions.map(({ description }) => description)).toEqual(["13th, last moment", "12th, first moment"]);
  });

  it("accepts the first and last representable days", async () => {
    await credit({ amount: 1 });
    expect((await history({ initialDate: "0000-01-01", endDate: "9999-12-31" })).transactions).toHaveLength(1);
    expect((await history({ initialDate: "0000-01-01", endDate: "0000-12-31" })).transactions).toEqual([]);
  });

  it("pages through every entry once, even within one moment", async () => {
    for (let index = 0; index < 7; index += 1) await credit({ amount: 1 + index });
    const pages = [];
    for (const page of ["1", "2", "3", "4"]) pages.push(await history({ limit: "3", page }));
    expect(pages.map(({ transactions }) => transactions.map(({ amount }) => amount))).toEqual([
      ["7.00", "6.00", "5.00"],
      ["4.00", "3.00", "2.00"],
      ["1.00"],
      [],
    ]);
    expect(pages.map(({ totalPages }) => totalPages)).toEqual([3, 3, 3, 3]);
  });

  it("shows only PIX entries when asked", async () => {
    await credit({ amount: 1, type: "TED" });
    await credit({ amount: 2, type: "PIX" });
    expect((await history({ onlyPixEntries: "true" })).transactions.map(({ type }) => type)).toEqual(["PIX"]);
    expect((await history({ onlyPixEntries: "false" })).transactions).toHaveLength(2);
  });

  it("shows the tenant's other account by targetAccountId, and no other tenant's", async () => {
    const other = await openAccount(completeCpf("987654321"));
    await credit({ amount: 33 }, other);
    const { transactions } = await history({ targetAccountId: other });
    expect(transactions.map(({ amount }) => amount)).toEqual(["33.00"]);
    const foreign = await service.send("GET", historyPath({ targetAccountId: other }), { tenant: BOREAL });
    expect(foreign.status).toBe(404);
    expect((await service.send("GET", historyPath({ targetAccountId: "nobody" }))).status).toBe(404);
  });

  it.each([
    { initialDate: "2026-3-1" },
    { initialDate: "2026-02-30" },
    { endDate: "2026-02-28" },
    { limit: "0" },
    { limit: "501" },
    { page: "0" },
    { onlyPixEntries: "yes" },
  ])("answers 400 for %o", async (query) => {
    expect((await service.send("GET", historyPath(query))).status).toBe(400);
  });
});

const list = (query: Record<string, string>) =>
  service.send("GET", `/v1/bank-accounts/getAccounts?${new URLSearchParams(query)}`);

describe("the accounts of a period", () => {
  it("lists every request of the period, newest first, confirmed or not", async () => {
    const waiting = completeCpf("555555003");
    await service.send("POST", "/v1/bank-accounts/create", { body: personRequest(waiting) });
    const { body } = await list({ initialDate: "2026-03-10", endDate: "2026-03-10" });
    expect(body).toMatchObject({
      status: 200,
      httpCode: 200,
      when: expect.any(Number),
      data: {
        accounts: [
          { documentNumber: waiting, accountId: null, branch: "", account: "", status: "PROCESSING", type: "PF" },
          { documentNumber: DOCUMENT, accountId, onBoardingId, status: "CONFIRMED", holderName: "Ana Beatriz Souza" },
        ],
        page: 1,
        totalPages: 1,
      },
    });
  });

  it("pages through all requests once, and says which are open", async () => {
    for (const base of ["555555003", "666666003"])
      await service.send("POST", "/v1/bank-accounts/create", { body: personRequest(completeCpf(base)) });
    const period = { initialDate: "2026-03-10", endDate: "2026-03-10", limit: "2" };
    expect((await list({ ...period, page: "1" })).body).toMatchObject({
      data: { accounts: [{ accountStatus: null }, { accountStatus: null }], page: 1, totalPages: 2 },
    });
    expect((await list({ ...period, page: "2", method: "anything" })).body).toMatchObject({
      data: { accounts: [{ accountId, accountStatus: "ACTIVE", clientCode: "aurora" }], page: 2, totalPages: 2 },
    });
  });

  it.each([
    ["initialDate", { endDate: "2026-03-10" }],
    ["endDate", { initialDate: "2026-03-10" }],
    ["endDate", { initialDate: "2026-03-10", endDate: "2026-03-09" }],
    ["limit", { initialDate: "2026-03-10", endDate: "2026-03-10", limit: "501" }],
    ["page", { initialDate: "2026-03-10", endDate: "2026-03-10", page: "0" }],
  ])("answers 400 when %s is invalid", async (field, query: Record<string, string>) => {
    const reply = await list(query);
    expect([reply.status, reply.body]).toEqual([400, { message: expect.stringMatching(new RegExp(`^${field}: `)) }]);
  });

  it("lists no accounts of other days or tenants", async () => {
    const empty = { data: { accounts: [], page: 1, totalPages: 1 } };
    expect((await list({ initialDate: "2026-03-11", endDate: "2026-03-12" })).body).toMatchObject(empty);
    const path = "/v1/bank-accounts/getAccounts?initialDate=2026-03-10&endDate=2026-03-10";
    expect((await service.send("GET", path, { tenant: BOREAL })).body).toMatchObject(empty);
  });
});

describe("money from outside", () => {
  it.each([{ amount: 0 }, { amount: -1 }, { amount: 0.001 }, { amount: "10" }, { amount: 1, type: "CASH" }])(
    "answers 400 for %o",
    async (body) => {
      expect((await credit(body)).status).toBe(400);
    },
  );

  it("answers 404 for an unknown account, and the books count the entries", async () => {
    expect((await credit({ amount: 1 }, "nobody")).status).toBe(404);
    await credit({ amount: 1 });
    const { body } = await service.control("GET", "/sandbox/ledger/check");
    expect(body).toEqual({ data: { balanced: true, accounts: expect.any(Number), entries: 2, drift: 0 } });
  });

  it("keeps the money after a restart", async () => {
    await credit({ amount: 12.34 });
    service.clock.set(START_MS + HOUR_MS / 2);
    service = await service.restart();
    expect(Balance.parse((await service.send("GET", balancePath())).body).data.balance).toBe("12.34");
  });
});
