import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { grant, watchActor } from "@/lib/auth/grant";
import accounts from "@/lib/contract/fixtures/accounts.json";
import crypto from "@/lib/contract/fixtures/crypto.json";
import errors from "@/lib/contract/fixtures/errors.json";
import kyc from "@/lib/contract/fixtures/kyc.json";
import { ManualDecision } from "@/lib/contract/kyc";
import { createBank } from "./client";
import { BankError } from "./answer";
import { decideKyc, getBalance, getWalletBalance } from "./operations";
import { jsonAnswer, lostAnswer, scriptedDoor, textAnswer, tokenNumber } from "./testing";
import { type Incoming, WireError } from "./wire-http";

const person = grant({ staffId: "staff-1", tenant: "aurora", roles: ["support"] }, "accounts:read");
if (person === null) throw new Error("support reads accounts");
const PERSON = person;
const WATCH = watchActor("test", "aurora", "accounts:read");

const balance = () => jsonAnswer(200, accounts.balance);
const decision = ManualDecision.parse(kyc.manualDecision);
const decided = () => jsonAnswer(200, kyc.manualDecisionTaken);
const rejected = () => jsonAnswer(401, { message: "Invalid token" });
const noToken = () => Promise.reject(new BankError("unavailable", { code: "token-unavailable" }));

type Door = ReturnType<typeof scriptedDoor>;
const read = ({ door }: Door) => createBank(door).get(PERSON, getBalance, { query: { accountId: "acc-0001" } });
const write = ({ door }: Door) => createBank(door).post(PERSON, decideKyc, { body: decision });

/** An answer that comes when told. */
function gate() {
  const opens: ((incoming: Incoming) => void)[] = [];
  const answer = () =>
    new Promise<Incoming>((resolve) => {
      opens.push(resolve);
    });
  return { answer, open: (incoming: Incoming) => opens.splice(0).forEach((give) => give(incoming)) };
}

describe("a call to the provider", () => {
  it("carries the tenant's token and id, and its query", async () => {
    const door = scriptedDoor({ answer: balance });
    await createBank(door.door).get(PERSON, getBalance, {
      query: { accountId: "acc/1", documentNumber: "52998224725", onBoardingId: undefined },
    });
    const [call] = door.calls;
    expect(call?.url.href).toBe(
      "https://bank.example/v1/bank-accounts/balance?accountId=acc%2F1&documentNumber=52998224725",
    );
    expect(call?.headers).toMatchObject({ authorization: `Bearer ${tokenNumber(1)}`, "x-client-id": "aurora" });
  });

  it("keeps what stands in its path in its place", async () => {
    const door = scriptedDoor({ answer: () => jsonAnswer(200, crypto.walletBalance) });
    await createBank(door.door).get(PERSON, getWalletBalance, { params: { address: "a/../b?c#d" } });
    expect(door.calls[0]?.url.pathname).toBe("/v1/crypto/wallets/a%2F..%2Fb%3Fc%23d/balance");
  });

  it("is as of the moment before it left, not of the one when it was answered", async () => {
    const door = scriptedDoor({ answer: balance, attemptMs: 5_000 });
    const { asOf } = await read(door);
    expect(door.door.now() - asOf.getTime()).toBe(5_000);
  });

  it("may connect for 3 s, and wait for the answer's beginning for 10 s, a write's for 30 s", async () => {
    const door = scriptedDoor({ answer: (call) => (call.method === "GET" ? balance() : decided()) });
    await read(door);
    await write(door);
    expect(door.calls.map(({ limits: { connectMs, firstByteMs } }) => [connectMs, firstByteMs])).toEqual([
      [3_000, 10_000],
      [3_000, 30_000],
    ]);
  });

  it("stands in the log with what it was for, and without what it said", async () => {
    const door = scriptedDoor({ answer: (_, nth) => (nth === 1 ? jsonAnswer(503, errors.business) : balance()) });
    const query = { accountId: "acc-0001", documentNumber: "52998224725" };
    await createBank(door.door).get(PERSON, getBalance, { query, object: "account:a1" });
    const shared = { path: "/v1/bank-accounts/balance", actor: "staff-1", lane: "people", object: "account:a1" };
    expect(door.log).toMatchObject([
      { ...shared, status: 503, kind: "unavailable", attempt: 1 },
      { ...shared, status: 200, kind: "ok", code: null, attempt: 2 },
    ]);
    expect(new Set(door.log.map(({ id }) => id)).size).toBe(1);
    expect(JSON.stringify(door.log)).not.toContain("52998224725");
  });
});

