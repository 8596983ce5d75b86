import { reconcileWrites } from "@/lib/sent-writes";
import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { givenFixture } from "@/test/support/approvals";
import { withdraw } from "@/lib/approvals/withdraw";
import { getSession } from "@/lib/auth/session";
import { sessionOf } from "@/test/support/auth";
import { providerIntent } from "@/lib/db/tables/provider";
import { refuseRequest } from "@/lib/approvals/decide";
import { actorOf, givenStaff } from "@/test/support/console";
import { lookUp } from "@/lib/accounts/look-up";
import { checkHold } from "./held";
import { getTransfer } from "./queries";
import { transfer } from "@/lib/db/tables/transfers";
import { internalOrder, orderInternalTransfer } from "@/test/support/transfers";

let fixture: Awaited<ReturnType<typeof givenFixture>>;
beforeEach(async () => {
  fixture = await givenFixture();
  vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId: fixture.makerId, roles: ["finance"] }));
});

const lifeOf = async (id: string) => (await getTransfer(id))?.events.map(({ kind }) => kind);

describe("the life of a transfer", () => {
  it("shows an immediate transfer as sent and answered", async () => {
    const order = internalOrder(fixture.parties);
    await orderInternalTransfer(fixture.maker, order);
    const record = await getTransfer(order.intentId);
    expect(record).toMatchObject({
      row: { state: "CONFIRMED" },
      transactionId: expect.any(String),
      asking: null,
      userId: "user-1",
    });
    expect(record?.events).toMatchObject([
      { kind: "sent", byName: expect.any(String), isMine: true },
      { kind: "confirmed", byName: null, isMine: false },
    ]);
  });

  it("dates a transfer recorded afterwards by when it was sent and answered", async () => {
    const order = internalOrder(fixture.parties);
    await orderInternalTransfer(fixture.maker, order);
    const finishedAt = new Date("2026-01-20T12:00:02Z");
    const firstSentAt = new Date("2026-01-20T12:00:00Z");
    const isIts = eq(providerIntent.id, order.intentId);
    await fixture.db.update(providerIntent).set({ createdAt: firstSentAt, firstSentAt, finishedAt }).where(isIts);
    expect((await getTransfer(order.intentId))?.events).toMatchObject([
      { kind: "sent", at: firstSentAt.toISOString() },
      { kind: "confirmed", at: finishedAt.toISOString() },
    ]);
  });

  it("shows a transfer's proposal, authorisation, sending and hold with deadline", async () => {
    const order = internalOrder(fixture.parties, { amount: "10000.00" });
    const id = await fixture.propose(order);
    expect(await getTransfer(order.intentId)).toMatchObject({ row: { state: "WAITING", approvalId: id } });
    await fixture.authorising(id);
    expect(await lifeOf(order.intentId)).toEqual(["proposed", "authorised", "sent", "held"]);
    expect(await getTransfer(order.intentId)).toMatchObject({
      row: { state: "HELD", antifraudId: expect.any(String), until: expect.any(String) },
    });
  });

  it("gives a rejection's reason to those who may open the request", async () => {
    const order = fixture.big();
    const approvalId = await fixture.propose(order);
    expect(await getTransfer(order.intentId)).toMatchObject({ reason: null });
    await refuseRequest(fixture.approver, { approvalId, reason: "Falta o contrato" });
    expect(await getTransfer(order.intentId)).toMatchObject({ row: { state: "DECLINED" }, reason: "Falta o contrato" });
    const other = await givenStaff(fixture.db, "finance");
    vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId: other, roles: ["finance"] }));
    expect(await getTransfer(order.intentId)).toMatchObject({ row: { state: "DECLINED" }, reason: null });
  });

  it.each([
    ["RELEASE", "released", "CONFIRMED"],
    ["REJECT", "rejected", "REFUSED"],
  ] as const)(
    "shows that the provider held a transfer and then decided to %s, with times",
    async (decision, kind, state) => {
      fixture.service.clock.set(Date.now());
      const order = internalOrder(fixture.parties, { amount: "10000.00" });
      await fixture.authorising(await fixture.propose(order));
      const held = await getTransfer(order.intentId);
      expect(held?.hold).toEqual({ askedAt: null, candidateId: null, lessBlocked: null });
      await lookUp(actorOf("finance", fixture.makerId, "accounts:read"), { query: fixture.parties[0].onBoardingId });
      await fixture.service.advance(3_600_000);
      await fixture.service.control("POST", `/sandbox/transactions/${held?.row.antifraudId}`, { decision });
      await checkHold(actorOf("finance", fixture.makerId, "transfers:read"), { intentId: order.intentId });
      const record = await getTransfer(order.intentId);
      expect(record).toMatchObject({ row: { state }, hold: null });
      const at = new Date(fixture.service.clock.now()).toISOString();
      const { seenAt = "" } = record?.events.at(-1)?.decision ?? {};
      expect(record?.events.slice(-2)).toMatchObject([
        { kind: "held", decision: null },
        { kind, at, decision: { isTold: true }, byName: null },
      ]);
      expect(Date.parse(seenAt)).toBeLessThan(Date.parse(at));
      await fixture.db.update(transfer).set({ decidedAt: null });
      expect((await getTransfer(order.intentId))?.events.at(-1)).toMatchObject({
        at: seenAt,
        decision: { seenAt, isTold: false },
      });
    },
  );

  it.each(["no-connection", "circuit-open"])("that ended with %s was not sent, and nobody refused it", async (code) => {
    const order = internalOrder(fixture.parties);
    fixture.sent.refusal = { kind: "unavailable", details: { code, mayHaveExecuted: false } };
    await expect(orderInternalTransfer(fixture.maker, order)).rejects.toMatchObject({ details: { code } });
    expect(await getTransfer(order.intentId)).toMatchObject({ row: { state: "FAILED" }, told: { wasSent: false } });
    expect(await lifeOf(order.intentId)).toEqual(["unsent"]);
  });

  it("that its maker withdrew never left", async () => {
    const order = internalOrder(fixture.parties, { amount: "5000.00" });
    const approvalId = await fixture.propose(order);
    await withdraw(actorOf("finance", fixture.makerId, "approvals:read"), { approvalId });
    expect(await lifeOf(order.intentId)).toEqual(["proposed", "withdrawn"]);
    expect(await getTransfer(order.intentId)).toMatchObject({ row: { state: "WITHDRAWN" }, asking: null });
  });

  it("shows an unknown transfer's attempts, next check and need for a person", async () => {
    const order = internalOrder(fixture.parties);
    fixture.sent.requestsLost = 100;
    await expect(orderInternalTransfer(fixture.maker, order)).rejects.toMatchObject({ kind: "unavailable" });
    expect(await getTransfer(order.intentId)).toMatchObject({
      row: { state: "UNKNOWN" },
      asking: { attempts: expect.any(Number), nextTryAt: expect.any(String) },
      needsPerson: false,
    });
    await fixture.db.update(providerIntent).set({ nextTryAt: null }).where(eq(providerIntent.id, order.intentId));
    await reconcileWrites("aurora");
    expect(await getTransfer(order.intentId)).toMatchObject({ needsPerson: true });
    expect(await lifeOf(order.intentId)).toEqual(["sent", "unconfirmed"]);
  });
});

it("shows no page for an unknown transfer", async () => {
  expect(await getTransfer(randomUUID())).toBeNull();
  expect(await getTransfer("../etc")).toBeNull();
});
