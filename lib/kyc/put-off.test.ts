import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { KycList } from "@/lib/contract/kyc";
import type { Db } from "@/lib/db/connection";
import { storeNow } from "@/lib/db/clock";
import { auditEvent } from "@/lib/db/tables/audit";
import { kycCase, kycEvent, kycPutOff } from "@/lib/db/tables/kyc";
import { caseworkNote } from "@/lib/db/tables/notes";
import { sweepOnce } from "@/lib/watch/watch";
import { actorOf, givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { givenCase, givenPutOff, puttingOff } from "@/test/support/kyc";
import { claim } from "./assign";
import { claimNext } from "./claim-next";
import { bringBack, putOff, PuttingOff } from "./put-off";
import { readCaseQueue } from "./queue";
import { countCasesWaiting } from "./queue-counts";
import { saveRecords } from "./sync";
import { deskWatch } from "./watch";

const tenant = "aurora";
let db: Db;
let ana = "";
let bruna = "";
let kycUUID = "";
const as = (staffId: string) => actorOf("compliance", staffId, "kyc:assign");
const queue = (filter: Parameters<typeof readCaseQueue>[1] = {}) =>
  readCaseQueue(actorOf("compliance", ana, "kyc:read"), filter);
const shown = async (filter: Parameters<typeof readCaseQueue>[1] = {}) =>
  (await queue(filter)).rows.map((row) => row.kycUUID);
const events = async () =>
  (await db.select().from(kycEvent).orderBy(kycEvent.id)).map(({ kind, actor }) => [kind, actor]);
const onRecord = async () => (await db.select().from(auditEvent).orderBy(auditEvent.seq)).map(({ code }) => code);
const next = (staffId: string) => claimNext(as(staffId), { attemptId: randomUUID() });

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  ana = await givenStaff(db, "compliance");
  bruna = await givenStaff(db, "compliance");
  kycUUID = `abcdefab${randomUUID().slice(8)}`;
  await givenCase(db, { kycUUID, assigneeId: ana, assignedAt: new Date() });
});

const tell = async (status: string) => {
  const told = { kycUUID, vatNumber: "***.456.789-**", kycType: "PF", process: "kyc-backgroundcheck", status };
  const { result } = KycList.parse({ page: 1, pages: 1, limit: 10, total: 1, result: [told] });
  const records = result.flatMap((one) => ("kycUUID" in one ? [one] : []));
  const askedAt = await storeNow(db);
  await db.transaction((tx) => saveRecords(tx, tenant, { records, askedAt }));
};

