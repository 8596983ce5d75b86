import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { grant } from "@/lib/auth/grant";
import { bankIntent } from "@/lib/bank/intent-schema";
import { maskDocument } from "@/lib/contract/document";
import { KycList } from "@/lib/contract/kyc";
import { keepDraft, openDraft } from "@/lib/drafts/records";
import { auditEvent, kycCase } from "@/lib/store/schema";
import type { Db } from "@/lib/store/store";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/lib/testing";
import { givenIntents } from "@/lib/transfers/testing";
import { sweepOnce } from "@/lib/watch";
import type { Harness } from "@/service/testing";
import { kycEvent } from "./schema";
import { startCase } from "./start";
import { readStartDesk } from "./start-desk";
import { settleStart } from "./start-settle";
import { personOrder } from "./start-testing";
import { startOf } from "./started";
import { givenCase } from "./testing";
import { kycWatch } from "./watch";

let db: Db;
let service: Harness;
let ana: ReturnType<typeof actorOf<"kyc:start">>;
let script: ReturnType<typeof givenIntents>;

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  service = await givenService();
  script = givenIntents();
  ana = actorOf("compliance", await givenStaff(db, "compliance"), "kyc:start");
});

const charged = async () => KycList.parse((await service.send("GET", "/v1/kyc/list")).body).result;
const trail = async () =>
  (await db.select().from(auditEvent).orderBy(auditEvent.seq)).map(({ code, outcome }) => `${code} ${outcome}`);
const lost = async (order = personOrder()) => {
  script.losses = 1;
  await expect(startCase(ana, order)).rejects.toMatchObject({ details: { code: "start-unconfirmed" } });
  return order;
};
const fewMinutesPass = () => db.update(bankIntent).set({ firstSentAt: sql`clock_timestamp() - interval '5 minutes'` });

describe("a start whose answer was lost", () => {
  it("is not sent again, by this form nor by another, until it is settled", async () => {
    const order = await lost();
    const again = { ...order, intentId: randomUUID(), seen: [order.intentId] };
    await expect(startCase(ana, order)).rejects.toMatchObject({ details: { code: "intent-already-sent" } });
    await expect(startCase(ana, again)).rejects.toMatchObject({ details: { code: "start-unsettled" } });
    expect([script.sent, (await charged()).length]).toEqual([1, 1]);
  });

  it("is settled by the one case that can only have come of it", async () => {
    const order = await lost();
    await sweepOnce(kycWatch, "aurora");
    const [listed] = await charged();
    expect(await startCase(ana, order)).toEqual({ kycUUID: listed?.kycUUID });
    expect(await startOf(db, "aurora", listed?.kycUUID ?? "")).toMatchObject({ intentId: order.intentId });
    expect(await trail()).toEqual(["kyc.start INTENT", "kyc.start UNKNOWN", "kyc.start DONE"]);
    expect((await db.select().from(kycEvent)).map(({ kind }) => kind)).toEqual(["seen", "started"]);
    expect(script.sent).toBe(1);
  });

  it("waits for a person when several cases may have come of it, and takes the one that is chosen", async () => {
    const order = await lost();
    const { type: _t, intentId: _i, seen: _s, ...body } = order;
    await service.send("POST", "/v1/kyc/person", { body });
    await sweepOnce(kycWatch, "aurora");
    const { unsettled } = await readStartDesk(ana, "PF");
    expect(unsettled).toMatchObject([{ document: maskDocument(order.vatNumber), mayBeWaived: false }]);
    const [, chosen] = unsettled[0]?.candidates ?? [];
    const kycUUID = chosen?.kycUUID ?? "";
    const stranger = await givenCase(db);
    const choose = (chosenUUID: string) => settleStart(ana, { intentId: order.intentId, kycUUID: chosenUUID });
    await expect(choose(stranger)).rejects.toMatchObject({ details: { code: "start-settled" } });
    await choose(kycUUID);
    expect(await startCase(ana, order)).toEqual({ kycUUID });
    await expect(choose(kycUUID)).rejects.toMatchObject({ details: { code: "start-settled" } });
  });

  it("does not take a case that was there before, nor one that another start has", async () => {
    const order = personOrder();
    const { vatNumber } = order;
    await givenCase(db, { vatNumber: maskDocument(vatNumber), seq: -1 });
    const { kycUUID } = await startCase(ana, personOrder());
    await db
      .update(kycCase)
      .set({ vatNumber: maskDocument(vatNumber) })
      .where(eq(kycCase.kycUUID, kycUUID));
    script.requestsLost = 1;
    const seen = (await db.select().from(kycCase)).map((one) => one.kycUUID);
    await expect(startCase(ana, { ...order, seen })).rejects.toMatchObject({
      details: { code: "start-unconfirmed" },
    });
    expect((await readStartDesk(ana, "PF")).unsettled).toMatchObject([{ candidates: [] }]);
  });

  it("may be let go once the list was read well after it without showing it, and can then be sent anew", async () => {
    const opened = await openDraft(ana, "kyc-start-pf");
    const save = { do: "save", draftId: opened.draftId, version: 0, fields: { name: "Maria" } } as const;
    await keepDraft(ana, "kyc-start-pf", save);
    script.requestsLost = 1;
    const order = personOrder({ intentId: opened.draftId });
    await expect(startCase(ana, order)).rejects.toMatchObject({ details: { code: "start-unconfirmed" } });
    await sweepOnce(kycWatch, "aurora");
    const letGo = { intentId: order.intentId, kycUUID: null };
    await expect(settleStart(ana, letGo)).rejects.toMatchObject({ details: { code: "start-too-soon" } });
    await fewMinutesPass();
    await sweepOnce(kycWatch, "aurora");
    await settleStart(ana, letGo);
    const { draft, isSent, unsettled } = await readStartDesk(ana, "PF");
    expect([isSent, unsettled, draft.fields]).toEqual([false, [], { name: "Maria" }]);
    expect(draft.draftId).not.toBe(order.intentId);
    const anew = { ...order, intentId: draft.draftId };
    await expect(startCase(ana, anew)).rejects.toMatchObject({ details: { code: "start-like" } });
    await startCase(ana, { ...anew, seen: [order.intentId] });
    expect(await charged()).toHaveLength(1);
  });

  it("is of nobody at another tenant", async () => {
    const { intentId } = await lost();
    const rui = actorOf("compliance", await givenStaff(db, "compliance"), "kyc:start");
    expect((await readStartDesk(rui, "PF")).unsettled).toHaveLength(1);
    const elsewhere = grant({ staffId: rui.id, tenant: "boreal", roles: ["compliance"] }, "kyc:start");
    if (elsewhere === null) throw new Error("compliance may start cases");
    expect((await readStartDesk(elsewhere, "PF")).unsettled).toEqual([]);
    await expect(settleStart(elsewhere, { intentId, kycUUID: null })).rejects.toMatchObject({ kind: "conflict" });
  });
});
