import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { staffMembership } from "@/lib/db/tables/auth";
import { liveEvent } from "@/lib/db/tables/live";
import { staff } from "@/lib/db/tables/staff";
import { kycAway, kycCase, kycEvent } from "@/lib/db/tables/kyc";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { actorOf, givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { assign, claim, release } from "./assign";
import { requireOwnCase } from "./holder";
import { givenCase } from "@/test/support/kyc";

let db: Db;
let kycUUID = "";
let ana = "";
let bruna = "";

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  kycUUID = await givenCase(db);
  ana = await givenStaff(db, "compliance");
  bruna = await givenStaff(db, "compliance");
  await db.update(staff).set({ name: "Bruna Lima" }).where(eq(staff.id, bruna));
});

const as = (staffId: string) => actorOf("compliance", staffId, "kyc:assign");
const heldByBruna = (code = "case-held") => ({ kind: "conflict", details: { code, holder: { name: "Bruna Lima" } } });

async function holder(): Promise<string | null | undefined> {
  const [row] = await db.select().from(kycCase);
  return row?.assigneeId;
}

async function timeline() {
  const rows = await db.select().from(kycEvent).orderBy(kycEvent.id);
  return rows.map(({ kind, actor, detail }) => ({ kind, actor, detail }));
}

const onRecord = async () => (await db.select().from(auditEvent).orderBy(auditEvent.seq)).map(({ code }) => code);

describe("a case that nobody has", () => {
  it("assigns a case to its claimant, with timeline, audit and notice", async () => {
    const { assignedAt } = await claim(as(ana), { kycUUID, takeFrom: null });
    expect(Math.abs(Date.parse(assignedAt) - Date.now())).toBeLessThan(60_000);
    expect(await holder()).toBe(ana);
    expect(await timeline()).toEqual([{ kind: "claimed", actor: ana, detail: {} }]);
    expect(await onRecord()).toEqual(["kyc.claim"]);
    expect((await db.select().from(liveEvent)).map(({ topic, object }) => [topic, object])).toEqual([["kyc", kycUUID]]);
  });

  it("keeps a person's first claim on a repeat, with one audit row", async () => {
    const first = await claim(as(ana), { kycUUID, takeFrom: null });
    expect(await claim(as(ana), { kycUUID, takeFrom: null })).toEqual(first);
    expect(await onRecord()).toEqual(["kyc.claim"]);
  });

  it("assigns a case to one of many concurrent claimants, and informs the rest", async () => {
    const people = await Promise.all([1, 2, 3, 4, 5, 6].map(() => givenStaff(db, "compliance")));
    const settled = await Promise.allSettled(people.map((id) => claim(as(id), { kycUUID, takeFrom: null })));
    const winner = await holder();
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const one of settled.filter(({ status }) => status === "rejected")) {
      expect(one).toMatchObject({ reason: { details: { code: "case-held", holder: { id: winner } } } });
    }
  });

  it("refuses to decide an unassigned case", async () => {
    const own = db.transaction((tx) => requireOwnCase(tx, { tenant: "aurora", kycUUID }, ana));
    await expect(own).rejects.toMatchObject({ details: { code: "case-not-yours", holder: null } });
  });
});

