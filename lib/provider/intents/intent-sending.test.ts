import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import type { Db } from "@/lib/db/connection";
import { actorOf, givenEnv, givenStore } from "@/test/support/console";
import { providerIntent } from "@/lib/db/tables/provider";
import { CONFIRMED, DONE, failing, lostAnswer, refusal, scriptedIntents } from "@/test/support/provider-intents";

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

describe("a write that takes an Idempotency-Key", () => {
  it("resends a write with the same bytes and key until answered", async () => {
    fixture.script.answers = [
      lostAnswer,
      failing("unavailable", { status: 503, code: "SECURITY_SERVICE_UNAVAILABLE" }),
      failing("rate-limited", { status: 429, retryAfterMs: 7_000 }),
    ];
    await expect(fixture.transfer()).resolves.toEqual(DONE);
    expect(fixture.sent).toHaveLength(4);
    expect(new Set(fixture.sent.map((call) => JSON.stringify(call))).size).toBe(1);
    expect(fixture.sleeps).toEqual([1_000, 2_000, 7_000]);
    expect(fixture.ends).toEqual(["DONE"]);
  });

  it("calls a write unknown after a minute without an answer", async () => {
    const intentId = randomUUID();
    fixture.script.answers = Array.from({ length: 20 }, () => lostAnswer);
    await expect(fixture.transfer({ intentId })).rejects.toMatchObject({
      kind: "unavailable",
      details: { code: "transfer-unconfirmed" },
    });
    expect(fixture.sleeps).toEqual([1_000, 2_000, 4_000, 8_000, 16_000]);
    const row = await theRow();
    expect(row).toMatchObject({ state: "UNKNOWN", mayHaveExecuted: true, attempts: 6 });
    expect(row.nextTryAt).not.toBeNull();
    await expect(fixture.transfer({ intentId })).rejects.toMatchObject({ details: { code: "intent-already-sent" } });
    expect(fixture.sent).toHaveLength(6);
  });

  it.each(["circuit-open", "budget-spent", "token-unavailable"])(
    "keeps the provider's last answer when %s held the repeats back",
    async (code) => {
      const heldBack = failing("unavailable", { code, mayHaveExecuted: false });
      const unwell = failing("unavailable", { status: 503, code: "SECURITY_SERVICE_UNAVAILABLE" });
      fixture.script.answers = [unwell, ...Array.from({ length: 20 }, () => heldBack)];
      await expect(fixture.transfer()).rejects.toMatchObject({ details: { code: "transfer-unconfirmed" } });
      expect(await theRow()).toMatchObject({
        state: "UNKNOWN",
        status: 503,
        code: "SECURITY_SERVICE_UNAVAILABLE",
        mayHaveExecuted: true,
      });
    },
  );

  it("waits for the first write of its kind while that still runs", async () => {
    fixture.script.answers = [lostAnswer, refusal(409), refusal(409)];
    await expect(fixture.transfer()).resolves.toEqual(DONE);
  });

  it("refuses a write when the first answer is a conflict", async () => {
    fixture.script.answers = [refusal(409)];
    await expect(fixture.transfer()).rejects.toMatchObject({ details: { status: 409 } });
    expect(fixture.sent).toHaveLength(1);
    expect((await theRow()).state).toBe("REFUSED");
  });

  it.each([422, 404])("refuses a write when the first answer is %i", async (status) => {
    fixture.script.answers = [refusal(status)];
    await expect(fixture.transfer()).rejects.toMatchObject({ details: { status } });
    expect((await theRow()).state).toBe("REFUSED");
  });

  it.each([422, 404, 402, 400])("does not refuse a write for a %i after a lost answer", async (status) => {
    fixture.script.answers = [lostAnswer, refusal(status)];
    await expect(fixture.transfer()).rejects.toMatchObject({ details: { code: "transfer-unconfirmed" } });
    expect((await theRow()).state).toBe("UNKNOWN");
  });

  it("calls a write unknown when a success lacks a confirmation", async () => {
    fixture.script.answers = [() => ({ ...CONFIRMED, status: "RECEIVED" })];
    await expect(fixture.transfer()).rejects.toMatchObject({ details: { code: "transfer-unconfirmed" } });
    expect(fixture.sent).toHaveLength(1);
  });

  it("calls a held write neither done nor failed, and does not resend it", async () => {
    const intentId = randomUUID();
    const pendingExpiresAt = "2026-03-11T12:00:00.000Z";
    const held = { status: 202, code: "TRANSACTION_PENDING_APPROVAL", antifraudId: "af-1", pendingExpiresAt };
    fixture.script.answers = [failing("held", held)];
    const outcome = { state: "HELD", antifraudId: "af-1", pendingExpiresAt: new Date(pendingExpiresAt) };
    await expect(fixture.transfer({ intentId })).resolves.toEqual(outcome);
    await expect(fixture.transfer({ intentId })).resolves.toEqual(outcome);
    expect(fixture.sent).toHaveLength(1);
    expect(fixture.ends).toEqual(["HELD"]);
  });

  it("stops sending once recovery has taken over", async () => {
    fixture.script.answers = [lostAnswer];
    fixture.script.whenAsleep = () => db.update(providerIntent).set({ state: "UNKNOWN", owner: randomUUID() });
    await expect(fixture.transfer()).rejects.toMatchObject({ details: { code: "transfer-unconfirmed" } });
    expect(fixture.sent).toHaveLength(1);
  });

  it("calls a write done after a late answer, even if recovery took over", async () => {
    fixture.script.answers = [
      async () => {
        await db.update(providerIntent).set({ state: "UNKNOWN", owner: randomUUID() });
        return CONFIRMED;
      },
    ];
    await expect(fixture.transfer()).resolves.toEqual(DONE);
    expect(await theRow()).toMatchObject({ state: "DONE" });
  });
});

describe("a write without an Idempotency-Key", () => {
  it.each([
    { what: "no answer came", details: { mayHaveExecuted: true, code: "no-answer" } },
    { what: "the provider failed", details: { status: 500 } },
  ])("sends a write once, and calls it unknown, when $what", async ({ details }) => {
    fixture.script.answers = [failing("unavailable", details)];
    await expect(fixture.decide()).rejects.toMatchObject({ details: { code: "decision-unconfirmed" } });
    expect(fixture.sent).toEqual([expect.objectContaining({ idempotencyKey: undefined })]);
    expect(await theRow()).toMatchObject({ state: "UNKNOWN", nextTryAt: null });
  });

  it("refuses a write when nothing left", async () => {
    fixture.script.answers = [failing("unavailable", { code: "no-connection", mayHaveExecuted: false })];
    await expect(fixture.decide()).rejects.toMatchObject({ details: { code: "no-connection" } });
    expect((await theRow()).state).toBe("REFUSED");
  });
});
