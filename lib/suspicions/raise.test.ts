import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import type { Db } from "@/lib/db/connection";
import { auditEvent } from "@/lib/db/tables/audit";
import { kycEvent } from "@/lib/db/tables/kyc";
import { caseworkNote } from "@/lib/db/tables/notes";
import { suspicion, suspicionStep } from "@/lib/db/tables/suspicions";
import { actorOf, givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { givenCase, givenSuspicion } from "@/test/support/kyc";
import { Raising } from "./inputs";
import { raiseSuspicion } from "./raise";

let db: Db;
let ana = "";
let kycUUID = "";

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  ana = await givenStaff(db, "compliance");
  kycUUID = await givenCase(db);
});

const compliance = () => actorOf("compliance", ana, "suspicions:handle");
const raising = () => ({ suspicionId: randomUUID(), kycUUID, occurredOn: "2026-07-01", text: "Saques da Maria Lima" });

it("opens a suspicion with what was found sealed, and the case tells nothing of it", async () => {
  const order = raising();
  await raiseSuspicion(compliance(), order);
  const [stored] = await db.select().from(suspicion);
  expect(stored).toMatchObject({ id: order.suspicionId, kycUUID, state: "suspected", document: "***.456.789-**" });
  expect(JSON.stringify(await db.select().from(suspicionStep))).not.toContain("Maria");
  expect(await db.$count(kycEvent)).toBe(0);
  expect(await db.$count(caseworkNote)).toBe(0);
  const trail = await db.select().from(auditEvent);
  expect(trail).toMatchObject([{ code: "suspicion.raise", object: `suspicion:${order.suspicionId}` }]);
  expect(JSON.stringify(trail)).not.toContain(kycUUID);
});

it("opens one suspicion for ten orders at once, and answers each press alike", async () => {
  const first = raising();
  const orders = [first, first, ...Array.from({ length: 8 }, raising)];
  const settled = await Promise.allSettled(orders.map((order) => raiseSuspicion(compliance(), order)));
  expect(await db.$count(suspicion)).toBe(1);
  expect(await db.$count(suspicionStep)).toBe(1);
  expect(await db.$count(auditEvent)).toBe(1);
  const refused = settled.filter(({ status }) => status === "rejected");
  for (const one of refused) expect(one).toMatchObject({ reason: { details: { code: "suspicion-open" } } });
});

it("refuses a second one while the first is open, and a case that is not there", async () => {
  await givenSuspicion(db, ana, { kycUUID });
  const refused = raiseSuspicion(compliance(), raising());
  await expect(refused).rejects.toMatchObject({ kind: "conflict", details: { code: "suspicion-open" } });
  const unknown = raiseSuspicion(compliance(), { ...raising(), kycUUID: "nothing" });
  await expect(unknown).rejects.toMatchObject({ kind: "not-found" });
});

const read = (occurredOn: string) => Raising.safeParse({ ...raising(), occurredOn });

it("reads the day as people write it, and none that is still to come", () => {
  expect(read("01/07/2026").data?.occurredOn).toBe("2026-07-01");
  expect(read("2026-07-01").data?.occurredOn).toBe("2026-07-01");
  for (const wrong of ["01/07/2996", "31/02/2026", "", "ontem"]) expect(read(wrong).success).toBe(false);
});
