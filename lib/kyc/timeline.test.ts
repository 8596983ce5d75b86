import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { givenApproval } from "@/test/support/approvals";
import { givenOnboarding } from "@/test/support/privacy";
import type { Db } from "@/lib/db/connection";
import { actorOf, givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { noteCaseEvents } from "./events";
import { kycEvent } from "@/lib/db/tables/kyc";
import { givenCase, givenStarted } from "@/test/support/kyc";
import { readCaseTimeline, type TimelineAsked } from "./read-case";

const CPF = "52998224725";
const tenant = "aurora";

let db: Db;
let ana = "";
let kycUUID = "";
beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  ana = await givenStaff(db, "compliance");
  kycUUID = await givenCase(db);
});

const read = async (asked: Partial<TimelineAsked> = {}) => {
  const reader = actorOf("compliance", ana, "kyc:read");
  const timeline = await readCaseTimeline(reader, kycUUID, { show: "all", before: null, ...asked });
  return { kinds: timeline?.entries.map(({ kind }) => kind) ?? [], ...timeline };
};
const moved = { tenant, kind: "moved", actor: null, detail: { from: "PROCESSING", to: "PENDING" } } as const;

describe("the timeline of a case", () => {
  it("shows people's and the provider's acts, newest first, and their targets", async () => {
    const rui = await givenStaff(db, "compliance");
    await noteCaseEvents(db, [{ ...moved, kycUUID }]);
    await noteCaseEvents(db, [{ tenant, kycUUID, kind: "assigned", actor: ana, detail: { to: rui } }]);
    const { entries } = await read();
    expect(entries).toMatchObject([
      { kind: "assigned", byName: "Ana Prado", isMine: true, otherName: "Ana Prado", detail: { to: rui } },
      { kind: "moved", byName: null, isMine: false, otherName: null },
    ]);
    expect((await read({ show: "people" })).kinds).toEqual(["assigned"]);
    expect((await read({ show: "provider" })).kinds).toEqual(["moved"]);
  });

  it("continues a timeline after the last part without loss or repetition", async () => {
    await noteCaseEvents(
      db,
      Array.from({ length: 95 }, () => ({ ...moved, kycUUID })),
    );
    await db.update(kycEvent).set({ at: sql`date_trunc('second', ${kycEvent.at})` });
    const keys: string[] = [];
    let before: string | null = null;
    const sizes: number[] = [];
    do {
      const part = await read({ before });
      keys.push(...(part.entries ?? []).map(({ key }) => key));
      sizes.push(part.entries?.length ?? 0);
      before = part.older ?? null;
    } while (before !== null);
    expect(sizes).toEqual([40, 40, 15]);
    expect(new Set(keys).size).toBe(95);
    expect(keys).toEqual(keys.toSorted().toReversed());
  });

  it("restarts a timeline for an invented cursor", async () => {
    await noteCaseEvents(db, [{ ...moved, kycUUID }]);
    for (const before of ["", "x", "1.e' or true", "99999999999999999999.e1"]) {
      expect((await read({ before })).kinds).toEqual(["moved"]);
    }
  });

  it("shows proposals about a case", async () => {
    await givenApproval(db, { tenant, id: randomUUID(), makerId: ana, headline: "x" });
    await db.execute(sql`alter table approval disable trigger all`);
    await db.execute(sql`update approval set object = ${`kyc:${kycUUID}`}`);
    expect((await read()).kinds).toEqual(["proposed"]);
    await db.execute(sql`update approval set state = 'EXPIRED', ended_at = clock_timestamp()`);
    await db.execute(sql`alter table approval enable trigger all`);
    expect((await read()).kinds).toEqual(["proposal-expired", "proposed"]);
  });

  it("shows the same person's onboardings for a case started here", async () => {
    const id = await givenOnboarding(db, CPF);
    await givenOnboarding(db, "39053344705");
    expect((await read()).kinds).toEqual([]);
    await givenStarted(db, ana, { kycUUID, document: CPF });
    expect((await read()).entries).toMatchObject([{ kind: "onboarding-seen", detail: { onboarding: id } }]);
  });

  it("hides another tenant's case like an unknown one", async () => {
    await noteCaseEvents(db, [{ ...moved, kycUUID: "7", tenant: "boreal" }]);
    const reader = actorOf("compliance", ana, "kyc:read");
    for (const id of ["7", "none", "\u0000"]) {
      expect(await readCaseTimeline(reader, id, { show: "all", before: null })).toBeNull();
    }
  });
});
