import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { TransferConfirmed } from "@/lib/contract/accounts";
import { Token } from "@/lib/contract/auth";
import { stringifyJson } from "@/lib/contract/json";
import { idempotencyRecord } from "@/service/store/schema";
import { expectBalancedBooks } from "@/test/support/service/ledger";
import { BOREAL, type Harness, startService } from "@/test/support/service/harness";
import {
  type Account,
  balanceOf,
  EXTERNAL,
  INTERNAL,
  openAccount,
  statementOf,
  ted,
  transfer,
} from "@/test/support/service/transfers";

const HOUR_MS = 3_600_000;
const KEY = "5a0d4bd0-2f0e-4d0b-9d1e-0d9a6b8f1c11";

let service: Harness;
let ana: Account;
let bia: Account;
beforeEach(async () => {
  service = await startService({ environment: { SERVICE_RATE_LIMIT_PER_MINUTE: "10000" } });
  [ana, bia] = [await openAccount(service, { reais: 100 }), await openAccount(service)];
});
afterEach(() => expectBalancedBooks(service.call().db));

const idOf = ({ body }: { body: unknown }) => TransferConfirmed.parse(body).data.transactionId;

async function bytesOf(path: string, body: unknown): Promise<{ status: number; text: string }> {
  const issued = await service.app.request("/v1/authentication/oauth/access-token", {
    method: "POST",
    headers: { Authorization: `Basic ${Buffer.from("aurora:aurora-secret").toString("base64")}` },
  });
  const { access_token: token } = Token.parse(await issued.json());
  const identity = { Authorization: `Bearer ${token}`, "x-client-id": "aurora" };
  const headers = { ...identity, "Content-Type": "application/json", "Idempotency-Key": KEY };
  const answer = await service.app.request(path, { method: "POST", headers, body: stringifyJson(body) });
  return { status: answer.status, text: await answer.text() };
}

