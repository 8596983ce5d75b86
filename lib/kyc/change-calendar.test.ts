import { eq } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import { afterBusinessHours } from "@/lib/calendar/business-hours";
import { STANDARD_CALENDAR } from "@/lib/calendar/view";
import type { Db } from "@/lib/db/connection";
import { kycCase, kycPutOff } from "@/lib/db/tables/kyc";
import { actorOf, givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { givenCase, puttingOff } from "@/test/support/kyc";
import { deadlineOf } from "./case-rules";
import { changeCaseCalendar } from "./change-calendar";
import { putOff } from "./put-off";
import { STANDARD_RULES } from "./standard-rules-view";

const FRIDAY = new Date("2026-11-27T20:00:00Z");
const HOLIDAY = { day: "2026-11-30", name: "Feriado", stopsTed: false };

let db: Db;
let staffId = "";

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  staffId = await givenStaff(db, "admin");
});

const admin = () => actorOf("admin", staffId, "settings:manage");

async function dueOf(kycUUID: string) {
  const [row] = await db.select({ dueAt: kycCase.dueAt }).from(kycCase).where(eq(kycCase.kycUUID, kycUUID));
  return row?.dueAt?.toISOString() ?? null;
}

it("counts hours of the clock, or of work where the rules say so", () => {
  const given = { slaHours: { PF: 2, PJ: 10 }, slaClock: "business" } as const;
  const at = { calendar: STANDARD_CALENDAR };
  expect(deadlineOf({ ...at, rules: STANDARD_RULES }, "PF", FRIDAY)).toMatchObject({ businessHours: null });
  expect(deadlineOf({ ...at, rules: given }, "PF", FRIDAY)).toEqual({
    dueAt: new Date("2026-11-30T13:00:00Z"),
    businessHours: 2,
  });
  expect(deadlineOf({ ...at, rules: given }, "PJ", FRIDAY)).toMatchObject({ dueAt: new Date("2026-11-30T21:00:00Z") });
});

it("moves the deadline of a case that waits by hours of work, and no other", async () => {
  const dueAt = afterBusinessHours(STANDARD_CALENDAR, FRIDAY, 2);
  const waits = { status: "PENDING", waitingSince: FRIDAY, dueAt } as const;
  const counting = await givenCase(db, { ...waits, businessHours: 2 });
  const continuous = await givenCase(db, waits);
  await changeCaseCalendar(admin(), { ...STANDARD_CALENDAR, holidays: [HOLIDAY], version: 0 });
  expect([await dueOf(counting), await dueOf(continuous)]).toEqual(["2026-12-01T13:00:00.000Z", dueAt.toISOString()]);
  await changeCaseCalendar(admin(), { ...STANDARD_CALENDAR, version: 1 });
  expect(await dueOf(counting)).toBe(dueAt.toISOString());
});

it("moves a thousand deadlines by each change", async () => {
  const waits = { status: "PENDING", waitingSince: FRIDAY, dueAt: FRIDAY, businessHours: 2 } as const;
  const first = await givenCase(db, waits);
  const [row] = await db.select().from(kycCase).where(eq(kycCase.kycUUID, first));
  if (row === undefined) throw new Error("nothing is there");
  const { seq: _seq, ...copied } = row;
  const others = Array.from({ length: 1_000 }, (_, nth) => ({ ...copied, kycUUID: `case-${nth}` }));
  await db.insert(kycCase).values(others);
  await changeCaseCalendar(admin(), { ...STANDARD_CALENDAR, holidays: [HOLIDAY], version: 0 });
  const rows = await db.select({ dueAt: kycCase.dueAt }).from(kycCase);
  expect(new Set(rows.map(({ dueAt }) => dueAt?.toISOString()))).toEqual(new Set(["2026-12-01T13:00:00.000Z"]));
});

it("changes ten times while colleagues put the same cases off, and nobody deadlocks", async () => {
  const analyst = await givenStaff(db, "compliance");
  const waits = { status: "PENDING", waitingSince: FRIDAY, dueAt: FRIDAY, businessHours: 2 } as const;
  const cases: string[] = [];
  for (let nth = 0; nth < 20; nth += 1) cases.push(await givenCase(db, { ...waits, assigneeId: analyst }));
  const changes = Array.from(
    { length: 10 },
    (_, nth) => () => changeCaseCalendar(admin(), { ...STANDARD_CALENDAR, closes: `17:0${nth}`, version: 0 }),
  );
  const putting = cases.map(
    (kycUUID) => () => putOff(actorOf("compliance", analyst, "kyc:assign"), puttingOff(kycUUID)),
  );
  const tried = await Promise.allSettled([...putting, ...changes].map((run) => run()));
  const refused = tried.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  expect(refused).toHaveLength(9);
  for (const reason of refused) expect(reason).toMatchObject({ details: { code: "calendar-changed" } });
  expect(await db.$count(kycPutOff)).toBe(20);
});
