import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ErrorBody } from "@/lib/contract/errors";
import { losslessNumber } from "@/lib/contract/json";
import { OnboardingRecord } from "@/lib/contract/onboarding";
import { expectBalancedBooks } from "@/test/support/service/ledger";
import { type Harness, START_MS, startService } from "@/test/support/service/harness";
import {
  type Account,
  balanceOf,
  heldId,
  openAccount,
  statementOf,
  ted,
  transfer,
} from "@/test/support/service/transfers";

const HOUR_MS = 3_600_000;

let service: Harness;
let ana: Account;
let bia: Account;
beforeEach(async () => {
  service = await startService();
  [ana, bia] = [await openAccount(service, { reais: 50_000 }), await openAccount(service)];
});
afterEach(() => expectBalancedBooks(service.call().db));

const decide = (antifraudId: string, decision: string) =>
  service.control("POST", `/sandbox/transactions/${antifraudId}`, { decision });
const close = async ({ accountId, onBoardingId }: Account) => {
  const path = `/v1/bank-accounts/checkOnboarding?onBoardingId=${onBoardingId}`;
  const { account } = OnboardingRecord.parse((await service.send("GET", path)).body).data.body;
  expect(account.accountId).toBe(accountId);
  const order = { userId: "u", userAccessToken: "t", code: "123456", account: account.account, reason: "Encerramento" };
  expect((await service.send("POST", "/v1/bank-accounts/closeAccount", { body: order })).status).toBe(200);
};
const holdTen = () => transfer(service, [ana, bia], { amount: 10_000, fields: { description: "Carro" } });

describe("a transfer of R$ 10,000.00 or more", () => {
  it("holds the transfer: 202 with its antifraudId and a deadline in 24 hours", async () => {
    const reply = await holdTen();
    const expiresAt = new Date(service.clock.now() + 24 * HOUR_MS).toISOString();
    expect(reply).toMatchObject({
      status: 202,
      body: { error: "TRANSACTION_PENDING_APPROVAL", message: expect.any(String), pendingExpiresAt: expiresAt },
    });
    expect(heldId(reply)).toMatch(/^[\da-f-]{36}$/);
    expect(START_MS).toBeLessThan(Date.parse(expiresAt));
  });

  it("blocks a held amount and shows it on no statement while it waits", async () => {
    const before = await statementOf(service, ana);
    await holdTen();
    expect(await balanceOf(service, ana)).toEqual(["40000.00", "10000.00"]);
    expect(await balanceOf(service, bia)).toEqual(["0.00", "0.00"]);
    expect(await statementOf(service, ana)).toEqual(before);
  });

  it("holds no transfer of a cent less", async () => {
    expect((await transfer(service, [ana, bia], { amount: losslessNumber("9999.99") })).status).toBe(200);
  });

  it("requires the money first: 422 comes before antifraud", async () => {
    expect((await transfer(service, [ana, bia], { amount: 50_000.01 })).status).toBe(422);
    expect((await transfer(service, [ana, bia], { amount: 1_000_000 })).status).toBe(422);
  });

  it("refuses to spend a held amount a second time", async () => {
    await transfer(service, [ana, bia], { amount: 45_000 });
    expect((await transfer(service, [ana, bia], { amount: 5_000.01 })).status).toBe(422);
  });
});

describe("a transfer of R$ 1,000,000.00 or more", () => {
  it("blocks the transfer: 403 with its antifraudId, and moves nothing", async () => {
    await service.control("POST", `/sandbox/bank-accounts/${ana.accountId}/credit`, { amount: 1_950_000 });
    const held = await transfer(service, [ana, bia], { amount: losslessNumber("999999.99") });
    const blocked = await transfer(service, [ana, bia], { amount: 1_000_000 });
    expect(held.status).toBe(202);
    expect(blocked).toMatchObject({
      status: 403,
      body: { error: "TRANSACTION_BLOCKED", message: expect.any(String), antifraudId: expect.any(String) },
    });
    expect(await balanceOf(service, ana)).toEqual(["1000000.01", "999999.99"]);
  });

  it("refuses to release a blocked transfer", async () => {
    await service.control("POST", `/sandbox/bank-accounts/${ana.accountId}/credit`, { amount: 1_950_000 });
    const { body } = await transfer(service, [ana, bia], { amount: 1_000_000 });
    expect((await decide(ErrorBody.parse(body).antifraudId ?? "", "RELEASE")).status).toBe(409);
  });
});