describe("identical reads", () => {
  it("in flight together are one call, and its answer is everybody's", async () => {
    const { answer, open } = gate();
    const door = scriptedDoor({ answer });
    const bank = createBank(door.door);
    const asked = Array.from({ length: 100 }, () => bank.get(PERSON, getBalance, { query: { accountId: "a" } }));
    await Promise.resolve();
    await new Promise(setImmediate);
    open(balance());
    const answered = await Promise.all(asked);
    expect([door.calls.length, new Set(answered.map(({ requestId }) => requestId)).size]).toEqual([1, 1]);
    expect(new Set(answered.map(({ answer: own }) => own)).size).toBe(100);
  });

  it("one after the other are two calls", async () => {
    const door = scriptedDoor({ answer: balance });
    const bank = createBank(door.door);
    await bank.get(PERSON, getBalance);
    await bank.get(PERSON, getBalance);
    expect(door.calls).toHaveLength(2);
  });

  it("are not joined by one that something is decided upon, nor a watch's by a person's", async () => {
    const { answer, open } = gate();
    const door = scriptedDoor({ answer });
    const bank = createBank(door.door);
    const asked = [
      bank.get(PERSON, getBalance),
      bank.get(PERSON, getBalance, { isFresh: true }),
      bank.get(WATCH, getBalance),
    ];
    await new Promise(setImmediate);
    open(balance());
    await Promise.all(asked);
    expect(door.calls).toHaveLength(3);
  });

  it("that fail together fail alike, and the next one asks anew", async () => {
    const door = scriptedDoor({ answer: (_, nth) => (nth === 1 ? jsonAnswer(404, errors.business) : balance()) });
    const bank = createBank(door.door);
    const failed = await Promise.allSettled([bank.get(PERSON, getBalance), bank.get(PERSON, getBalance)]);
    expect(failed).toMatchObject([{ reason: { kind: "not-found" } }, { reason: { kind: "not-found" } }]);
    await expect(bank.get(PERSON, getBalance)).resolves.toBeDefined();
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
    const door = scriptedDoor({ answer: lostAnswer });
    await expect(write(door)).rejects.toMatchObject({ kind: "unavailable", details: { mayHaveExecuted: true } });
    expect(door.calls).toHaveLength(1);
  });

  it("that never left says so", async () => {
    const door = scriptedDoor({ answer: () => Promise.reject(new WireError("no-connection", false, "ECONNREFUSED")) });
    await expect(write(door)).rejects.toMatchObject({ details: { code: "no-connection", mayHaveExecuted: false } });
  });

  it("without an Idempotency-Key goes over a connection of its own; with one it may use a kept one", async () => {
    const door = scriptedDoor({ answer: decided });
    await write(door);
    await createBank(door.door).post(PERSON, decideKyc, { body: decision, idempotencyKey: "k-1" });
    expect(door.calls.map(({ isFresh, headers }) => [isFresh, headers["idempotency-key"]])).toEqual([
      [true, undefined],
      [false, "k-1"],
    ]);
  });

  it("is not sent at all when there is no token", async () => {
    const door = scriptedDoor({ answer: balance, token: noToken });
    await expect(write(door)).rejects.toMatchObject({ kind: "unavailable", details: { code: "token-unavailable" } });
    expect(door.calls).toHaveLength(0);
  });
});

describe("a failure", () => {
  const faults: [string, Parameters<typeof scriptedDoor>[0]][] = [
    ["a rejected token", { answer: rejected }],
    ["a page instead of an answer", { answer: () => textAnswer(200, "<html></html>") }],
    ["no answer", { answer: lostAnswer }],
  ];

  it.each(faults)("by %s does not give the token away", async (_, script) => {
    const [failed] = await Promise.allSettled([write(scriptedDoor(script))]);
    expect(failed.status).toBe("rejected");
    expect(inspect(failed, { depth: 20, showHidden: true })).not.toContain("token-1");
  });

  it("of no answer is named by the reference that stands in the log", async () => {
    const door = scriptedDoor({ answer: lostAnswer });
    const [failed] = await Promise.allSettled([write(door)]);
    expect(failed).toMatchObject({ reason: { digest: `bank:unavailable:${door.log[0]?.id}` } });
  });
});
