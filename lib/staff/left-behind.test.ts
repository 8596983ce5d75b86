import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { readRoster } from "@/lib/auth/roster";
import { auditEvent } from "@/lib/db/tables/audit";
import { draft } from "@/lib/db/tables/drafts";
import { kycAway, kycCase, kycEvent } from "@/lib/db/tables/kyc";
import { savedView } from "@/lib/db/tables/preferences";
import { staffMembership } from "@/lib/db/tables/auth";
import type { Db } from "@/lib/db/connection";
import type { ViewArea } from "@/lib/db/enums/preferences";
import { givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { givenCase } from "@/test/support/kyc";
import { readLeftBehind } from "./left-behind";
import { disablePerson } from "./people";

let db: Db;
let admin = "";
let second = "";
let ana = "";
let rui = "";

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  admin = await givenStaff(db, "admin");
  second = await givenStaff(db, "admin");
  ana = await givenStaff(db, "compliance");
  rui = await givenStaff(db, "compliance");
});

const at = (id: string) => ({ id, tenant: "aurora" });
const left = async () => readLeftBehind(db, { tenant: "aurora", staffId: ana }, await readRoster(db, "aurora"));
const own = { assigneeId: "", assignedAt: new Date() };
const giveCases = async (count: number) => {
  for (let n = 0; n < count; n += 1) await givenCase(db, { ...own, assigneeId: ana });
};
const giveView = async (staffId: string, name: string, area: ViewArea = "kyc") => {
  const view = { tenant: "aurora", id: randomUUID(), staffId, area, name, search: "status=PENDING", isDefault: true };
  await db.update(savedView).set({ isDefault: false }).where(eq(savedView.staffId, staffId));
  await db.insert(savedView).values(view);
};
const casesOf = (staffId: string) => db.$count(kycCase, eq(kycCase.assigneeId, staffId));
const viewsOf = async (staffId: string) =>
  (await db.select().from(savedView).where(eq(savedView.staffId, staffId))).map(({ name }) => name).toSorted();
const isOut = async (staffId: string) => {
  const isIt = and(eq(staffMembership.staffId, staffId), eq(staffMembership.tenant, "aurora"));
  const [row] = await db.select().from(staffMembership).where(isIt);
  return row?.disabledAt !== null;
};
const onRecord = () => db.select().from(auditEvent).where(eq(auditEvent.code, "staff.disable"));

describe("what a person leaves behind", () => {
  it("counts open cases, drafts and views, and names who could take them", async () => {
    await giveCases(2);
    await givenCase(db, { ...own, assigneeId: ana, status: "APPROVED", decidedAt: new Date() });
    await giveView(ana, "Fila");
    await db.insert(draft).values({ tenant: "aurora", id: randomUUID(), staffId: ana, form: "kyc-start-pf" });
    await db.insert(draft).values({ tenant: "boreal", id: randomUUID(), staffId: ana, form: "kyc-start-pf" });
    const { deciders, colleagues, asOf: _asOf, ...counts } = await left();
    expect(counts).toEqual({ requests: 0, cases: 2, deposits: 0, drafts: 1, views: 1 });
    expect(deciders.map(({ id }) => id)).toEqual([rui]);
    expect(new Set(colleagues.map(({ id }) => id))).toEqual(new Set([admin, second, rui]));
  });

  it("hands cases and views over with the disabling, on record", async () => {
    await giveCases(3);
    await giveView(ana, "Fila");
    await giveView(ana, "Minha");
    await giveView(ana, "Moedas", "coins");
    await giveView(rui, "FILA");
    expect(await disablePerson(db, at(admin), ana, { cases: rui, views: rui })).toEqual({ cases: 3, views: 1 });
    expect([await casesOf(ana), await casesOf(rui), await isOut(ana)]).toEqual([0, 3, true]);
    expect([await viewsOf(ana), await viewsOf(rui)]).toEqual([
      ["Fila", "Moedas"],
      ["FILA", "Minha"],
    ]);
    const events = await db.select().from(kycEvent);
    expect(events.map(({ kind, actor, detail }) => [kind, actor, detail])).toEqual(
      Array.from({ length: 3 }, () => ["assigned", admin, { to: rui, from: ana }]),
    );
    expect(await onRecord()).toMatchObject([
      { actor: admin, detail: { casesTo: rui, casesHanded: 3, viewsTo: rui, viewsHanded: 1 } },
    ]);
  });

  it("disables nobody where the colleague may not take the cases", async () => {
    await giveCases(1);
    const until = new Date(Date.now() + 3_600_000);
    await expect(disablePerson(db, at(admin), ana, { cases: second, views: null })).rejects.toMatchObject({
      details: { code: "not-a-decider" },
    });
    await expect(disablePerson(db, at(admin), ana, { cases: ana, views: null })).rejects.toMatchObject({
      details: { code: "not-a-decider" },
    });
    await db.insert(kycAway).values({ tenant: "aurora", staffId: rui, until });
    await expect(disablePerson(db, at(admin), ana, { cases: rui, views: null })).rejects.toMatchObject({
      details: { code: "person-away" },
    });
    await expect(disablePerson(db, at(admin), ana, { cases: null, views: randomUUID() })).rejects.toMatchObject({
      details: { code: "colleague-gone" },
    });
    expect([await isOut(ana), await casesOf(ana), await onRecord()]).toEqual([false, 1, []]);
  });

  it("hands over once when two administrators disable somebody at once", async () => {
    const ines = await givenStaff(db, "compliance");
    await giveCases(2);
    const ends = await Promise.allSettled([
      disablePerson(db, at(admin), ana, { cases: rui, views: null }),
      disablePerson(db, at(second), ana, { cases: ines, views: null }),
    ]);
    expect(ends.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const refusal = ends.find((end) => end.status === "rejected");
    expect(refusal?.reason).toMatchObject({ details: { code: "person-disabled" } });
    expect([
      [0, 2],
      [2, 0],
    ]).toContainEqual([await casesOf(rui), await casesOf(ines)]);
    expect(await onRecord()).toHaveLength(1);
  });

  it("leaves no case with a colleague who is disabled at the same moment", async () => {
    const ines = await givenStaff(db, "compliance");
    await giveCases(2);
    await Promise.allSettled([
      disablePerson(db, at(admin), ana, { cases: rui, views: null }),
      disablePerson(db, at(second), rui, { cases: ines, views: null }),
    ]);
    expect([await isOut(rui), await casesOf(rui)]).toEqual([true, 0]);
    const went = [await isOut(ana), await casesOf(ana), await casesOf(ines)];
    expect([
      [true, 0, 2],
      [false, 2, 0],
    ]).toContainEqual(went);
  });
});
