import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { grant } from "@/lib/permission/grant";
import { providerIntent } from "@/lib/db/tables/provider";
import { maskDocument } from "@/lib/contract/document";
import { saveDraft, openDraft } from "@/lib/drafts/drafts";
import { kycCase, kycEvent } from "@/lib/db/tables/kyc";
import { orderOutcome } from "@/lib/outcomes/end-outcome";
import { notHappened } from "@/test/support/outcomes";
import { actorOf, givenStaff } from "@/test/support/console";
import { sweepOnce } from "@/lib/watch/watch";
import { startCase } from "./start";
import { readStartFormState } from "./start-form";
import { reconcileStart } from "./start-reconcile";
import { personOrder, givenStartFixture, type StartFormState, givenCase } from "@/test/support/kyc";
import { startOfCase } from "@/lib/db/started-case";
import { kycWatch } from "./watch";

let fixture: StartFormState;

beforeEach(async () => {
  fixture = await givenStartFixture();
});

const lost = async (order = personOrder()) => {
  fixture.script.losses = 1;
  await expect(startCase(fixture.ana, order)).rejects.toMatchObject({ details: { code: "start-unconfirmed" } });
  return order;
};
const fewMinutesPass = () =>
  fixture.db.update(providerIntent).set({ firstSentAt: sql`clock_timestamp() - interval '5 minutes'` });

describe("a start whose answer was lost", () => {
  it("blocks a second start from this form and others until the first is settled", async () => {
    const order = await lost();
    const again = { ...order, intentId: randomUUID(), seen: [order.intentId] };
    await expect(startCase(fixture.ana, order)).rejects.toMatchObject({ details: { code: "intent-already-sent" } });
    await expect(startCase(fixture.ana, again)).rejects.toMatchObject({ details: { code: "start-unsettled" } });
    expect([fixture.script.sent, (await fixture.charged()).length]).toEqual([1, 1]);
  });

  it("settles a lost start by the one case that fits", async () => {
    const order = await lost();
    await sweepOnce(kycWatch, "aurora");
    const [listed] = await fixture.charged();
    expect(await startCase(fixture.ana, order)).toEqual({ kycUUID: listed?.kycUUID });
    expect(await startOfCase(fixture.db, "aurora", listed?.kycUUID ?? "")).toMatchObject({ intentId: order.intentId });
    expect(await fixture.trail()).toEqual(["kyc.start INTENT", "kyc.start UNKNOWN", "kyc.start DONE"]);
    expect((await fixture.db.select().from(kycEvent)).map(({ kind }) => kind)).toEqual(["seen", "started"]);
    expect(fixture.script.sent).toBe(1);
  });

  it("asks a person when several cases fit, and takes the chosen one", async () => {
    const order = await lost();
    const { type: _t, intentId: _i, seen: _s, ...body } = order;
    await fixture.service.send("POST", "/v1/kyc/person", { body });
    await sweepOnce(kycWatch, "aurora");
    const { unconfirmed } = await readStartFormState(fixture.ana, "PF");
    expect(unconfirmed).toMatchObject([{ document: maskDocument(order.vatNumber), isNotFound: false }]);
    const [, chosen] = unconfirmed[0]?.candidates ?? [];
    const kycUUID = chosen?.kycUUID ?? "";
    const stranger = await givenCase(fixture.db);
    const choose = (chosenUUID: string) =>
      reconcileStart(fixture.ana, { intentId: order.intentId, kycUUID: chosenUUID });
    await expect(choose(stranger)).rejects.toMatchObject({ details: { code: "start-settled" } });
    await choose(kycUUID);
    expect(await startCase(fixture.ana, order)).toEqual({ kycUUID });
    await expect(choose(kycUUID)).rejects.toMatchObject({ details: { code: "start-settled" } });
  });

  it("ignores an earlier case and one that belongs to another start", async () => {
    const order = personOrder();
    const { vatNumber } = order;
    await givenCase(fixture.db, { vatNumber: maskDocument(vatNumber), seq: -1 });
    const { kycUUID } = await startCase(fixture.ana, personOrder());
    await fixture.db
      .update(kycCase)
      .set({ vatNumber: maskDocument(vatNumber) })
      .where(eq(kycCase.kycUUID, kycUUID));
    fixture.script.requestsLost = 1;
    const seen = (await fixture.db.select().from(kycCase)).map((one) => one.kycUUID);
    await expect(startCase(fixture.ana, { ...order, seen })).rejects.toMatchObject({
      details: { code: "start-unconfirmed" },
    });
    expect((await readStartFormState(fixture.ana, "PF")).unconfirmed).toMatchObject([{ candidates: [] }]);
  });

  it("allows a new start once a person said that the lost one had no effect", async () => {
    const opened = await openDraft(fixture.ana, "kyc-start-pf");
    const save = { do: "save", draftId: opened.draftId, version: 0, fields: { name: "Maria" } } as const;
    await saveDraft(fixture.ana, "kyc-start-pf", save);
    fixture.script.requestsLost = 1;
    const order = personOrder({ intentId: opened.draftId });
    await expect(startCase(fixture.ana, order)).rejects.toMatchObject({ details: { code: "start-unconfirmed" } });
    await fewMinutesPass();
    await sweepOnce(kycWatch, "aurora");
    expect((await readStartFormState(fixture.ana, "PF")).unconfirmed).toMatchObject([{ isNotFound: true }]);
    await orderOutcome(actorOf("compliance", fixture.ana.id, "outcomes:end"), notHappened(order.intentId));
    const { draft, isSent, unconfirmed } = await readStartFormState(fixture.ana, "PF");
    expect([isSent, unconfirmed, draft.fields]).toEqual([false, [], { name: "Maria" }]);
    expect(draft.draftId).not.toBe(order.intentId);
    await startCase(fixture.ana, { ...order, intentId: draft.draftId });
    expect(await fixture.charged()).toHaveLength(1);
  });

  it("finds no start of another tenant", async () => {
    const { intentId } = await lost();
    const rui = actorOf("compliance", await givenStaff(fixture.db, "compliance"), "kyc:start");
    expect((await readStartFormState(rui, "PF")).unconfirmed).toHaveLength(1);
    const elsewhere = grant({ staffId: rui.id, tenant: "boreal", roles: ["compliance"] }, "kyc:start");
    if (elsewhere === null) throw new Error("compliance may start cases");
    expect((await readStartFormState(elsewhere, "PF")).unconfirmed).toEqual([]);
    await expect(reconcileStart(elsewhere, { intentId, kycUUID: "x" })).rejects.toMatchObject({ kind: "conflict" });
  });
});
