import { beforeEach, expect, it } from "vitest";
import type { Db } from "@/lib/db/connection";
import { suspicion } from "@/lib/db/tables/suspicions";
import { eq } from "drizzle-orm";
import { civilDaysAgo } from "@/lib/text/time";
import { givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { givenCase, givenSuspicion } from "@/test/support/kyc";
import { readSuspicion, readSuspicions, readSuspicionsOf } from "./records";

const reader = { tenant: "aurora" };
let db: Db;
let ana = "";

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  ana = await givenStaff(db, "compliance");
});

it("lists open suspicions by their last day, with the days left", async () => {
  const later = await givenSuspicion(db, ana, { occurredOn: civilDaysAgo(10) });
  const late = await givenSuspicion(db, ana, { occurredOn: civilDaysAgo(47) });
  const analysed = await givenSuspicion(db, ana, { occurredOn: civilDaysAgo(200) });
  await db
    .update(suspicion)
    .set({ state: "analysing", enteredOn: civilDaysAgo(30) })
    .where(eq(suspicion.id, analysed));
  const { rows, counts } = await readSuspicions(reader, { view: "due", page: 1 });
  expect(rows.map(({ id, daysLeft }) => [id, daysLeft])).toEqual([
    [late, -2],
    [analysed, 15],
    [later, 35],
  ]);
  expect(counts).toEqual({ due: 3, reported: 0, dismissed: 0 });
});

it("pages what has ended, newest first, and counts each view", async () => {
  for (let nth = 0; nth < 27; nth += 1) await givenSuspicion(db, ana);
  await db.update(suspicion).set({ state: "dismissed" });
  const open = await givenSuspicion(db, ana);
  const second = await readSuspicions(reader, { view: "dismissed", page: 2 });
  expect(second).toMatchObject({ page: 2, totalPages: 2, counts: { due: 1, dismissed: 27 } });
  expect(second.rows).toHaveLength(2);
  expect((await readSuspicions(reader, { view: "due", page: 9 })).rows).toMatchObject([{ id: open }]);
});

it("masks documents in what was written, and tells another tenant nothing", async () => {
  const kycUUID = await givenCase(db);
  const id = await givenSuspicion(db, ana, { kycUUID, text: "CPF 529.982.247-25 recebeu" });
  const found = await readSuspicion(reader, id);
  expect(found?.steps).toMatchObject([{ text: "CPF ***.982.247-** recebeu", state: "suspected" }]);
  expect(await readSuspicionsOf(reader, kycUUID)).toMatchObject([{ id }]);
  expect(await readSuspicion({ tenant: "boreal" }, id)).toBeNull();
  expect(await readSuspicionsOf({ tenant: "boreal" }, kycUUID)).toEqual([]);
  expect(await readSuspicion(reader, "nothing")).toBeNull();
});
