import { describe, expect, it, vi } from "vitest";
import { grant } from "@/lib/permission/grant";
import accounts from "@/lib/contract/fixtures/accounts.json";
import errors from "@/lib/contract/fixtures/errors.json";
import kyc from "@/lib/contract/fixtures/kyc.json";
import { ManualDecision } from "@/lib/contract/kyc";
import { createBank } from "./client";
import { AppError } from "@/lib/errors/app-error";
import { decideKyc, getBalance } from "./operations";
import { bearerOf, jsonAnswer, lostAnswer, scriptedDeps, tokenNumber } from "@/test/support/provider";
import { type Incoming, type Outgoing, WireError } from "./wire-http";

const person = grant({ staffId: "staff-1", tenant: "aurora", roles: ["support"] }, "accounts:read");
if (person === null) throw new Error("support reads accounts");
const PERSON = person;

const balance = () => jsonAnswer(200, accounts.balance);
const decision = ManualDecision.parse(kyc.manualDecision);
const decided = () => jsonAnswer(200, kyc.manualDecisionTaken);
const rejected = () => jsonAnswer(401, { message: "Invalid token" });
const unlessNew = (call: Outgoing) => (bearerOf(call) === tokenNumber(1) ? rejected() : balance());

type Deps = ReturnType<typeof scriptedDeps>;
const read = ({ deps }: Deps) => createBank(deps).get(PERSON, getBalance, { query: { accountId: "acc-0001" } });
const write = ({ deps }: Deps) => createBank(deps).post(PERSON, decideKyc, { body: decision });

const cut = () => Promise.reject(new WireError("answer-cut-off", true));

describe("a token that the provider rejects", () => {
  it("renews a rejected token once and resends the call", async () => {
    const deps = scriptedDeps({ answer: unlessNew });
    await expect(read(deps)).resolves.toMatchObject({ answer: { status: "SUCCESS" } });
    expect([deps.calls.map(bearerOf), deps.sleeps]).toEqual([[tokenNumber(1), tokenNumber(2)], []]);
  });

  it("ends the call when the next token is rejected too", async () => {
    const deps = scriptedDeps({ answer: rejected });
    await expect(read(deps)).rejects.toMatchObject({ kind: "forbidden", details: { status: 401 } });
    expect(deps.calls).toHaveLength(2);
  });

  it("reuses no renewed token that was rejected", async () => {
    const deps = scriptedDeps({ answer: (call) => (bearerOf(call) === tokenNumber(3) ? balance() : rejected()) });
    await expect(read(deps)).rejects.toMatchObject({ kind: "forbidden" });
    await expect(read(deps)).resolves.toMatchObject({ answer: { status: "SUCCESS" } });
    expect(deps.calls.map(bearerOf)).toEqual([1, 2, 3].map(tokenNumber));
  });

  it("allows one resend of a write with the same bytes, as nothing was executed", async () => {
    const deps = scriptedDeps({ answer: (_, nth) => (nth === 1 ? rejected() : decided()) });
    await write(deps);
    expect(deps.calls.map(({ body }) => body)).toEqual([
      JSON.stringify(kyc.manualDecision),
      JSON.stringify(kyc.manualDecision),
    ]);
  });
});

