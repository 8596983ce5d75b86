import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { watchActor } from "@/lib/auth/grant";
import accounts from "@/lib/contract/fixtures/accounts.json";
import errors from "@/lib/contract/fixtures/errors.json";
import kyc from "@/lib/contract/fixtures/kyc.json";
import crypto from "@/lib/contract/fixtures/crypto.json";
import { ManualDecision } from "@/lib/contract/kyc";
import { backoffMs, createBank } from "./client";
import { BankError } from "./error";
import { decideKyc, getBalance, getWalletBalance } from "./operations";
import { bearerOf, CLIENT_SECRET, jsonAnswer, scriptedDoor, tokenNumber } from "./testing";

const READER = watchActor("test", "aurora", "accounts:read");

const balance = () => jsonAnswer(200, accounts.balance);
const decision = ManualDecision.parse(kyc.manualDecision);
const unlessNew = (request: Request) =>
  bearerOf(request) === tokenNumber(1) ? jsonAnswer(401, { message: "Invalid token" }) : balance();
const cut = () => new ReadableStream({ pull: (controller) => controller.error(new TypeError("terminated")) });
const reset = () => Promise.reject(new TypeError("fetch failed"));

type Door = ReturnType<typeof scriptedDoor>;
const read = ({ door }: Door) => createBank(door).get(READER, getBalance, { query: { accountId: "acc-0001" } });
const write = ({ door }: Door) => createBank(door).post(READER, decideKyc, decision);

describe("a call to the provider", () => {
  it("carries the tenant's token and id, and its query", async () => {
    const door = scriptedDoor({ answer: balance });
    await createBank(door.door).get(READER, getBalance, {
      query: { accountId: "acc/1", documentNumber: "52998224725", onBoardingId: undefined },
    });
    const [call] = door.calls;
    expect(call?.url).toBe(
      "https://bank.example/v1/bank-accounts/balance?accountId=acc%2F1&documentNumber=52998224725",
    );
    expect(Object.fromEntries(call?.headers ?? [])).toMatchObject({
      authorization: `Bearer ${tokenNumber(1)}`,
      "x-client-id": "aurora",
    });
    const basic = Buffer.from(`aurora:${CLIENT_SECRET}`).toString("base64");
    expect(door.tokenCalls[0]?.headers.get("authorization")).toBe(`Basic ${basic}`);
  });

  it("keeps what stands in its path in its place", async () => {
    const door = scriptedDoor({ answer: () => jsonAnswer(200, crypto.walletBalance) });
    await createBank(door.door).get(READER, getWalletBalance, { params: { address: "a/../b?c#d" } });
    expect(new URL(door.calls[0]?.url ?? "").pathname).toBe("/v1/crypto/wallets/a%2F..%2Fb%3Fc%23d/balance");
  });

  it("follows no redirect: the token would go with it", async () => {
    const door = scriptedDoor({
      answer: () => new Response(null, { status: 307, headers: { location: "https://x.example" } }),
    });
    await expect(read(door)).rejects.toMatchObject({ kind: "malformed", details: { code: "answer-redirects" } });
    expect(door.calls.map(({ url, redirect }) => [new URL(url).host, redirect])).toEqual([["bank.example", "manual"]]);
  });

  it("shares one token among 500 callers who start together", async () => {
    const door = scriptedDoor({ answer: balance });
    const bank = createBank(door.door);
    await Promise.all(Array.from({ length: 500 }, () => bank.get(READER, getBalance)));
    expect([door.tokenCalls.length, door.calls.length]).toEqual([1, 500]);
  });
});

describe("a token that the provider rejects", () => {
  it("is renewed once and the call sent once more", async () => {
    const door = scriptedDoor({ answer: unlessNew });
    await expect(read(door)).resolves.toMatchObject({ status: "SUCCESS" });
    expect([door.tokenCalls.length, door.calls.length, door.sleeps.length]).toEqual([2, 2, 0]);
  });

  it("is renewed once for 500 calls rejected together", async () => {
    const door = scriptedDoor({ answer: unlessNew });
    const bank = createBank(door.door);
    await Promise.all(Array.from({ length: 500 }, () => bank.get(READER, getBalance)));
    expect([door.tokenCalls.length, door.calls.length]).toEqual([2, 1000]);
  });

  it("ends the call when the next one is rejected too", async () => {
    const door = scriptedDoor({ answer: () => jsonAnswer(401, { message: "Invalid token" }) });
    await expect(read(door)).rejects.toMatchObject({ kind: "forbidden", details: { status: 401 } });
    expect([door.tokenCalls.length, door.calls.length]).toEqual([2, 2]);
  });

  it("lets a write go once more with the same bytes: a rejected one executed nothing", async () => {
    const door = scriptedDoor({
      answer: (_, nth) =>
        nth === 1 ? jsonAnswer(401, { message: "Invalid token" }) : jsonAnswer(200, kyc.manualDecisionTaken),
    });
    await write(door);
    const bodies = await Promise.all(door.calls.map((call) => call.text()));
    expect(bodies).toEqual([JSON.stringify(kyc.manualDecision), JSON.stringify(kyc.manualDecision)]);
  });
});

