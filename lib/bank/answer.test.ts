import { describe, expect, it } from "vitest";
import { Balance, TransferConfirmed } from "@/lib/contract/accounts";
import accounts from "@/lib/contract/fixtures/accounts.json";
import errors from "@/lib/contract/fixtures/errors.json";
import { readAnswer, retryAfterMs } from "./answer";
import { jsonAnswer } from "./testing";

const NOW_MS = Date.parse("2026-03-10T12:00:00Z");
const known = { requestId: "req-42" };
const transfer = (response: Response) => readAnswer(response, TransferConfirmed, known);
const read = (response: Response) => readAnswer(response, Balance, known);

describe("an answer of the provider", () => {
  it("is the documented one", async () => {
    await expect(read(jsonAnswer(200, accounts.balance))).resolves.toMatchObject({ data: { balance: "1234.56" } });
  });

  it("keeps the cents that a double would lose", async () => {
    const text = '{"status":"SUCCESS","data":{"accountId":"a","balance":90071992547409931.07,"blockedBalance":0}}';
    const { data } = await read(new Response(text));
    expect(data.balance).toBe("90071992547409931.07");
  });

  it.each([
    ["a page", "<!doctype html><title>502</title>", "answer-not-json"],
    ["cut short", '{"status":"SUCCESS","data":{"acc', "answer-not-json"],
    ["empty", "", "answer-not-documented"],
    ["null", "null", "answer-not-documented"],
    ["a list", "[]", "answer-not-documented"],
    ["without its fields", '{"status":"SUCCESS"}', "answer-not-documented"],
  ])("that is %s is malformed", async (_, text, code) => {
    await expect(read(new Response(text))).rejects.toMatchObject({
      kind: "malformed",
      digest: "bank:malformed:req-42",
      details: { status: 200, code },
    });
  });

  it("that does not end is given up after 5 MiB", async () => {
    let sentBytes = 0;
    const endless = new ReadableStream({
      pull(controller) {
        sentBytes += 65_536;
        controller.enqueue(new Uint8Array(65_536).fill(32));
      },
    });
    await expect(read(new Response(endless))).rejects.toMatchObject({
      kind: "malformed",
      details: { code: "answer-too-large" },
    });
    expect(sentBytes).toBeLessThan(6 * 1024 * 1024);
  });

  it("that breaks off is as if there were none", async () => {
    const broken = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"status":'));
      },
      pull: (controller) => controller.error(new TypeError("terminated")),
    });
    await expect(read(new Response(broken))).rejects.toMatchObject({
      kind: "unavailable",
      details: { code: "answer-cut-off", mayHaveExecuted: true },
    });
  });
});

describe("a status", () => {
  it.each([
    [400, "invalid"],
    [401, "forbidden"],
    [402, "restricted"],
    [403, "forbidden"],
    [404, "not-found"],
    [405, "malformed"],
    [409, "conflict"],
    [412, "conflict"],
    [418, "malformed"],
    [422, "invalid"],
    [429, "rate-limited"],
    [500, "unavailable"],
    [503, "unavailable"],
    [599, "unavailable"],
  ])("%i is of the kind %s, with the provider's words for people", async (status, kind) => {
    await expect(read(jsonAnswer(status, errors.business))).rejects.toMatchObject({
      kind,
      details: { status, requestId: "req-42", providerMessage: errors.business.message },
    });
  });

  it.each([404, 502])("%i stands even when a page comes with it", async (status) => {
    await expect(read(new Response("<html>", { status }))).rejects.toMatchObject({
      kind: status === 404 ? "not-found" : "unavailable",
      details: { status },
    });
  });

  it.each([
    ["MISSING_CLIENT_ID", 400, "invalid"],
    ["ACCOUNT_SUSPENDED", 402, "restricted"],
    ["ACCOUNT_RESTRICTED", 402, "restricted"],
    ["PRODUCT_NOT_ENABLED", 403, "forbidden"],
    ["OPERATION_NOT_ALLOWED", 403, "forbidden"],
    ["SECURITY_SERVICE_UNAVAILABLE", 503, "unavailable"],
  ] as const)("of the gateway's %s keeps that name", async (code, status, kind) => {
    await expect(read(jsonAnswer(status, errors[code]))).rejects.toMatchObject({ kind, details: { code } });
  });
});

describe("a transfer under antifraud", () => {
  it("that is held says so, with its id and until when", async () => {
    await expect(transfer(jsonAnswer(202, errors.TRANSACTION_PENDING_APPROVAL))).rejects.toMatchObject({
      kind: "held",
      details: { antifraudId: "af-2", pendingExpiresAt: "2026-03-11T12:00:00.000Z" },
    });
  });

  it("that is blocked says so, with its id", async () => {
    await expect(transfer(jsonAnswer(403, errors.TRANSACTION_BLOCKED))).rejects.toMatchObject({
      kind: "blocked",
      details: { antifraudId: "af-1" },
    });
  });
});

describe("Retry-After", () => {
  it.each([
    ["7", 7000],
    ["0", 0],
    ["600", 60_000],
    ["99999999999999999999999999", 60_000],
    ["Tue, 10 Mar 2026 12:00:09 GMT", 9000],
    ["Tue, 10 Mar 2026 11:59:59 GMT", null],
    ["-5", null],
    ["soon", null],
    ["", null],
    [null, null],
  ])("of %j is %s ms", (header, ms) => expect(retryAfterMs(header, NOW_MS)).toBe(ms));
});