describe("a colleague's case", () => {
  beforeEach(() => claim(as(bruna), { kycUUID, takeFrom: null }));

  it("refuses a claim that has not seen the case's holder, and names them", async () => {
    await expect(claim(as(ana), { kycUUID, takeFrom: null })).rejects.toMatchObject(heldByBruna());
    await expect(claim(as(ana), { kycUUID, takeFrom: randomUUID() })).rejects.toMatchObject(heldByBruna());
    expect(await holder()).toBe(bruna);
  });

  it("takes a case over after agreement, and audits the former holder", async () => {
    await claim(as(ana), { kycUUID, takeFrom: bruna });
    expect(await holder()).toBe(ana);
    expect((await timeline()).at(-1)).toEqual({ kind: "taken-over", actor: ana, detail: { from: bruna } });
    expect(await onRecord()).toEqual(["kyc.claim", "kyc.take-over"]);
  });

  it("takes a case over even when it was just released", async () => {
    await release(as(bruna), { kycUUID });
    await claim(as(ana), { kycUUID, takeFrom: bruna });
    expect((await timeline()).at(-1)).toMatchObject({ kind: "claimed", actor: ana });
  });

  it("refuses to release or decide a colleague's case", async () => {
    await expect(release(as(ana), { kycUUID })).rejects.toMatchObject(heldByBruna());
    const own = db.transaction((tx) => requireOwnCase(tx, { tenant: "aurora", kycUUID }, ana));
    await expect(own).rejects.toMatchObject(heldByBruna("case-not-yours"));
  });

  it("returns a case to the queue when its holder releases it, once", async () => {
    await release(as(bruna), { kycUUID });
    await release(as(bruna), { kycUUID });
    expect(await holder()).toBeNull();
    expect(await onRecord()).toEqual(["kyc.claim", "kyc.release"]);
  });

  it("refuses a reassignment by somebody who saw another holder", async () => {
    await expect(assign(as(ana), { kycUUID, to: ana, from: null })).rejects.toMatchObject(heldByBruna());
  });

  it("reassigns or releases a case for somebody who saw its holder", async () => {
    await assign(as(ana), { kycUUID, to: ana, from: bruna });
    expect((await timeline()).at(-1)).toEqual({ kind: "assigned", actor: ana, detail: { to: ana, from: bruna } });
    await assign(as(bruna), { kycUUID, to: null, from: ana });
    expect((await timeline()).at(-1)).toEqual({ kind: "released", actor: bruna, detail: { from: ana } });
  });
});

describe("a case is given to", () => {
  it("assigns a case to a colleague, once", async () => {
    const given = await assign(as(ana), { kycUUID, to: bruna, from: null });
    expect(await assign(as(ana), { kycUUID, to: bruna, from: null })).toEqual(given);
    expect(await holder()).toBe(bruna);
    expect(await onRecord()).toEqual(["kyc.assign"]);
  });

  it("refuses an assignee without the permission or excluded from the tenant", async () => {
    const others = [await givenStaff(db, "support"), randomUUID()];
    const elsewhere = await givenStaff(db, "compliance");
    await db.update(staffMembership).set({ tenant: "boreal" }).where(eq(staffMembership.staffId, elsewhere));
    const disabled = await givenStaff(db, "compliance");
    await db.update(staffMembership).set({ disabledAt: new Date() }).where(eq(staffMembership.staffId, disabled));
    const closed = await givenStaff(db, "compliance");
    await db.update(staff).set({ disabledAt: new Date() }).where(eq(staff.id, closed));
    for (const to of [...others, elsewhere, disabled, closed]) {
      const assigned = assign(as(ana), { kycUUID, to, from: null });
      await expect(assigned).rejects.toMatchObject({ details: { code: "not-a-decider" } });
    }
  });

  it("refuses an assignee who is away, but allows oneself", async () => {
    const until = new Date(Date.now() + 3_600_000);
    await db.insert(kycAway).values([ana, bruna].map((staffId) => ({ tenant: "aurora", staffId, until })));
    const assigned = assign(as(ana), { kycUUID, to: bruna, from: null });
    await expect(assigned).rejects.toMatchObject(heldByBruna("person-away"));
    await assign(as(ana), { kycUUID, to: ana, from: null });
    expect(await holder()).toBe(ana);
  });

  it("allows an assignee whose absence has ended", async () => {
    await db.insert(kycAway).values({ tenant: "aurora", staffId: bruna, until: new Date(Date.now() - 1_000) });
    await assign(as(ana), { kycUUID, to: bruna, from: null });
    expect(await holder()).toBe(bruna);
  });
});

it("refuses a case of another tenant as not found", async () => {
  const elsewhere = await givenCase(db, { tenant: "boreal" });
  const place = { kycUUID: elsewhere };
  const missing = { kind: "not-found" };
  await expect(claim(as(ana), { ...place, takeFrom: null })).rejects.toMatchObject(missing);
  await expect(release(as(ana), place)).rejects.toMatchObject(missing);
  await expect(assign(as(ana), { ...place, to: ana, from: null })).rejects.toMatchObject(missing);
});