describe("a read that fails for a while", () => {
  it.each([429, 500, 502, 503, 504])("of %i is tried again after 1, 2, 4 and 8 s, within 20 s", async (status) => {
    const door = scriptedDoor({ answer: () => jsonAnswer(status, { message: "later" }) });
    await expect(read(door)).rejects.toMatchObject({ details: { status } });
    expect(door.sleeps).toEqual([1000, 2000, 4000, 8000]);
    expect(door.calls).toHaveLength(5);
  });

  it("succeeds once the provider recovers", async () => {
    const door = scriptedDoor({
      answer: (_, nth) => (nth < 3 ? jsonAnswer(503, errors.SECURITY_SERVICE_UNAVAILABLE) : balance()),
    });
    await expect(read(door)).resolves.toMatchObject({ status: "SUCCESS" });
  });

  it("is tried again when there is no answer, or one that is cut off", async () => {
    const door = scriptedDoor({
      answer: (_, nth) => (nth === 1 ? reset() : nth === 2 ? new Response(cut()) : balance()),
    });
    await expect(read(door)).resolves.toMatchObject({ status: "SUCCESS" });
    expect(door.sleeps).toEqual([1000, 2000]);
  });

  it("counts the time of its attempts: a slow provider is asked less often", async () => {
    const door = scriptedDoor({ answer: reset, attemptMs: 9000 });
    await expect(read(door)).rejects.toMatchObject({ kind: "unavailable", details: { code: "no-answer" } });
    expect(door.calls).toHaveLength(2);
  });

  it("waits up to a quarter longer by chance, and never more than 30 s", () => {
    expect(backoffMs(0, () => 0)).toBe(1000);
    expect(backoffMs(1, () => 0.999)).toBeGreaterThan(2400);
    expect(backoffMs(9, () => 0.999)).toBe(30_000);
  });

  it("waits as long as Retry-After says", async () => {
    const door = scriptedDoor({
      answer: (_, nth) => (nth === 1 ? jsonAnswer(429, { message: "slow" }, { "retry-after": "7" }) : balance()),
    });
    await read(door);
    expect(door.sleeps).toEqual([7000]);
  });

  it("is given up at once when Retry-After lies past its deadline", async () => {
    const door = scriptedDoor({ answer: () => jsonAnswer(429, { message: "slow" }, { "retry-after": "600" }) });
    await expect(read(door)).rejects.toMatchObject({ kind: "rate-limited" });
    expect([door.calls.length, door.sleeps.length]).toEqual([1, 0]);
  });

  it.each(["0", "-5", "soon", "", "1.5", "NaN", "Thu, 01 Jan 1970 00:00:00 GMT"])(
    "keeps its own pace when Retry-After is %j",
    async (header) => {
      const door = scriptedDoor({
        answer: (_, nth) => (nth < 3 ? jsonAnswer(429, { message: "slow" }, { "retry-after": header }) : balance()),
      });
      await read(door);
      expect(door.sleeps).toEqual([1000, 2000]);
    },
  );

  it.each([400, 402, 403, 404, 405, 409, 412, 422])("of %i is not tried again", async (status) => {
    const door = scriptedDoor({ answer: () => jsonAnswer(status, { message: "no" }) });
    await expect(read(door)).rejects.toBeInstanceOf(BankError);
    expect([door.calls.length, door.sleeps.length]).toEqual([1, 0]);
  });
});

describe("a write", () => {
  it.each([400, 402, 403, 404, 409, 412, 422, 429, 500, 502, 503, 504])(
    "answered with %i is never sent again",
    async (status) => {
      const door = scriptedDoor({ answer: () => jsonAnswer(status, { message: "no" }) });
      await expect(write(door)).rejects.toBeInstanceOf(BankError);
      expect([door.calls.length, door.sleeps.length]).toEqual([1, 0]);
    },
  );

  it("whose answer is lost is never sent again, and says that it may have executed", async () => {
    const door = scriptedDoor({ answer: reset });
    await expect(write(door)).rejects.toMatchObject({ kind: "unavailable", details: { mayHaveExecuted: true } });
    expect(door.calls).toHaveLength(1);
  });

  it.each([
    ["fails", () => jsonAnswer(503, { message: "later" })],
    ["cannot be reached", reset],
  ])("is not sent at all when the token endpoint %s", async (_, token) => {
    const door = scriptedDoor({ answer: balance, token });
    await expect(write(door)).rejects.toMatchObject({ kind: "unavailable", details: { mayHaveExecuted: false } });
    expect(door.calls).toHaveLength(0);
  });
});

describe("a failure", () => {
  const faults: [string, Parameters<typeof scriptedDoor>[0]][] = [
    ["refused credentials", { answer: balance, token: () => jsonAnswer(401, { message: "Unauthorized" }) }],
    [
      "a token answer cut short",
      { answer: balance, token: () => new Response('{"access_token":"token-1', { status: 201 }) },
    ],
    [
      "a token answer without its fields",
      { answer: balance, token: () => jsonAnswer(201, { access_token: "token-1" }) },
    ],
    ["a rejected token", { answer: () => jsonAnswer(401, { message: "Invalid token" }) }],
    ["a page instead of an answer", { answer: () => new Response("<html></html>") }],
    ["no answer", { answer: reset }],
  ];

  it.each(faults)("by %s gives neither secret nor token away", async (_, script) => {
    const [failed] = await Promise.allSettled([write(scriptedDoor(script))]);
    const said = inspect(failed, { depth: 20, showHidden: true });
    expect(failed.status).toBe("rejected");
    expect(said).not.toContain(CLIENT_SECRET);
    expect(said).not.toContain(Buffer.from(`aurora:${CLIENT_SECRET}`).toString("base64"));
    expect(said).not.toContain("token-1");
  });

  it("of no answer is named by the reference that stands in the log", async () => {
    const [failed] = await Promise.allSettled([write(scriptedDoor({ answer: reset }))]);
    expect(failed).toMatchObject({ reason: { digest: expect.stringMatching(/^bank:unavailable:[0-9a-f-]{36}$/) } });
  });
});
