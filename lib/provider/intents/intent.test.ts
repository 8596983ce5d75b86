import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { sha256 } from "@/lib/text/decode";
import { unseal } from "@/lib/db/seal";
import type { Db } from "@/lib/db/connection";
import { actorOf, givenEnv, givenStore } from "@/test/support/console";
import { AppError } from "@/lib/errors/app-error";
import { providerIntent } from "@/lib/db/tables/provider";
import { CONFIRMED, DONE, failing, refusal, scriptedIntents } from "@/test/support/provider-intents";

let db: Db;
let fixture: ReturnType<typeof scriptedIntents>;

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  fixture = scriptedIntents(actorOf("finance", randomUUID(), "transfers:create"));
});

async function theRow() {
  const [row] = await db.select().from(providerIntent);
  if (row === undefined) throw new Error("nothing is on record");
  return row;
}

const refuse = () => Promise.reject(new AppError("conflict", { code: "case-changed" }));

describe("an intent", () => {
  it("stores an intent, with its bytes if repeatable, before the first byte leaves", async () => {
    let onRecord: Awaited<ReturnType<typeof theRow>> | undefined;
    fixture.script.answers = [
      async () => {
        onRecord = await theRow();
        return CONFIRMED;
      },
    ];
    await fixture.transfer();
    expect(onRecord).toMatchObject({ state: "SENDING", attempts: 1, key: fixture.sent[0]?.idempotencyKey });
    expect(onRecord?.firstSentAt).not.toBeNull();
    expect(onRecord?.bodySealed).not.toContain("accountIdFrom");
    expect(
      unseal(onRecord?.bodySealed ?? "", { column: "bank_intent.body_sealed", row: ["aurora", onRecord?.id ?? ""] }),
    ).toContain('"amount":10.50');
  });

  it("keeps no bytes of an unrepeatable write", async () => {
    await expect(fixture.decide()).rejects.toMatchObject({ kind: "unavailable" });
    expect((await theRow()).bodySealed).toBeNull();
  });

  it("keeps the hash of an intent's raw answer, of a refusal too", async () => {
    await fixture.transfer();
    expect((await theRow()).answerHash).toBe(sha256(JSON.stringify(CONFIRMED)));
    const answerHash = "0".repeat(64);
    await db.delete(providerIntent);
    fixture.script.answers = [failing("invalid", { status: 422, answerHash })];
    await expect(fixture.transfer()).rejects.toMatchObject({ details: { status: 422 } });
    expect((await theRow()).answerHash).toBe(answerHash);
  });

  it("sends an intent once for fifty concurrent submissions, with equal answers", async () => {
    const intentId = randomUUID();
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => fixture.transfer({ intentId })));
    expect(fixture.sent).toHaveLength(1);
    expect(outcomes).toEqual(Array.from({ length: 50 }, () => DONE));
    expect(fixture.ends).toEqual(["DONE"]);
  });

  it("returns an intent's same answer later without sending", async () => {
    const intentId = randomUUID();
    await fixture.transfer({ intentId });
    await expect(fixture.transfer({ intentId })).resolves.toEqual(DONE);
    await expect(fixture.transfer({ intentId }, fixture.elsewhere())).resolves.toEqual(DONE);
    expect(fixture.sent).toHaveLength(1);
  });

  it("keeps an intent for one order, during the send and after", async () => {
    const intentId = randomUUID();
    const both = await Promise.allSettled([
      fixture.transfer({ intentId }),
      fixture.transfer({ intentId, amount: "11.00" }),
    ]);
    expect(both[1]).toMatchObject({ reason: { details: { code: "intent-reused" } } });
    await expect(fixture.transfer({ intentId, amount: "11.00" })).rejects.toMatchObject({
      details: { code: "intent-reused" },
    });
    expect(fixture.sent).toHaveLength(1);
  });

  it("resends a changed intent under another key after a refusal", async () => {
    const intentId = randomUUID();
    fixture.script.answers = [refusal(422)];
    await expect(fixture.transfer({ intentId })).rejects.toMatchObject({ kind: "invalid" });
    await expect(fixture.transfer({ intentId, amount: "9.00" })).resolves.toEqual(DONE);
    expect(new Set(fixture.sent.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(2);
    expect(fixture.ends).toEqual(["REFUSED", "DONE"]);
  });

  it("reuses its idempotency key after a restore forgot it, so it pays once", async () => {
    const intentId = randomUUID();
    const other = randomUUID();
    await fixture.transfer({ intentId });
    db = await givenStore();
    await fixture.transfer({ intentId });
    await fixture.transfer({ intentId: other });
    const [first, again, another] = fixture.sent.map(({ idempotencyKey }) => idempotencyKey);
    expect(first).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(again).toBe(first);
    expect(another).not.toBe(first);
  });

  it("stores nothing when the area refuses an intent", async () => {
    await expect(fixture.transfer({ opened: refuse })).rejects.toMatchObject({ kind: "conflict" });
    expect(await db.$count(providerIntent)).toBe(0);
    expect(fixture.sent).toHaveLength(0);
  });

  it("sends no intent that the recheck refuses", async () => {
    await expect(fixture.decide({ prepare: refuse })).rejects.toMatchObject({ details: { code: "case-changed" } });
    expect(fixture.sent).toHaveLength(0);
    expect(await theRow()).toMatchObject({ state: "REFUSED", attempts: 0, code: "case-changed" });
  });

  it("allows one intent in flight per object when required", async () => {
    let second: unknown;
    fixture.script.answers = [
      async () => {
        second = await fixture.decide().catch((error: unknown) => error);
        throw new AppError("invalid", { status: 400 });
      },
    ];
    await expect(fixture.decide()).rejects.toMatchObject({ kind: "invalid" });
    expect(second).toMatchObject({ details: { code: "decision-in-flight" } });
    expect(fixture.sent).toHaveLength(1);
  });

  it("waits for another process that is sending the intent", async () => {
    const intentId = randomUUID();
    await fixture.transfer({ intentId });
    await db.update(providerIntent).set({ state: "SENDING", owner: randomUUID() });
    fixture.script.whenAsleep = () => db.update(providerIntent).set({ state: "DONE" });
    await expect(fixture.transfer({ intentId })).resolves.toEqual(DONE);
    expect(fixture.sleeps).toEqual([250]);
    expect(fixture.sent).toHaveLength(1);
  });

  it("sends no intent here while another process keeps sending it", async () => {
    const intentId = randomUUID();
    await fixture.transfer({ intentId });
    await db.update(providerIntent).set({ state: "SENDING", owner: randomUUID() });
    await expect(fixture.transfer({ intentId })).rejects.toMatchObject({ details: { code: "intent-already-sent" } });
    expect(fixture.sent).toHaveLength(1);
  });
});