describe("a transfer under an Idempotency-Key", () => {
  it("returns a transfer's first answer when repeated, and moves nothing more", async () => {
    const first = await transfer(service, [ana, bia], { amount: 10, key: KEY });
    const again = await transfer(service, [ana, bia], { amount: 10, key: KEY });
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(await balanceOf(service, bia)).toEqual(["10.00", "0.00"]);
    expect(await statementOf(service, bia)).toHaveLength(1);
  });

  it("returns the same bytes, even of an answer with a time", async () => {
    const recipient = {
      document: bia.documentNumber,
      accountCode: "1",
      branchCode: "1",
      institutionCode: 1,
      name: "Bia",
    };
    const source = { userId: "u", onBoardingId: ana.onBoardingId, idAccount: ana.accountId, value: 1 };
    const order = { ...source, ...recipient, bankAccountType: "SVGS", institutionIspb: "00000000" };
    const first = await bytesOf(EXTERNAL, order);
    await service.advance(5_000);
    expect(await bytesOf(EXTERNAL, order)).toEqual(first);
    expect(first.text).toContain('"when"');
  });

  it("treats a request alike in any order of its fields", async () => {
    const order = { userId: "u", accountIdFrom: ana.accountId, accountIdTo: bia.accountId, amount: 5 };
    const turned = { amount: 5, accountIdTo: bia.accountId, accountIdFrom: ana.accountId, userId: "u" };
    expect(await bytesOf(INTERNAL, turned)).toEqual(await bytesOf(INTERNAL, order));
    expect(await balanceOf(service, bia)).toEqual(["5.00", "0.00"]);
  });

  it("answers 409 for another body, and for another operation", async () => {
    await transfer(service, [ana, bia], { amount: 10, key: KEY });
    expect((await transfer(service, [ana, bia], { amount: 11, key: KEY })).status).toBe(409);
    expect((await ted(service, ana, { amount: 10, key: KEY })).status).toBe(409);
    expect(await balanceOf(service, ana)).toEqual(["90.00", "0.00"]);
  });

  it("treats another tenant or another key as another request", async () => {
    const foreign = [
      await openAccount(service, { tenant: BOREAL, reais: 10 }),
      await openAccount(service, { tenant: BOREAL }),
    ] as const;
    await transfer(service, [ana, bia], { amount: 10, key: KEY });
    expect((await transfer(service, foreign, { amount: 10, key: KEY })).status).toBe(200);
    expect(idOf(await transfer(service, [ana, bia], { amount: 10, key: "other" }))).not.toBe("");
    expect(await balanceOf(service, bia)).toEqual(["20.00", "0.00"]);
  });

  it("keeps a transfer's 404 or 422, even if it could succeed by now", async () => {
    const nobody = { ...bia, accountId: "nobody" };
    expect((await transfer(service, [ana, nobody], { amount: 1, key: "k404" })).status).toBe(404);
    expect((await transfer(service, [ana, bia], { amount: 500, key: "k422" })).status).toBe(422);
    await service.control("POST", `/sandbox/bank-accounts/${ana.accountId}/credit`, { amount: 1_000 });
    expect((await transfer(service, [ana, nobody], { amount: 1, key: "k404" })).status).toBe(404);
    expect((await transfer(service, [ana, bia], { amount: 500, key: "k422" })).status).toBe(422);
    expect((await transfer(service, [ana, bia], { amount: 1, key: "k404" })).status).toBe(409);
  });

  it("keeps a transfer's antifraud outcome: held under one id, or blocked", async () => {
    await service.control("POST", `/sandbox/bank-accounts/${ana.accountId}/credit`, { amount: 2_000_000 });
    const held = await transfer(service, [ana, bia], { amount: 10_000, key: "held" });
    const blocked = await transfer(service, [ana, bia], { amount: 1_000_000, key: "blocked" });
    expect([held.status, blocked.status]).toEqual([202, 403]);
    expect((await transfer(service, [ana, bia], { amount: 10_000, key: "held" })).body).toEqual(held.body);
    expect((await transfer(service, [ana, bia], { amount: 1_000_000, key: "blocked" })).body).toEqual(blocked.body);
    expect(await balanceOf(service, ana)).toEqual(["1990100.00", "10000.00"]);
  });

  it("keeps no 400, 401, 402 or fault under a key", async () => {
    expect((await transfer(service, [ana, bia], { amount: -1, key: KEY })).status).toBe(400);
    await service.control("PUT", "/sandbox/tenants/aurora/billing", { status: "RESTRICTED" });
    expect((await transfer(service, [ana, bia], { amount: 1, key: KEY })).status).toBe(402);
    await service.control("PUT", "/sandbox/tenants/aurora/billing", { status: "ACTIVE" });
    await service.control("POST", "/sandbox/faults", { method: "POST", path: INTERNAL, status: 503, times: 1 });
    expect((await transfer(service, [ana, bia], { amount: 1, key: KEY })).status).toBe(503);
    expect((await transfer(service, [ana, bia], { amount: 2, key: KEY })).status).toBe(200);
    expect(await balanceOf(service, bia)).toEqual(["2.00", "0.00"]);
  });

  it("remembers a key across a restart, for 24 hours", async () => {
    const first = await transfer(service, [ana, bia], { amount: 10, key: KEY });
    service = await service.restart();
    await service.advance(24 * HOUR_MS - 1);
    expect(idOf(await transfer(service, [ana, bia], { amount: 10, key: KEY }))).toBe(idOf(first));
    await service.advance(1);
    expect(idOf(await transfer(service, [ana, bia], { amount: 10, key: KEY }))).not.toBe(idOf(first));
    expect(await balanceOf(service, bia)).toEqual(["20.00", "0.00"]);
  });

  it("leaves nothing of a forgotten key", async () => {
    await transfer(service, [ana, bia], { amount: 1, key: KEY });
    await service.advance(25 * HOUR_MS);
    await transfer(service, [ana, bia], { amount: 1, key: "later" });
    const stored = await service.call().db.select({ key: idempotencyRecord.key }).from(idempotencyRecord);
    expect(stored).toEqual([{ key: "later" }]);
  });

  it("moves money once for a hundred concurrent requests, each answered 200 or 409", async () => {
    const replies = await Promise.all(
      Array.from({ length: 100 }, () => transfer(service, [ana, bia], { amount: 1, key: KEY })),
    );
    for (const { status } of replies) expect([200, 409]).toContain(status);
    expect(new Set(replies.filter(({ status }) => status === 200).map(idOf)).size).toBe(1);
    expect(await balanceOf(service, bia)).toEqual(["1.00", "0.00"]);
  });

  it("answers 400 for a key too long to keep, and treats an empty one as none", async () => {
    const long = await transfer(service, [ana, bia], { amount: 1, key: "k".repeat(256) });
    expect(long).toMatchObject({ status: 400, body: { message: expect.stringMatching(/^Idempotency-Key: /) } });
    await transfer(service, [ana, bia], { amount: 1, key: "" });
    await transfer(service, [ana, bia], { amount: 1, key: "" });
    expect(await balanceOf(service, bia)).toEqual(["2.00", "0.00"]);
  });
});
