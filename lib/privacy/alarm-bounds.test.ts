import { eq } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import { type Db, db as openStore } from "@/lib/db/connection";
import { auditEvent } from "@/lib/db/tables/audit";
import { actorOf, givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { changeAlarmBounds, readAlarmBounds } from "./alarm-bounds";
import { STANDARD_BOUNDS } from "./alarm-view";
import { AlarmBoundsForm } from "./inputs";

let db: Db;
let staffId = "";

beforeEach(async () => {
  givenEnv();
  await givenStore();
  db = await openStore();
  staffId = await givenStaff(db, "admin");
});

const admin = () => actorOf("admin", staffId, "settings:manage");

it("changes the bounds, and back to the default, each with its difference on record", async () => {
  expect(await readAlarmBounds(admin())).toEqual({ version: 0, bounds: STANDARD_BOUNDS, history: [] });
  await changeAlarmBounds(admin(), { ...STANDARD_BOUNDS, perHour: 15, version: 0 });
  await changeAlarmBounds(admin(), { ...STANDARD_BOUNDS, version: 1 });
  expect(await readAlarmBounds(admin())).toMatchObject({
    version: 2,
    bounds: STANDARD_BOUNDS,
    history: [
      { version: 2, before: { perHour: 15 } },
      { version: 1, byName: "Ana Prado", before: STANDARD_BOUNDS },
    ],
  });
  const rows = await db.select().from(auditEvent).where(eq(auditEvent.code, "settings.alarm-bounds"));
  expect(rows.map(({ detail }) => detail)).toEqual([
    { version: 1, fromPerHour: 20, toPerHour: 15 },
    { version: 2, fromPerHour: 15, toPerHour: 20 },
  ]);
});

it("takes one of ten changes at once, and tells the others", async () => {
  const tried = await Promise.allSettled(
    Array.from({ length: 10 }, (_, nth) =>
      changeAlarmBounds(admin(), { ...STANDARD_BOUNDS, perHour: nth + 1, version: 0 }),
    ),
  );
  const refused = tried.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  expect(refused).toHaveLength(9);
  for (const reason of refused) expect(reason).toMatchObject({ details: { code: "setting-changed" } });
});

it("refuses a bound at its field", () => {
  const read = AlarmBoundsForm.safeParse({ ...STANDARD_BOUNDS, perHour: 0, dayFloor: 1.5, version: 0 });
  expect(read.error?.issues.map(({ path }) => path)).toEqual([["perHour"], ["dayFloor"]]);
});
