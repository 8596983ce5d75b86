import { sql, eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { provider } from "@/lib/provider/client";
import { AppError } from "@/lib/errors/app-error";
import { createIntents } from "@/lib/provider/intents/intent";
import { maskDocument } from "@/lib/contract/document";
import { saveDraft, openDraft } from "@/lib/drafts/drafts";
import { kycCase, kycEvent, kycStart, kycStartMember } from "@/lib/db/tables/kyc";
import { actorOf, givenStaff } from "@/test/support/console";
import { sweepOnce } from "@/lib/watch/watch";
import { startCase } from "./start";
import { reviewStart } from "./review-start";
import {
  companyOrder,
  inventCpf,
  personOrder,
  givenStartFixture,
  type StartFormState,
  givenCase,
} from "@/test/support/kyc";
import { startOfCase } from "@/lib/db/started-case";
import { kycWatch } from "./watch";

let fixture: StartFormState;

beforeEach(async () => {
  fixture = await givenStartFixture();
});

describe("starting a case", () => {
  it("makes one call for a person and queues the case unassigned with its starter", async () => {
    const order = personOrder({ documentscopyFlag: true });
    const { kycUUID } = await startCase(fixture.ana, order);
    expect(await fixture.charged()).toMatchObject([
      { kycUUID, vatNumber: maskDocument(order.vatNumber), kycType: "PF" },
    ]);
    expect(await fixture.db.select().from(kycCase)).toMatchObject([
      { kycUUID, status: "PROCESSING", assigneeId: null },
    ]);
    expect((await fixture.db.select().from(kycEvent).orderBy(kycEvent.id)).map(({ kind }) => kind)).toEqual([
      "seen",
      "started",
    ]);
    expect(await fixture.trail()).toEqual(["kyc.start INTENT", "kyc.start DONE"]);
    expect(await startOfCase(fixture.db, "aurora", kycUUID)).toMatchObject({
      kycType: "PF",
      model: "COMPLETE",
      documentscopy: true,
      startedBy: { id: fixture.ana.id, name: "Ana Prado" },
      subject: { vatNumber: order.vatNumber, name: "Maria Aparecida dos Santos", birthDate: "07-09-1984" },
      members: [],
    });
  });

  it("stores a company's partners in order, sealed", async () => {
    const { kycUUID } = await startCase(fixture.ana, companyOrder());
    expect(await startOfCase(fixture.db, "aurora", kycUUID)).toMatchObject({
      subject: { name: "Aurora Pagamentos Ltda", birthDate: null, motherName: null },
      members: [
        { ownerType: "SOCIO_ADMINISTRADOR", name: "Rui Lima" },
        { ownerType: "SOCIO", name: "Eva Prado" },
      ],
    });
    const stored = JSON.stringify([
      await fixture.db.select().from(kycStart),
      await fixture.db.select().from(kycStartMember),
    ]);
    expect(stored).not.toMatch(/Aurora Pag|Rui|Eva|11222333/);
  });

  it("stores a started case as the watch would, without a change", async () => {
    const { kycUUID } = await startCase(fixture.ana, personOrder());
    await sweepOnce(kycWatch, "aurora");
    expect(await fixture.db.$count(kycEvent)).toBe(2);
    expect(await fixture.db.select().from(kycCase)).toMatchObject([{ kycUUID }]);
  });

  it("bills a start once per form, however often and from any number of tabs", async () => {
    const order = personOrder();
    const started = await Promise.all([startCase(fixture.ana, order), startCase(fixture.ana, order)]);
    started.push(await startCase(fixture.ana, order));
    expect(new Set(started.map(({ kycUUID }) => kycUUID)).size).toBe(1);
    expect([fixture.script.sent, (await fixture.charged()).length]).toEqual([1, 1]);
    const other = { ...personOrder(), intentId: order.intentId };
    await expect(startCase(fixture.ana, other)).rejects.toMatchObject({ details: { code: "intent-reused" } });
  });

  it("is billed once for ten orders of one person under ten ids by two people", async () => {
    const bia = actorOf("compliance", await givenStaff(fixture.db, "compliance"), "kyc:start");
    const { vatNumber } = personOrder();
    const asked = Array.from({ length: 10 }, (_, nth) =>
      startCase(nth % 2 === 0 ? fixture.ana : bia, personOrder({ vatNumber })),
    );
    const refused = (await Promise.allSettled(asked)).flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
    expect(refused).toHaveLength(9);
    expect(new Set(refused.map(({ kind }) => kind))).toEqual(new Set(["conflict"]));
    expect([fixture.script.sent, (await fixture.charged()).length]).toEqual([1, 1]);
  });

  it("drops what was typed once it is done", async () => {
    const { draftId } = await openDraft(fixture.ana, "kyc-start-pf");
    await saveDraft(fixture.ana, "kyc-start-pf", { do: "save", draftId, version: 0, fields: { name: "Maria" } });
    const order = personOrder({ intentId: draftId });
    await startCase(fixture.ana, order);
    expect(await openDraft(fixture.ana, "kyc-start-pf")).toMatchObject({ fields: null });
  });
});

describe("a document that was started before", () => {
  it("asks first with date and author, and starts again after confirmation", async () => {
    const first = personOrder();
    const { kycUUID } = await startCase(fixture.ana, first);
    const { vatNumber } = first;
    const { intentId: _intent, seen: _seen, ...form } = first;
    const { duplicates } = await reviewStart(fixture.ana, form);
    expect(duplicates).toMatchObject([
      { ref: kycUUID, kycUUID, byName: "Ana Prado", status: "PROCESSING", isSame: true, isUnconfirmed: false },
    ]);
    await expect(startCase(fixture.ana, personOrder({ vatNumber }))).rejects.toMatchObject({
      details: { code: "start-like" },
    });
    await startCase(fixture.ana, personOrder({ vatNumber, seen: [kycUUID] }));
    expect(await fixture.charged()).toHaveLength(2);
    expect((await fixture.db.select().from(kycStart)).filter(({ isRepeat }) => isRepeat)).toHaveLength(1);
  });

  it("starts a case once for two concurrent people, and asks the other", async () => {
    const rui = actorOf("compliance", await givenStaff(fixture.db, "compliance"), "kyc:start");
    const vatNumber = inventCpf();
    const both = await Promise.allSettled([
      startCase(fixture.ana, personOrder({ vatNumber })),
      startCase(rui, personOrder({ vatNumber })),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await fixture.charged()).toHaveLength(1);
  });

  it("starts again without a question after thirty days, once decided", async () => {
    const { vatNumber } = personOrder();
    const { kycUUID } = await startCase(fixture.ana, personOrder({ vatNumber }));
    await fixture.db.update(kycStart).set({ createdAt: sql`clock_timestamp() - interval '31 days'` });
    await expect(startCase(fixture.ana, personOrder({ vatNumber }))).rejects.toMatchObject({
      details: { code: "start-like" },
    });
    await fixture.db.update(kycCase).set({ status: "APPROVED" }).where(eq(kycCase.kycUUID, kycUUID));
    await startCase(fixture.ana, personOrder({ vatNumber }));
    expect(await fixture.charged()).toHaveLength(2);
  });

  it("flags an open case with the same mask, unless known to be another's", async () => {
    const order = personOrder();
    const elsewhere = await givenCase(fixture.db, { vatNumber: maskDocument(order.vatNumber) });
    const { intentId: _intent, seen: _seen, ...form } = order;
    expect((await reviewStart(fixture.ana, form)).duplicates).toMatchObject([
      { ref: elsewhere, byName: null, isSame: false, status: "PENDING" },
    ]);
    const { kycUUID } = await startCase(fixture.ana, personOrder());
    await fixture.db
      .update(kycCase)
      .set({ vatNumber: maskDocument(order.vatNumber) })
      .where(eq(kycCase.kycUUID, kycUUID));
    expect((await reviewStart(fixture.ana, form)).duplicates.map(({ ref }) => ref)).toEqual([elsewhere]);
  });
});

const daysAgo = (n: number) => new Date(Date.now() - n * 86_400_000);

const decidedElsewhere = async (age: number) => {
  const order = personOrder();
  const kycUUID = await givenCase(fixture.db, {
    vatNumber: maskDocument(order.vatNumber),
    status: "REPROVED",
    decidedAt: daysAgo(age),
  });
  return { order, kycUUID };
};

describe("a document that was decided elsewhere", () => {
  it("asks first within thirty days, with the date of the decision", async () => {
    const { order, kycUUID } = await decidedElsewhere(29);
    const { intentId: _intent, seen: _seen, ...form } = order;
    const { duplicates } = await reviewStart(fixture.ana, form);
    expect(duplicates).toMatchObject([{ ref: kycUUID, byName: null, isSame: false, status: "REPROVED" }]);
    expect(Math.round((Date.now() - Date.parse(duplicates[0]?.at ?? "")) / 86_400_000)).toBe(29);
    await expect(startCase(fixture.ana, order)).rejects.toMatchObject({ details: { code: "start-like" } });
    await startCase(fixture.ana, personOrder({ vatNumber: order.vatNumber, seen: [kycUUID] }));
    expect(await fixture.charged()).toHaveLength(1);
  });

  it("starts without a question when decided longer ago", async () => {
    const { order } = await decidedElsewhere(31);
    await startCase(fixture.ana, order);
    expect(await fixture.charged()).toHaveLength(1);
  });

  it("counts the thirty days from a start that was made here", async () => {
    const { vatNumber } = personOrder();
    const { kycUUID } = await startCase(fixture.ana, personOrder({ vatNumber }));
    await fixture.db.update(kycStart).set({ createdAt: sql`clock_timestamp() - interval '31 days'` });
    const decided = { status: "APPROVED", decidedAt: daysAgo(2) } as const;
    await fixture.db.update(kycCase).set(decided).where(eq(kycCase.kycUUID, kycUUID));
    await startCase(fixture.ana, personOrder({ vatNumber }));
    expect(await fixture.charged()).toHaveLength(2);
  });
});

describe("a start that the provider refuses", () => {
  it("keeps the form of a refused start for correction, without any effect", async () => {
    const { draftId: intentId } = await openDraft(fixture.ana, "kyc-start-pj");
    const save = { do: "save", draftId: intentId, version: 0, fields: { legalName: "Aurora" } } as const;
    await saveDraft(fixture.ana, "kyc-start-pj", save);
    const refusal = new AppError("invalid", { status: 400, providerMessage: "qsa.0.name: is unknown here" });
    const { kind, details } = refusal;
    const refused = { kind, details };
    let refusals = 1;
    globalThis.retaguardaIntents = createIntents({
      post: (...given) => (refusals-- > 0 ? Promise.reject(refusal) : provider.post(...given)),
      now: () => 0,
      sleep: async () => undefined,
      random: () => 0,
    });
    await expect(startCase(fixture.ana, companyOrder({ intentId }))).rejects.toMatchObject(refused);
    expect((await openDraft(fixture.ana, "kyc-start-pj")).fields).toEqual({ legalName: "Aurora" });
    const { qsa } = companyOrder();
    const { kycUUID } = await startCase(fixture.ana, companyOrder({ intentId, qsa: qsa.slice(0, 1) }));
    expect(await startOfCase(fixture.db, "aurora", kycUUID)).toMatchObject({
      intentId,
      members: [{ name: "Rui Lima" }],
    });
    expect(await fixture.charged()).toHaveLength(1);
  });
});
