import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import type { Db } from "@/lib/db/connection";
import { SUSPICION_STATES, type SuspicionState } from "@/lib/db/enums/suspicions";
import { auditEvent } from "@/lib/db/tables/audit";
import { liveEvent } from "@/lib/db/tables/live";
import { suspicion, suspicionStep } from "@/lib/db/tables/suspicions";
import { ROLES } from "@/lib/permission/permission";
import { topicScopeOf } from "@/lib/permission/topics";
import { actorOf, givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { givenSuspicion } from "@/test/support/kyc";
import { Moving } from "./inputs";
import { moveSuspicion } from "./move";
import { readSuspicion } from "./records";
import { NEXT_STATES } from "./view";

let db: Db;
let ana = "";
let id = "";
let last = "";

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  ana = await givenStaff(db, "compliance");
  id = await givenSuspicion(db, ana);
  last = id;
});

const compliance = () => actorOf("compliance", ana, "suspicions:handle");
const stepTo = (to: SuspicionState, seen = last) =>
  Moving.parse({
    suspicionId: id,
    stepId: randomUUID(),
    seen,
    to,
    text: "Saques da Maria Lima",
    ...(to === "reported" && { reportNumber: "2026-000417", reportedOn: "02/07/2026" }),
  });

async function move(to: SuspicionState): Promise<void> {
  const order = stepTo(to);
  await moveSuspicion(compliance(), order);
  last = order.stepId;
}

const stateOf = async () => (await readSuspicion({ tenant: "aurora" }, id))?.row;

it("goes from suspected to reported with number and date, each step on record", async () => {
  for (const to of ["analysing", "to-report", "reported"] as const) await move(to);
  expect(await stateOf()).toMatchObject({
    state: "reported",
    reportNumber: "2026-000417",
    reportedOn: "2026-07-02",
    dueOn: null,
    daysLeft: null,
  });
  const found = await readSuspicion({ tenant: "aurora" }, id);
  expect(found?.steps.map(({ state }) => state)).toEqual(["suspected", "analysing", "to-report", "reported"]);
  expect(found?.version).toBe(last);
  const codes = (await db.select().from(auditEvent).orderBy(auditEvent.seq)).map(({ code }) => code);
  expect(codes).toEqual(["suspicion.raise", "suspicion.move", "suspicion.move", "suspicion.move"]);
});

it("takes only the steps that follow, from every state", async () => {
  const ways: Readonly<Record<SuspicionState, readonly SuspicionState[]>> = {
    suspected: [],
    analysing: ["analysing"],
    "to-report": ["analysing", "to-report"],
    reported: ["analysing", "to-report", "reported"],
    dismissed: ["dismissed"],
  };
  for (const from of SUSPICION_STATES) {
    id = await givenSuspicion(db, ana);
    last = id;
    for (const to of ways[from]) await move(to);
    for (const to of SUSPICION_STATES) {
      if (to === from || NEXT_STATES[from].includes(to)) continue;
      await expect(moveSuspicion(compliance(), stepTo(to))).rejects.toMatchObject({
        details: { code: "suspicion-step" },
      });
    }
    expect((await stateOf())?.state).toBe(from);
  }
});

it("keeps the clock of a state that only got a note, and corrects a report's number", async () => {
  await db.update(suspicion).set({ enteredOn: "2026-07-09" });
  await move("suspected");
  expect(await stateOf()).toMatchObject({ state: "suspected", enteredOn: "2026-07-09", dueOn: "2026-08-15" });
  for (const to of ["analysing", "to-report", "reported"] as const) await move(to);
  const corrected = stepTo("reported");
  await moveSuspicion(compliance(), corrected.to === "reported" ? { ...corrected, reportNumber: "418" } : corrected);
  expect(await stateOf()).toMatchObject({ state: "reported", reportNumber: "418" });
});

it("takes one of two people's ten steps at once, and the same press once", async () => {
  const bruna = actorOf("compliance", await givenStaff(db, "compliance"), "suspicions:handle");
  const orders = Array.from({ length: 5 }, () => [stepTo("analysing"), stepTo("dismissed")]).flat();
  const [first = stepTo("analysing")] = orders;
  const settled = await Promise.allSettled(
    [...orders, first].map((order, nth) => moveSuspicion(nth % 2 === 0 ? compliance() : bruna, order)),
  );
  expect(await db.$count(suspicionStep)).toBe(2);
  const refused = settled.filter(({ status }) => status === "rejected");
  expect(refused.length).toBeGreaterThanOrEqual(9);
  for (const one of refused) expect(one).toMatchObject({ reason: { details: { code: "suspicion-changed" } } });
});

it("refuses an unseen step, a report without its data, and another tenant's", async () => {
  await move("analysing");
  await expect(moveSuspicion(compliance(), stepTo("to-report", id))).rejects.toMatchObject({
    details: { code: "suspicion-changed" },
  });
  const bare = { suspicionId: id, stepId: randomUUID(), seen: last, to: "reported", text: "ok" };
  expect(Moving.safeParse(bare).success).toBe(false);
  expect(Moving.safeParse({ ...bare, reportNumber: "1", reportedOn: "01/01/2999" }).success).toBe(false);
  const elsewhere = actorOf("compliance", ana, "suspicions:handle", "boreal");
  await expect(moveSuspicion(elsewhere, stepTo("to-report"))).rejects.toMatchObject({ kind: "not-found" });
});

it("is followed by compliance alone, and no other topic tells of it", async () => {
  await move("analysing");
  await move("dismissed");
  const topics = (await db.select().from(liveEvent)).map(({ topic }) => topic);
  expect(topics).toEqual(["suspicions", "suspicions", "suspicions"]);
  const followers = ROLES.filter((role) =>
    topicScopeOf({ tenant: "aurora", roles: [role] }).topics.includes("suspicions"),
  );
  expect(followers).toEqual(["compliance"]);
});