describe("a read that fails for a while", () => {
  it.each([429, 500, 502, 503, 504])("retries a read of %i after 1, 2 and 4 s, and no more", async (status) => {
    const deps = scriptedDeps({ answer: () => jsonAnswer(status, { message: "later" }) });
    await expect(read(deps)).rejects.toMatchObject({ details: { status } });
    expect(deps.sleeps).toEqual([1000, 2000, 4000]);
    expect(deps.calls).toHaveLength(4);
  });

  it("succeeds with a read once the provider recovers", async () => {
    const deps = scriptedDeps({
      answer: (_, nth) => (nth < 3 ? jsonAnswer(503, errors.SECURITY_SERVICE_UNAVAILABLE) : balance()),
    });
    await expect(read(deps)).resolves.toMatchObject({ answer: { status: "SUCCESS" } });
  });

  it("retries a read without an answer, or after one that is cut off", async () => {
    const deps = scriptedDeps({ answer: (_, nth) => (nth === 1 ? lostAnswer() : nth === 2 ? cut() : balance()) });
    await expect(read(deps)).resolves.toMatchObject({ answer: { status: "SUCCESS" } });
    expect(deps.sleeps).toEqual([1000, 2000]);
  });

  it("counts the time of a read's attempts, so a slow provider is asked less", async () => {
    const deps = scriptedDeps({ answer: lostAnswer, attemptMs: 9000 });
    await expect(read(deps)).rejects.toMatchObject({ kind: "unavailable", details: { code: "no-answer" } });
    expect(deps.calls).toHaveLength(2);
  });

  it("waits as long as Retry-After says, and so does everybody else", async () => {
    const deps = scriptedDeps({
      answer: (_, nth) => (nth === 1 ? jsonAnswer(429, { message: "slow" }, { "retry-after": "7" }) : balance()),
    });
    await read(deps);
    expect([deps.sleeps, deps.pausesMs]).toEqual([[7000], [7000]]);
  });

  it("fails a read at once when Retry-After lies past its deadline", async () => {
    const deps = scriptedDeps({ answer: () => jsonAnswer(429, { message: "slow" }, { "retry-after": "600" }) });
    await expect(read(deps)).rejects.toMatchObject({ kind: "rate-limited" });
    expect([deps.calls.length, deps.sleeps.length]).toEqual([1, 0]);
  });

  it.each(["0", "-5", "soon", "", "1.5", "NaN", "Thu, 01 Jan 1970 00:00:00 GMT"])(
    "keeps a read's own pace when Retry-After is %j",
    async (header) => {
      const deps = scriptedDeps({
        answer: (_, nth) => (nth < 3 ? jsonAnswer(429, { message: "slow" }, { "retry-after": header }) : balance()),
      });
      await read(deps);
      expect(deps.sleeps).toEqual([1000, 2000]);
    },
  );

  it.each([400, 402, 403, 404, 405, 409, 412, 422])("does not retry a read of %i", async (status) => {
    const deps = scriptedDeps({ answer: () => jsonAnswer(status, { message: "no" }) });
    await expect(read(deps)).rejects.toBeInstanceOf(AppError);
    expect([deps.calls.length, deps.sleeps.length]).toEqual([1, 0]);
  });

  it("does not retry a read while many fail and the breaker is open", async () => {
    const deps = scriptedDeps({ answer: () => jsonAnswer(503, { message: "later" }) });
    const bank = createBank(deps.deps);
    const asked = Array.from({ length: 50 }, (_, nth) => bank.get(PERSON, getBalance, { query: { nth } }));
    await Promise.allSettled(asked);
    const sent = deps.calls.length;
    await expect(bank.get(PERSON, getBalance)).rejects.toMatchObject({ details: { code: "circuit-open" } });
    // The sleeps advance the clock to the time of one probe.
    expect([sent, deps.calls.length]).toEqual([51, 51]);
  });

  it("lets a person wait 2.5 s for a probe, which closes the circuit later", async () => {
    const answering: ((answer: Incoming) => void)[] = [];
    const probe = new Promise<Incoming>((resolve) => answering.push(resolve));
    const deps = scriptedDeps({ answer: (_, nth) => (nth <= 5 ? jsonAnswer(503, {}) : probe) });
    const { circuit } = deps.deps;
    const bank = createBank(deps.deps);
    const ask = (nth: number) => bank.get(PERSON, getBalance, { query: { nth } });
    await Promise.allSettled([1, 2, 3, 4, 5].map(ask));
    deps.advance(3_000);
    deps.sleeps.length = 0;
    await expect(ask(6)).rejects.toMatchObject({ kind: "unavailable", details: { code: "circuit-open" } });
    expect(deps.sleeps).toEqual([2_500]);
    for (const answer of answering) answer(balance());
    await vi.waitFor(() => expect(circuit.standing().people.isOpen).toBe(false));
  });
});
