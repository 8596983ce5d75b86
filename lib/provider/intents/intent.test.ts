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
  it("is on record, with what may be sent again, when its first byte leaves", async () => {
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

  it("keeps no bytes of what may not be sent again", async () => {
    await expect(fixture.decide()).rejects.toMatchObject({ kind: "unavailable" });
    expect((await theRow()).bodySealed).toBeNull();
  });

  it("keeps the hash of the answer as it was received, of a refusal too", async () => {
    await fixture.transfer();
    expect((await theRow()).answerHash).toBe(sha256(JSON.stringify(CONFIRMED)));
    const answerHash = "0".repeat(64);
    await db.delete(providerIntent);
    fixture.script.answers = [failing("invalid", { status: 422, answerHash })];
    await expect(fixture.transfer()).rejects.toMatchObject({ details: { status: 422 } });
    expect((await theRow()).answerHash).toBe(answerHash);
  });

  it("submitted by fifty at once is sent once, and all get the same answer", async () => {
    const intentId = randomUUID();
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => fixture.transfer({ intentId })));
    expect(fixture.sent).toHaveLength(1);
    expect(outcomes).toEqual(Array.from({ length: 50 }, () => DONE));
    expect(fixture.ends).toEqual(["DONE"]);
  });

  it("submitted again later gets the same answer, and is not sent", async () => {
    const intentId = randomUUID();
    await fixture.transfer({ intentId });
    await expect(fixture.transfer({ intentId })).resolves.toEqual(DONE);
    await expect(fixture.transfer({ intentId }, fixture.elsewhere())).resolves.toEqual(DONE);
    expect(fixture.sent).toHaveLength(1);
  });

  it("stands for one order, while it is sent and after", async () => {
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

  it("that the provider refused may go again, changed, under another key", async () => {
    const intentId = randomUUID();
    fixture.script.answers = [refusal(422)];
    await expect(fixture.transfer({ intentId })).rejects.toMatchObject({ kind: "invalid" });
    await expect(fixture.transfer({ intentId, amount: "9.00" })).resolves.toEqual(DONE);
    expect(new Set(fixture.sent.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(2);
    expect(fixture.ends).toEqual(["REFUSED", "DONE"]);
  });

  it("uses the same idempotency key after a restore forgets it, so it pays once", async () => {
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

  it("whose area refuses it leaves nothing on record", async () => {
    await expect(fixture.transfer({ opened: refuse })).rejects.toMatchObject({ kind: "conflict" });
    expect(await db.$count(providerIntent)).toBe(0);
    expect(fixture.sent).toHaveLength(0);
  });

  it("is refused, and not sent, when the last look before sending says so", async () => {
    await expect(fixture.decide({ prepare: refuse })).rejects.toMatchObject({ details: { code: "case-changed" } });
    expect(fixture.sent).toHaveLength(0);
    expect(await theRow()).toMatchObject({ state: "REFUSED", attempts: 0, code: "case-changed" });
  });

  it("is the only one in flight for its object where that is asked", async () => {
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

  it("that another process is sending is waited for", async () => {
    const intentId = randomUUID();
    await fixture.transfer({ intentId });
    await db.update(providerIntent).set({ state: "SENDING", owner: randomUUID() });
    fixture.script.whenAsleep = () => db.update(providerIntent).set({ state: "DONE" });
    await expect(fixture.transfer({ intentId })).resolves.toEqual(DONE);
    expect(fixture.sleeps).toEqual([250]);
    expect(fixture.sent).toHaveLength(1);
  });

  it("that another process keeps sending is not sent here", async () => {
    const intentId = randomUUID();
    await fixture.transfer({ intentId });
    await db.update(providerIntent).set({ state: "SENDING", owner: randomUUID() });
    await expect(fixture.transfer({ intentId })).rejects.toMatchObject({ details: { code: "intent-already-sent" } });
    expect(fixture.sent).toHaveLength(1);
  });
});
