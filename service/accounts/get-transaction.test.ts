import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { TransferConfirmed } from "@/lib/contract/accounts";
import { maskDocument } from "@/lib/contract/document";
import { expectBalancedBooks } from "@/test/support/service/ledger";
import { BOREAL, type Harness, startService } from "@/test/support/service/harness";
import { type Account, heldId, openAccount, statementOf, ted, transfer } from "@/test/support/service/transfers";

const DAY_MS = 24 * 3_600_000;
const Blocked = z.looseObject({ antifraudId: z.string() });
let service: Harness;
let payer: Account;
let payee: Account;

beforeEach(async () => {
  service = await startService();
  payer = await openAccount(service, { reais: 2_000_000 });
  payee = await openAccount(service);
});
afterEach(() => expectBalancedBooks(service.call().db));

const receipt = (account: Account, transactionId: string, query: Record<string, string> = {}) => {
  const asked = new URLSearchParams({ transactionId, documentNumber: account.documentNumber, ...query });
  return service.send("GET", `/v1/bank-accounts/getTransactionById?${asked}`, { tenant: account.tenant });
};
const pay = async (amount: unknown, fields: Record<string, unknown> = {}) =>
  TransferConfirmed.parse((await transfer(service, [payer, payee], { amount, fields })).body).data.transactionId;
const hold = async () => heldId(await transfer(service, [payer, payee], { amount: 10_000 }));
const decide = (id: string, decision: string) => service.control("POST", `/sandbox/transactions/${id}`, { decision });

describe("the receipt of a transaction", () => {
  it("shows each side of a transfer its own half and counterparty", async () => {
    const id = await pay(150.75, { description: "Aluguel" });
    const common = { transactionId: id, type: "INTERNAL", amount: 150.75, description: "Aluguel", status: "CONFIRMED" };
    const reply = await receipt(payer, id);
    expect(reply).toMatchObject({ status: 200, body: { status: 200, httpCode: 200, when: expect.any(Number) } });
    expect(reply.body).toHaveProperty("data", {
      ...common,
      date: new Date(service.clock.now()).toISOString(),
      direction: "DEBIT",
      accountId: payer.accountId,
      counterparty: {
        name: "Ana Beatriz Souza",
        documentNumber: maskDocument(payee.documentNumber),
        accountId: payee.accountId,
        branch: "0001",
        account: expect.stringMatching(/^\d+-\d$/),
      },
    });
    expect((await receipt(payee, id)).body).toMatchObject({
      data: { ...common, direction: "CREDIT", counterparty: { accountId: payer.accountId } },
    });
  });

  it("shows a TED's recipient as ordered", async () => {
    await ted(service, payer, { amount: 99.9 });
    const [{ transactionId } = { transactionId: "" }] = await statementOf(service, payer);
    expect((await receipt(payer, transactionId)).body).toMatchObject({
      data: {
        type: "TED",
        direction: "DEBIT",
        status: "CONFIRMED",
        counterparty: {
          name: "Carlos Pereira",
          accountCode: "123456",
          branchCode: "0001",
          institutionCode: 1,
          institutionIspb: "00000000",
          bankAccountType: "CACC",
          documentNumber: expect.stringContaining("***"),
        },
      },
    });
  });

  it("shows external money as its statement entry does", async () => {
    const [entry] = await statementOf(service, payer);
    const { body } = await receipt(payer, entry?.transactionId ?? "");
    expect(body).toMatchObject({ data: { ...entry, amount: 2_000_000, direction: "CREDIT", counterparty: null } });
  });

  it("filters a receipt by cashIn to money in or money out", async () => {
    const id = await pay(1);
    const statuses = [];
    for (const [account, cashIn] of [
      [payee, "true"],
      [payee, "false"],
      [payer, "true"],
      [payer, "false"],
    ] as const)
      statuses.push((await receipt(account, id, { cashIn })).status);
    expect(statuses).toEqual([200, 404, 404, 200]);
  });

  it("accepts a transactionUUID that names the same transaction", async () => {
    const one = await pay(1);
    const other = await pay(2);
    expect((await receipt(payer, one, { transactionUUID: one })).status).toBe(200);
    expect((await receipt(payer, one, { transactionUUID: other })).status).toBe(404);
  });

  it("answers 404 for another document, another tenant and an unknown id", async () => {
    const id = await pay(1);
    const stranger = await openAccount(service);
    const replies = [
      await receipt(stranger, id),
      await receipt({ ...payer, tenant: BOREAL }, id),
      await receipt(payer, "nothing"),
      await receipt(payer, "5f0c7a1e-4f0c-4f6d-9a80-6d3b1d2f8a11"),
    ];
    const missing = { message: "The transaction was not found" };
    expect(replies.map(({ status, body }) => [status, body])).toEqual(replies.map(() => [404, missing]));
  });

  it.each([
    ["transactionId", { transactionId: "" }],
    ["documentNumber", { documentNumber: "12345678900" }],
    ["cashIn", { cashIn: "yes" }],
    ["transactionUUID", { transactionUUID: "" }],
  ])("answers 400 when %s is invalid", async (field, query) => {
    const reply = await receipt(payer, "some", query);
    expect([reply.status, reply.body]).toEqual([400, { message: expect.stringMatching(new RegExp(`^${field}: `)) }]);
  });
});

describe("a transaction that antifraud did not let pass", () => {
  it("shows a held transaction as HELD to the payer, and not to the payee", async () => {
    const id = await hold();
    expect((await receipt(payer, id)).body).toMatchObject({
      data: {
        transactionId: id,
        type: "INTERNAL",
        amount: 10_000,
        direction: "DEBIT",
        accountId: payer.accountId,
        status: "HELD",
        counterparty: { accountId: payee.accountId },
        pendingExpiresAt: new Date(service.clock.now() + DAY_MS).toISOString(),
        decidedAt: null,
      },
    });
    expect((await receipt(payee, id)).status).toBe(404);
    expect((await receipt({ ...payer, tenant: BOREAL }, id)).status).toBe(404);
    expect((await receipt(payer, id, { cashIn: "true" })).status).toBe(404);
  });

  it("shows a released transaction as CONFIRMED to both under the same id", async () => {
    const id = await hold();
    await decide(id, "RELEASE");
    expect((await receipt(payer, id)).body).toMatchObject({ data: { status: "CONFIRMED", direction: "DEBIT" } });
    expect((await receipt(payee, id)).body).toMatchObject({ data: { status: "CONFIRMED", direction: "CREDIT" } });
  });

  it("shows a failed transaction as REJECTED or EXPIRED", async () => {
    const rejected = await hold();
    const expired = await hold();
    await decide(rejected, "REJECT");
    await service.advance(DAY_MS);
    expect((await receipt(payer, rejected)).body).toMatchObject({ data: { status: "REJECTED" } });
    expect((await receipt(payer, expired)).body).toMatchObject({
      data: { status: "EXPIRED", decidedAt: new Date(service.clock.now()).toISOString() },
    });
  });

  it("shows a transaction refused outright as BLOCKED", async () => {
    const { antifraudId } = Blocked.parse((await ted(service, payer, { amount: 1_000_000 })).body);
    expect((await receipt(payer, antifraudId)).body).toMatchObject({
      data: { type: "TED", status: "BLOCKED", pendingExpiresAt: null, counterparty: { name: "Carlos Pereira" } },
    });
  });
});