describe("putting a case off", () => {
  it("takes a case out of the queue and its counts, and into its own view", async () => {
    const order = puttingOff(kycUUID);
    const { until } = await putOff(as(ana), order);
    expect(await shown()).toEqual([]);
    expect(await shown({ view: "mine" })).toEqual([]);
    const own = await queue({ view: "put-off" });
    expect(own.rows).toMatchObject([{ kycUUID, putOff: { id: order.putOffId, until, back: null } }]);
    expect([own.views["put-off"], own.views.all, own.views.mine].map(({ cases }) => cases)).toEqual([1, 0, 0]);
    expect(await shown({ search: "abcdefab" })).toEqual([kycUUID]);
  });

  it("counts a case put off neither in the menu nor at home, and again once back", async () => {
    const counted = async () => {
      const { counts, views } = await queue({ status: "PENDING" });
      const { count } = await countCasesWaiting(actorOf("compliance", ana, "kyc:read"));
      return [count, counts.PENDING.cases, views.all.cases];
    };
    expect(await counted()).toEqual([1, 1, 1]);
    const order = puttingOff(kycUUID);
    await putOff(as(ana), order);
    expect(await counted()).toEqual([0, 0, 0]);
    await bringBack(as(ana), { kycUUID, putOffId: order.putOffId });
    expect(await counted()).toEqual([1, 1, 1]);
  });

  it("keeps the reason sealed as the case's note, and puts the act on record", async () => {
    const order = puttingOff(kycUUID);
    await putOff(as(ana), order);
    const notes = await db.select().from(caseworkNote);
    expect(notes).toMatchObject([{ id: order.putOffId, object: `kyc:${kycUUID}`, staffId: ana }]);
    const stored = JSON.stringify([notes, await db.select().from(kycPutOff), await db.select().from(auditEvent)]);
    expect(stored).not.toContain("Maria");
    expect(await onRecord()).toEqual(["casework.note", "kyc.put-off"]);
    expect(await events()).toEqual([
      ["noted", ana],
      ["put-off", ana],
    ]);
  });

  it("is not offered as the next case, even when nobody has it", async () => {
    await putOff(as(ana), puttingOff(kycUUID));
    await db.update(kycCase).set({ assigneeId: null });
    expect(await next(bruna)).toMatchObject({ kycUUID: null });
  });

  it("refuses a colleague's case, a decided one, and a time that has passed", async () => {
    await expect(putOff(as(bruna), puttingOff(kycUUID))).rejects.toMatchObject({
      details: { code: "case-not-yours" },
    });
    await db.update(kycCase).set({ status: "APPROVED" });
    await expect(putOff(as(ana), puttingOff(kycUUID))).rejects.toMatchObject({ details: { code: "case-closed" } });
    expect(PuttingOff.safeParse(puttingOff(kycUUID, { until: "2020-01-01T09:00" })).success).toBe(false);
    expect(await db.$count(kycPutOff)).toBe(0);
    expect(await db.$count(caseworkNote)).toBe(0);
  });

  it("takes one of two concurrent orders, and an order sent again once", async () => {
    const order = puttingOff(kycUUID);
    const orders = [order, puttingOff(kycUUID), order];
    const settled = await Promise.allSettled(orders.map((one) => putOff(as(ana), one)));
    const refused = settled.filter(({ status }) => status === "rejected");
    for (const one of refused) expect(one).toMatchObject({ reason: { details: { code: "put-off-changed" } } });
    expect(await db.$count(kycPutOff)).toBe(1);
    expect(await db.$count(caseworkNote)).toBe(1);
  });

  it("moves the date only for whoever saw the one in force", async () => {
    const first = await givenPutOff(db, { kycUUID, staffId: ana });
    await expect(putOff(as(ana), puttingOff(kycUUID))).rejects.toMatchObject({ details: { code: "put-off-changed" } });
    const again = puttingOff(kycUUID, { seen: first.putOffId });
    await putOff(as(ana), again);
    const rows = await db.select().from(kycPutOff).orderBy(kycPutOff.createdAt);
    expect(rows).toMatchObject([
      { id: first.putOffId, ending: "again" },
      { id: again.putOffId, ending: null },
    ]);
  });
});

describe("a case that comes back", () => {
  it("returns at its time with a mark, whatever the provider answers", async () => {
    const { isDue, putOffId } = await givenPutOff(db, { kycUUID, staffId: ana });
    await sweepOnce(deskWatch, tenant);
    expect(await shown()).toEqual([]);
    await isDue();
    await sweepOnce(deskWatch, tenant);
    const { rows, views } = await queue();
    expect(rows).toMatchObject([{ kycUUID, putOff: { id: putOffId, back: { why: "time" } } }]);
    expect([views.all.cases, views["put-off"].cases]).toEqual([1, 0]);
    expect((await events()).at(-1)).toEqual(["put-off-ended", null]);
    expect((await db.select().from(auditEvent).orderBy(auditEvent.seq)).at(-1)).toMatchObject({
      code: "kyc.put-off-end",
      actor: "watch:kyc-desk",
      detail: { putOffEnding: "time" },
    });
  });

  it("returns at once when the provider tells something new, not on the same word", async () => {
    await tell("PENDING");
    await givenPutOff(db, { kycUUID, staffId: ana });
    await tell("PENDING");
    expect(await shown()).toEqual([]);
    await tell("PROCESSING");
    expect((await queue()).rows).toMatchObject([{ kycUUID, putOff: { back: { why: "news" } } }]);
  });

  it("is brought back by its holder or from nobody, once, and never by a colleague", async () => {
    const { putOffId } = await givenPutOff(db, { kycUUID, staffId: ana });
    await expect(bringBack(as(bruna), { kycUUID, putOffId })).rejects.toMatchObject({ details: { code: "case-held" } });
    await Promise.all([bringBack(as(ana), { kycUUID, putOffId }), bringBack(as(ana), { kycUUID, putOffId })]);
    expect((await queue()).rows).toMatchObject([{ kycUUID, putOff: null }]);
    expect((await onRecord()).filter((code) => code === "kyc.put-off-end")).toHaveLength(1);
    const later = await givenPutOff(db, { kycUUID, staffId: ana });
    await expect(bringBack(as(ana), { kycUUID, putOffId })).rejects.toMatchObject({
      details: { code: "put-off-changed" },
    });
    await claim(as(bruna), { kycUUID, takeFrom: ana });
    await bringBack(as(bruna), { kycUUID, putOffId: later.putOffId });
    expect(await db.select({ until: kycCase.putOffUntil }).from(kycCase).where(eq(kycCase.kycUUID, kycUUID))).toEqual([
      { until: null },
    ]);
  });
});
