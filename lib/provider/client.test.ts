import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { grant, watchActor } from "@/lib/permission/grant";
import accounts from "@/lib/contract/fixtures/accounts.json";
import crypto from "@/lib/contract/fixtures/crypto.json";
import errors from "@/lib/contract/fixtures/errors.json";
import kyc from "@/lib/contract/fixtures/kyc.json";
import { ManualDecision } from "@/lib/contract/kyc";
import { allowancesFor } from "./allowance";
import { unattended } from "@/lib/log/work";
import { createBank } from "./client";
import { AppError } from "@/lib/errors/app-error";
import { decideKyc, getBalance, getWalletBalance, introspectToken } from "./operations";
import { jsonAnswer, lostAnswer, scriptedDeps, textAnswer, tokenNumber } from "@/test/support/provider";
import { budgetFixture } from "@/test/support/provider-budget";
import { givenStore } from "@/test/support/console";
import { type Incoming, type Outgoing, WireError } from "./wire-http";

const person = grant({ staffId: "staff-1", tenant: "aurora", roles: ["support"] }, "accounts:read");
if (person === null) throw new Error("support reads accounts");
const PERSON = person;
const other = grant({ staffId: "staff-2", tenant: "aurora", roles: ["support"] }, "accounts:read");
if (other === null) throw new Error("support reads accounts");
const OTHER = other;
const WATCH = watchActor("wallets", "aurora", "accounts:read");

const isOurs = (call: Outgoing) => call.url.searchParams.get("accountId") === "acc-0001";
const unknown = () => jsonAnswer(404, errors.business);
const balance = () => jsonAnswer(200, accounts.balance);
const decision = ManualDecision.parse(kyc.manualDecision);
const decided = () => jsonAnswer(200, kyc.manualDecisionTaken);
const rejected = () => jsonAnswer(401, { message: "Invalid token" });
const noToken = () => Promise.reject(new AppError("unavailable", { code: "token-unavailable" }));

type Deps = ReturnType<typeof scriptedDeps>;
const read = ({ deps }: Deps) => createBank(deps).get(PERSON, getBalance, { query: { accountId: "acc-0001" } });
const write = ({ deps }: Deps) => createBank(deps).post(PERSON, decideKyc, { body: decision });

/** An answer that comes when the test says. */
function gate() {
  const opens: ((incoming: Incoming) => void)[] = [];
  const answer = () =>
    new Promise<Incoming>((resolve) => {
      opens.push(resolve);
    });
  return { answer, open: (incoming: Incoming) => opens.splice(0).forEach((give) => give(incoming)) };
}

