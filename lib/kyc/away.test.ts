import { eq, isNotNull, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { staffMembership } from "@/lib/db/tables/auth";
import { kycCase, kycEvent } from "@/lib/db/tables/kyc";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { actorOf, givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { civilMinute } from "@/lib/text/time";
import { Leaving, releaseOrphans, setAway } from "./away";
import { readAssignees } from "./assignees";
import { givenCase } from "@/test/support/kyc";

let db: Db;
let ana = "";

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  ana = await givenStaff(db, "compliance");
});

const HOUR_MS = 3_600_000;
const minuteIn = (hours: number) => civilMinute(new Date(Date.now() + hours * HOUR_MS));
const leave = (until: string | null, releases = false) =>
  setAway(actorOf("compliance", ana, "kyc:assign"), { until, releases });
const holders = async () => (await db.select().from(kycCase).orderBy(kycCase.seq)).map(({ assigneeId }) => assigneeId);
const records = async () =>
  (await db.select().from(auditEvent).orderBy(auditEvent.seq)).map(({ code, actor, detail }) => ({
    code,
    actor,
    detail,
  }));

describe("somebody who is away", () => {
  it("shows a person as away until the chosen minute, São Paulo time", async () => {
    const minute = minuteIn(20);
    const { until } = await leave(minute);
    expect(civilMinute(new Date(until ?? 0))).toBe(minute);
    expect(await readAssignees(db, "aurora")).toEqual([{ id: ana, name: "Ana Prado", awayUntil: until }]);
    expect(await readAssignees(db, "boreal")).toEqual([]);
  });

  it("lets a person change the end of an absence or return early", async () => {
    await leave(minuteIn(20));
    const { until } = await leave(minuteIn(2));
    await leave(null);
    await leave(null);
    expect(await readAssignees(db, "aurora")).toMatchObject([{ awayUntil: null }]);
    expect(await records()).toMatchObject([
      { code: "kyc.away", detail: { before: null } },
      { code: "kyc.away", detail: { after: until } },
      { code: "kyc.away", detail: { before: until, after: null } },
    ]);
  });

  it("keeps an absent person's cases unless they release the open ones", async () => {
    await givenCase(db, { assigneeId: ana });
    await givenCase(db, { assigneeId: ana, status: "PROCESSING" });
    await givenCase(db, { assigneeId: ana, status: "APPROVED", decidedAt: new Date() });
    expect(await leave(minuteIn(20))).toMatchObject({ released: 0 });
    expect(await holders()).toEqual([ana, ana, ana]);
    expect(await leave(minuteIn(20), true)).toMatchObject({ released: 2 });
    expect(await holders()).toEqual([null, null, ana]);
    expect(await db.select().from(kycEvent)).toMatchObject([
      { kind: "released", actor: ana, detail: { from: ana } },
      { kind: "released", actor: ana, detail: { from: ana } },
    ]);
  });

  it("releases many cases in batches, each audited", async () => {
    await db.execute(sql`insert into kyc_case
      (tenant, kyc_uuid, vat_number, kyc_type, process, status, first_seen_at, changed_at, seen_at, assignee_id)
      select 'aurora', 'case-' || n, '***', 'PF', 'kyc-backgroundcheck', 'PENDING', now(), now(), now(), ${ana}::uuid
      from generate_series(1, 250) n`);
    expect(await leave(minuteIn(20), true)).toMatchObject({ released: 250 });
    expect(await db.$count(kycCase, isNotNull(kycCase.assigneeId))).toBe(0);
    expect(await records()).toMatchObject([
      { code: "kyc.away", actor: ana, detail: { released: 200 } },
      { code: "kyc.release", actor: ana, detail: { formerHolder: ana, released: 50 } },
    ]);
  });
});

it.each([
  ["in the past", () => minuteIn(-1)],
  ["more than a year ahead", () => minuteIn(24 * 400)],
  ["that is none", () => "2026-13-40T99:00"],
])("refuses the time %s", (_, minute) => {
  expect(Leaving.safeParse({ until: minute(), releases: false }).success).toBe(false);
});

const sweep = () => releaseOrphans(db, { id: "watch:kyc", tenant: "aurora" });

describe("cases of somebody who decides no longer", () => {
  it("returns a former decider's open cases to the queue, on record", async () => {
    const bruna = await givenStaff(db, "compliance");
    await givenCase(db, { assigneeId: ana });
    await givenCase(db, { assigneeId: ana, status: "REPROVED", decidedAt: new Date() });
    await givenCase(db, { assigneeId: bruna });
    await db.update(staffMembership).set({ disabledAt: new Date() }).where(eq(staffMembership.staffId, ana));
    await sweep();
    await sweep();
    expect(await holders()).toEqual([null, ana, bruna]);
    expect(await records()).toEqual([
      { code: "kyc.release", actor: "watch:kyc", detail: { formerHolder: ana, released: 1 } },
    ]);
  });

  it("keeps the cases of a person who still decides", async () => {
    await givenCase(db, { assigneeId: ana });
    await sweep();
    expect(await holders()).toEqual([ana]);
    expect(await records()).toEqual([]);
  });
});