describe("a held transfer", () => {
  it("carries out a released transfer, under its antifraudId on both statements", async () => {
    const id = heldId(await holdTen());
    expect(await decide(id, "RELEASE")).toMatchObject({ status: 200, body: { data: { status: "RELEASED" } } });
    expect(await balanceOf(service, ana)).toEqual(["40000.00", "0.00"]);
    expect(await balanceOf(service, bia)).toEqual(["10000.00", "0.00"]);
    const entry = { transactionId: id, type: "INTERNAL", amount: "10000.00", description: "Carro" };
    expect((await statementOf(service, ana))[0]).toMatchObject({ ...entry, direction: "DEBIT" });
    expect((await statementOf(service, bia))[0]).toMatchObject({ ...entry, direction: "CREDIT" });
  });

  it("takes a released TED from the account", async () => {
    const id = heldId(await ted(service, ana, { amount: 20_000 }));
    expect(await balanceOf(service, ana)).toEqual(["30000.00", "20000.00"]);
    await decide(id, "RELEASE");
    expect(await balanceOf(service, ana)).toEqual(["30000.00", "0.00"]);
    expect((await statementOf(service, ana))[0]).toMatchObject({ transactionId: id, type: "TED", direction: "DEBIT" });
  });

  it("gives a rejected amount back, with no trace on the statement", async () => {
    const before = await statementOf(service, ana);
    const id = heldId(await holdTen());
    expect(await decide(id, "REJECT")).toMatchObject({ status: 200, body: { data: { status: "REJECTED" } } });
    expect(await balanceOf(service, ana)).toEqual(["50000.00", "0.00"]);
    expect(await statementOf(service, ana)).toEqual(before);
  });

  it("expires a hold after exactly 24 hours and gives the amount back", async () => {
    const id = heldId(await holdTen());
    await service.advance(24 * HOUR_MS - 1);
    expect(await balanceOf(service, ana)).toEqual(["40000.00", "10000.00"]);
    await service.advance(1);
    expect(await balanceOf(service, ana)).toEqual(["50000.00", "0.00"]);
    expect((await decide(id, "RELEASE")).status).toBe(409);
  });

  it("expires a hold at once where that is decided, and only one that waits", async () => {
    const id = heldId(await holdTen());
    expect(await decide(id, "EXPIRE")).toMatchObject({ status: 200, body: { data: { status: "EXPIRED" } } });
    expect(await balanceOf(service, ana)).toEqual(["50000.00", "0.00"]);
    for (const again of ["EXPIRE", "RELEASE"]) expect((await decide(id, again)).status).toBe(409);
    await service.advance(24 * HOUR_MS);
    expect(await balanceOf(service, ana)).toEqual(["50000.00", "0.00"]);
  });

  it("expires a hold even if the service was down or its clock moved", async () => {
    await holdTen();
    service = await service.restart();
    await service.control("POST", "/sandbox/clock", { advanceSeconds: 86_400 });
    expect(await balanceOf(service, ana)).toEqual(["50000.00", "0.00"]);
  });

  it("decides a hold after a restart", async () => {
    const id = heldId(await holdTen());
    service = await service.restart();
    expect((await decide(id, "RELEASE")).status).toBe(200);
    expect(await balanceOf(service, bia)).toEqual(["10000.00", "0.00"]);
  });

  it("refuses a release after the deadline, even if still unnoticed", async () => {
    const id = heldId(await holdTen());
    service.clock.set(service.clock.now() + 24 * HOUR_MS);
    expect((await decide(id, "RELEASE")).status).toBe(409);
    expect(await balanceOf(service, ana)).toEqual(["50000.00", "0.00"]);
  });

  it("decides a hold once: again is 409, also for two concurrent analysts", async () => {
    const id = heldId(await holdTen());
    const both = await Promise.all([decide(id, "RELEASE"), decide(id, "REJECT")]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect((await decide(id, "RELEASE")).status).toBe(409);
  });

  it("keeps a hold whose release meets a closed account, which can be returned", async () => {
    const id = heldId(await holdTen());
    await close(bia);
    expect((await decide(id, "RELEASE")).status).toBe(422);
    expect(await balanceOf(service, ana)).toEqual(["40000.00", "10000.00"]);
    expect((await decide(id, "REJECT")).status).toBe(200);
    expect(await balanceOf(service, ana)).toEqual(["50000.00", "0.00"]);
  });

  it("answers 404 for an unknown hold, and 400 for another decision", async () => {
    expect((await decide("nobody", "RELEASE")).status).toBe(404);
    expect((await decide("5a0d4bd0-2f0e-4d0b-9d1e-0d9a6b8f1c11", "REJECT")).status).toBe(404);
    const reply = await decide(heldId(await holdTen()), "MAYBE");
    expect(reply).toMatchObject({ status: 400, body: { message: expect.stringMatching(/^decision: /) } });
  });
});

describe("the thresholds", () => {
  it("takes the thresholds from settings", async () => {
    const environment = { SERVICE_HOLD_FROM_REAIS: "10", SERVICE_BLOCK_FROM_REAIS: "20.00" };
    service = await startService({ environment });
    [ana, bia] = [await openAccount(service, { reais: 100 }), await openAccount(service)];
    const statuses = [];
    for (const amount of [9.99, 10, 19.99, 20]) statuses.push((await transfer(service, [ana, bia], { amount })).status);
    expect(statuses).toEqual([200, 202, 202, 403]);
  });
});