describe("a call to the provider", () => {
  it("goes in the watches' lane where nobody waits, in its person's name", async () => {
    const deps = scriptedDeps({ answer: balance });
    await unattended("demo", () => read(deps));
    await read(deps);
    expect(deps.log.map(({ lane, actor }) => [lane, actor])).toEqual([
      ["watchers", "staff-1"],
      ["people", "staff-1"],
    ]);
  });

  it("sends the tenant's token, id and query with a call", async () => {
    const deps = scriptedDeps({ answer: balance });
    await createBank(deps.deps).get(PERSON, getBalance, {
      query: { accountId: "acc/1", documentNumber: "52998224725", onBoardingId: undefined },
    });
    const [call] = deps.calls;
    expect(call?.url.href).toBe(
      "https://bank.example/v1/bank-accounts/balance?accountId=acc%2F1&documentNumber=52998224725",
    );
    expect(call?.headers).toMatchObject({ authorization: `Bearer ${tokenNumber(1)}`, "x-client-id": "aurora" });
  });

  it("escapes a call's path parameters", async () => {
    const deps = scriptedDeps({ answer: () => jsonAnswer(200, crypto.walletBalance) });
    await createBank(deps.deps).get(PERSON, getWalletBalance, { params: { address: "a/../b?c#d" } });
    expect(deps.calls[0]?.url.pathname).toBe("/v1/crypto/wallets/a%2F..%2Fb%3Fc%23d/balance");
  });

  it("dates a call from the moment before it left", async () => {
    const deps = scriptedDeps({ answer: balance, attemptMs: 5_000 });
    const { asOf } = await read(deps);
    expect(deps.deps.now() - asOf.getTime()).toBe(5_000);
  });

  it("allows 3 s to connect, and 10 s (read) or 30 s (write) to the first byte", async () => {
    const deps = scriptedDeps({ answer: (call) => (call.method === "GET" ? balance() : decided()) });
    await read(deps);
    await write(deps);
    expect(deps.calls.map(({ limits: { connectMs, firstByteMs } }) => [connectMs, firstByteMs])).toEqual([
      [3_000, 10_000],
      [3_000, 30_000],
    ]);
  });

  it("logs a call with its purpose and without its content", async () => {
    const deps = scriptedDeps({ answer: (_, nth) => (nth === 1 ? jsonAnswer(503, errors.business) : balance()) });
    const query = { accountId: "acc-0001", documentNumber: "52998224725" };
    await createBank(deps.deps).get(PERSON, getBalance, { query, object: "account:a1" });
    const shared = { path: "/v1/bank-accounts/balance", actor: "staff-1", lane: "people", object: "account:a1" };
    expect(deps.log).toMatchObject([
      { ...shared, status: 503, kind: "unavailable", attempt: 1 },
      { ...shared, status: 200, kind: "ok", code: null, attempt: 2 },
    ]);
    expect(new Set(deps.log.map(({ id }) => id)).size).toBe(1);
    expect(JSON.stringify(deps.log)).not.toContain("52998224725");
  });
});

describe("identical reads", () => {
  it("shares one call among identical reads in flight", async () => {
    const { answer, open } = gate();
    const deps = scriptedDeps({ answer });
    const bank = createBank(deps.deps);
    const asked = Array.from({ length: 100 }, () => bank.get(PERSON, getBalance, { query: { accountId: "a" } }));
    await Promise.resolve();
    await new Promise(setImmediate);
    open(balance());
    const answered = await Promise.all(asked);
    expect([deps.calls.length, new Set(answered.map(({ requestId }) => requestId)).size]).toEqual([1, 1]);
    expect(new Set(answered.map(({ answer: own }) => own)).size).toBe(100);
  });

  it("makes two calls for identical reads one after the other", async () => {
    const deps = scriptedDeps({ answer: balance });
    const bank = createBank(deps.deps);
    await bank.get(PERSON, getBalance);
    await bank.get(PERSON, getBalance);
    expect(deps.calls).toHaveLength(2);
  });

  it("shares no call with a fresh read, nor between a watch and a person", async () => {
    const { answer, open } = gate();
    const deps = scriptedDeps({ answer });
    const bank = createBank(deps.deps);
    const asked = [
      bank.get(PERSON, getBalance),
      bank.get(PERSON, getBalance, { isFresh: true }),
      bank.get(WATCH, getBalance),
    ];
    await new Promise(setImmediate);
    open(balance());
    await Promise.all(asked);
    expect(deps.calls).toHaveLength(3);
  });

  it("fails identical reads together, and asks anew for the next one", async () => {
    const deps = scriptedDeps({ answer: (_, nth) => (nth === 1 ? jsonAnswer(403, errors.business) : balance()) });
    const bank = createBank(deps.deps);
    const failed = await Promise.allSettled([bank.get(PERSON, getBalance), bank.get(PERSON, getBalance)]);
    expect(failed).toMatchObject([{ reason: { kind: "forbidden" } }, { reason: { kind: "forbidden" } }]);
    await expect(bank.get(PERSON, getBalance)).resolves.toBeDefined();
  });
});

