import { describe, expect, it } from "vitest";
import { z } from "zod";
import { Balance, TransferConfirmed } from "@/lib/contract/accounts";
import accounts from "@/lib/contract/fixtures/accounts.json";
import errors from "@/lib/contract/fixtures/errors.json";
import { sha256 } from "@/lib/text/decode";
import { backoffMs, readAnswer, retryAfterMs } from "./answer";
import { jsonAnswer, textAnswer } from "@/test/support/provider";
import type { Incoming } from "./wire-http";

const NOW_MS = Date.parse("2026-03-10T12:00:00Z");
const known = { requestId: "req-42" };
const transfer = async (incoming: Incoming) => readAnswer(incoming, { answer: TransferConfirmed }, known).answer;
const read = async (incoming: Incoming) => readAnswer(incoming, { answer: Balance }, known).answer;

describe("an answer of the provider", () => {
  it("parses the documented answer", async () => {
    await expect(read(jsonAnswer(200, accounts.balance))).resolves.toMatchObject({ data: { balance: "1234.56" } });
  });

  it("keeps the cents that a double would lose", async () => {
    const text = '{"status":"SUCCESS","data":{"accountId":"a","balance":90071992547409931.07,"blockedBalance":0}}';
    const { data } = await read(textAnswer(200, text));
    expect(data.balance).toBe("90071992547409931.07");
  });

  it("rejects an answer with a key of two values, unless allowed", async () => {
    const text = '{"status":"SUCCESS","note":1,"note":2,"data":{"accountId":"a","balance":1.5,"blockedBalance":0}}';
    await expect(read(textAnswer(200, text))).rejects.toMatchObject({
      kind: "malformed",
      details: { code: "answer-not-json" },
    });
    const { answer } = readAnswer(textAnswer(200, text), { answer: Balance, mayRepeatKeys: true }, known);
    expect(answer).toMatchObject({ note: [1, 2], data: { balance: "1.50" } });
  });

  it("accepts an answer with a byte order mark", async () => {
    const text = '\uFEFF{"status":"SUCCESS","data":{"accountId":"a","balance":1.5,"blockedBalance":0}}';
    await expect(read(textAnswer(200, text))).resolves.toMatchObject({ data: { balance: "1.50" } });
    await expect(read(textAnswer(422, '\uFEFF{"message":"Saldo insuficiente"}'))).rejects.toMatchObject({
      details: { providerMessage: "Saldo insuficiente" },
    });
  });

  it.each([
    [String.raw`nul\u0000.`, "nul\uFFFD."],
    [String.raw`back\\u0000`, String.raw`back\u0000`],
    [String.raw`half \ud83d.`, "half \uFFFD."],
    [String.raw`half \uDE00.`, "half \uFFFD."],
    [String.raw`whole \ud83d\ude00`, "whole \u{1F600}"],
  ])("drops what a database cannot store of %s", async (sent, kept) => {
    const text = `{"status":"SUCCESS","data":{"accountId":"${sent}","balance":1,"blockedBalance":0}}`;
    await expect(read(textAnswer(200, text))).resolves.toMatchObject({ data: { accountId: kept } });
  });

  it.each([
    ["a page", "<!doctype html><title>502</title>", "answer-not-json"],
    ["cut short", '{"status":"SUCCESS","data":{"acc', "answer-not-json"],
    ["empty", "", "answer-not-documented"],
    ["null", "null", "answer-not-documented"],
    ["a list", "[]", "answer-not-documented"],
    ["without its fields", '{"status":"SUCCESS"}', "answer-not-documented"],
  ])("calls an answer malformed when it is %s", async (_, text, code) => {
    await expect(read(textAnswer(200, text))).rejects.toMatchObject({
      kind: "malformed",
      digest: "bank:malformed:req-42",
      details: { status: 200, code },
    });
  });

  it("rejects an answer before parsing when nested too deeply", async () => {
    await expect(read(textAnswer(200, "[".repeat(100_000)))).rejects.toMatchObject({
      kind: "malformed",
      details: { code: "answer-too-deep" },
    });
  });

  it.each([301, 302, 307, 308])("calls a redirect (%i) malformed, and its outcome unknown", async (status) => {
    await expect(read(textAnswer(status, "", { location: "https://x.example" }))).rejects.toMatchObject({
      kind: "malformed",
      details: { code: "answer-redirects", mayHaveExecuted: true },
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

  it("keeps the answer's hash, and a success's text", async () => {
    const refused = jsonAnswer(422, errors.business);
    await expect(read(refused)).rejects.toMatchObject({ details: { answerHash: sha256(refused.text) } });
    const text = '{ "status":"SUCCESS" }';
    expect(readAnswer(textAnswer(200, text), { answer: z.unknown() }, known)).toMatchObject({ text });
  });

  it.each([404, 502])("keeps the status %i even with an HTML page", async (status) => {
    await expect(read(textAnswer(status, "<html>"))).rejects.toMatchObject({
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
  ] as const)("keeps the gateway's code %s", async (code, status, kind) => {
    await expect(read(jsonAnswer(status, errors[code]))).rejects.toMatchObject({ kind, details: { code } });
  });

  it.each(["step-up", "circuit-open", "kyc:decide", "NONE<script>", "NOT A NAME", "N".repeat(65), ""])(
    "yields no failure code for the error %j",
    async (called) => {
      const answer = jsonAnswer(403, { error: called, message: "Recusado." });
      const refused = await read(answer).catch((error: unknown) => error);
      expect(refused).toMatchObject({ kind: "forbidden", details: { providerMessage: "Recusado." } });
      expect(refused).not.toMatchObject({ details: { code: expect.anything() } });
    },
  );
});

describe("whether a failed write may have been executed", () => {
  it.each([
    [400, false],
    [401, false],
    [402, false],
    [403, false],
    [404, false],
    [409, false],
    [422, false],
    [429, false],
    [408, true],
    [451, true],
    [500, true],
    [503, true],
  ])("says for a %i whether the write may have run: %s", async (status, mayHaveExecuted) => {
    await expect(transfer(jsonAnswer(status, errors.business))).rejects.toMatchObject({ details: { mayHaveExecuted } });
  });

  it("says so of an unreadable success, but not of a hold", async () => {
    await expect(transfer(textAnswer(200, "{"))).rejects.toMatchObject({ details: { mayHaveExecuted: true } });
    await expect(transfer(jsonAnswer(202, errors.TRANSACTION_PENDING_APPROVAL))).rejects.toMatchObject({
      details: { mayHaveExecuted: false },
    });
  });
});

describe("a transfer under antifraud", () => {
  it("reports a held transfer with its id and deadline", async () => {
    await expect(transfer(jsonAnswer(202, errors.TRANSACTION_PENDING_APPROVAL))).rejects.toMatchObject({
      kind: "held",
      details: { antifraudId: "af-2", pendingExpiresAt: "2026-03-11T12:00:00.000Z" },
    });
  });

  it("reports a blocked transfer with its id", async () => {
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
  ])("reads the Retry-After %j as %s ms", (header, ms) => expect(retryAfterMs(header, NOW_MS)).toBe(ms));
});

describe("the pause before another attempt", () => {
  it("varies a pause by up to a quarter, to at most 30 s", () => {
    expect(backoffMs(0, () => 0)).toBe(1000);
    expect(backoffMs(1, () => 0.999)).toBeGreaterThan(2400);
    expect(backoffMs(9, () => 0.999)).toBe(30_000);
  });
});