describe("a read with an allowance", () => {
  it("sends no more calls than it allows, and tells the last failure", async () => {
    const deps = scriptedDeps({ answer: () => jsonAnswer(503, errors.business) });
    const allowances = allowancesFor(1, 2);
    const failed = createBank(deps.deps).get(PERSON, getBalance, { allowance: allowances.next() });
    await expect(failed).rejects.toMatchObject({ kind: "unavailable", details: { status: 503 } });
    expect([deps.calls.length, allowances.used()]).toEqual([2, 2]);
  });

  it("leaves each planned read its first call, and counts a renewed token's", async () => {
    const deps = scriptedDeps({ answer: rejected });
    const allowances = allowancesFor(2, 3);
    const bank = createBank(deps.deps);
    for (let nth = 0; nth < 2; nth += 1)
      await bank.get(PERSON, getBalance, { allowance: allowances.next() }).catch(() => undefined);
    expect([deps.calls.length, allowances.used()]).toEqual([3, 3]);
  });

  it("counts nothing that was not sent", async () => {
    const deps = scriptedDeps({ answer: balance, token: noToken });
    const allowances = allowancesFor(1, 1);
    const failed = createBank(deps.deps).get(PERSON, getBalance, { allowance: allowances.next() });
    await expect(failed).rejects.toMatchObject({ details: { code: "token-unavailable" } });
    expect(allowances.used()).toBe(0);
  });
});

describe("what the provider does not know", () => {
  const notFound = { kind: "not-found" };

  it("asks again after ten seconds, at once for a decision, and after a write", async () => {
    const deps = scriptedDeps({ answer: (call) => (call.method === "GET" ? unknown() : decided()) });
    const bank = createBank(deps.deps);
    const reads = () => deps.calls.filter(({ method }) => method === "GET").length;
    const ask = async (isFresh = false) => {
      await expect(bank.get(PERSON, getBalance, { isFresh })).rejects.toMatchObject(notFound);
      return reads();
    };
    expect([await ask(), await ask(), await ask(true)]).toEqual([1, 1, 2]);
    deps.advance(10_000);
    expect([await ask(), await ask()]).toEqual([3, 3]);
    await bank.post(PERSON, decideKyc, { body: decision });
    expect(await ask()).toBe(4);
  });

  it("asks thirty times a minute for one person, without limiting others", async () => {
    const deps = scriptedDeps({ answer: unknown });
    const bank = createBank(deps.deps);
    const ask = (nth: number, who = PERSON) => bank.get(who, getBalance, { query: { accountId: `a-${nth}` } });
    for (let nth = 0; nth < 30; nth += 1) await expect(ask(nth)).rejects.toMatchObject(notFound);
    const spent = { kind: "rate-limited", details: { code: "unknown-spent", retryAfterMs: 60_000 } };
    await expect(ask(30)).rejects.toMatchObject(spent);
    await expect(ask(31, OTHER)).rejects.toMatchObject(notFound);
    expect(deps.calls).toHaveLength(31);
    deps.advance(60_000);
    await expect(ask(32)).rejects.toMatchObject(notFound);
  });
});

describe("another person's reads", () => {
  it("keeps other people's pace while someone looks up unknown ids", async () => {
    const fixture = budgetFixture(await givenStore());
    const answer = (call: Outgoing) => (isOurs(call) ? balance() : unknown());
    const scripted = scriptedDeps({ answer });
    const bank = createBank({ ...scripted.deps, budget: fixture.budget(0) });
    const flood: Promise<unknown>[] = [];
    for (let round = 0; round < 10; round += 1) {
      for (let nth = 0; nth < 20; nth += 1)
        flood.push(bank.get(OTHER, getBalance, { query: { accountId: `unknown-${round}-${nth}` } }).catch(String));
      const reading = bank.get(PERSON, getBalance, { query: { accountId: "acc-0001" } });
      const askedMs = scripted.deps.now();
      await expect(reading).resolves.toBeDefined();
      expect(scripted.deps.now() - askedMs).toBe(0);
    }
    await Promise.all(flood);
    expect(scripted.calls.filter(isOurs)).toHaveLength(10);
    expect(scripted.calls.length).toBeLessThanOrEqual(66 + 10);
  });
});

describe("a patient read", () => {
  it("refuses a patient read in the first minute when it may wait two seconds", async () => {
    const fixture = budgetFixture(await givenStore(), { limit: 36 });
    const scripted = scriptedDeps({ answer: balance });
    const bank = createBank({ ...scripted.deps, budget: fixture.budget(0), now: () => 0 });
    const ask = (nth: number) => {
      const query = { accountId: `account-${nth}` };
      return bank.get(WATCH, getBalance, { query, isPatient: true, turnWithinMs: 2_000 });
    };
    const answers = await Promise.allSettled([ask(1), ask(2), ask(3)]);
    expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
    expect(answers[2]).toMatchObject({ reason: { details: { code: "budget-spent" } } });
  });
});

describe("a question about the token", () => {
  it("counts a token check against the call budget, and refuses it when spent", async () => {
    const fixture = budgetFixture(await givenStore(), { limit: 3 });
    const scripted = scriptedDeps({ answer: () => jsonAnswer(201, { active: true }) });
    const bank = createBank({ ...scripted.deps, budget: fixture.budget(0) });
    const ask = () => bank.askOfToken(PERSON, introspectToken).catch((error: unknown) => error);
    const answers = await Promise.all([ask(), ask(), ask(), ask(), ask()]);
    const spent = answers.filter((one) => one instanceof AppError && one.details.code === "budget-spent");
    expect([scripted.calls.length, spent.length]).not.toContain(0);
    expect(scripted.calls.length + spent.length).toBe(5);
  });
});

describe("a write", () => {
  it.each([400, 402, 403, 404, 409, 412, 422, 429, 500, 502, 503, 504])(
    "never resends a write after a %i",
    async (status) => {
      const deps = scriptedDeps({ answer: () => jsonAnswer(status, { message: "no" }) });
      await expect(write(deps)).rejects.toBeInstanceOf(AppError);
      expect([deps.calls.length, deps.sleeps.length]).toEqual([1, 0]);
    },
  );

  it("never resends a write after a lost answer, which may have taken effect", async () => {
    const deps = scriptedDeps({ answer: lostAnswer });
    await expect(write(deps)).rejects.toMatchObject({ kind: "unavailable", details: { mayHaveExecuted: true } });
    expect(deps.calls).toHaveLength(1);
  });

  it.each([lostAnswer, () => jsonAnswer(409, { message: "no" })])(
    "says of a read that it changed nothing",
    async (answer) => {
      await expect(read(scriptedDeps({ answer }))).rejects.toMatchObject({ details: { mayHaveExecuted: false } });
    },
  );

  it("says when a write never left", async () => {
    const deps = scriptedDeps({ answer: () => Promise.reject(new WireError("no-connection", false, "ECONNREFUSED")) });
    await expect(write(deps)).rejects.toMatchObject({ details: { code: "no-connection", mayHaveExecuted: false } });
  });

  it("uses a new connection without an Idempotency-Key, and may reuse one with it", async () => {
    const deps = scriptedDeps({ answer: decided });
    await write(deps);
    await createBank(deps.deps).post(PERSON, decideKyc, { body: decision, idempotencyKey: "k-1" });
    expect(deps.calls.map(({ isFresh, headers }) => [isFresh, headers["idempotency-key"]])).toEqual([
      [true, undefined],
      [false, "k-1"],
    ]);
  });

  it("sends no write without a token", async () => {
    const deps = scriptedDeps({ answer: balance, token: noToken });
    await expect(write(deps)).rejects.toMatchObject({ kind: "unavailable", details: { code: "token-unavailable" } });
    expect(deps.calls).toHaveLength(0);
  });
});

describe("a failure", () => {
  const faults: [string, Parameters<typeof scriptedDeps>[0]][] = [
    ["a rejected token", { answer: rejected }],
    ["a page instead of an answer", { answer: () => textAnswer(200, "<html></html>") }],
    ["no answer", { answer: lostAnswer }],
  ];

  it.each(faults)("hides the token in a failure by %s", async (_, script) => {
    const failed = await write(scriptedDeps(script)).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(AppError);
    expect(inspect(failed, { depth: 20, showHidden: true })).not.toContain("token-1");
  });

  it("gives the log's reference for a failure without an answer", async () => {
    const deps = scriptedDeps({ answer: lostAnswer });
    const failed = await write(deps).catch((error: unknown) => error);
    expect(failed).toMatchObject({ digest: `bank:unavailable:${deps.log[0]?.id}` });
  });
});
