import { eq } from "drizzle-orm";
import { beforeEach, expect, it, vi } from "vitest";
import { getSession } from "@/lib/auth/session";
import type { Db } from "@/lib/db/connection";
import { auditEvent } from "@/lib/db/tables/audit";
import { sessionOf } from "@/test/support/auth";
import { actorOf, givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { calendarOf, changeCalendar } from "./calendar";
import { CalendarForm } from "./inputs";
import { getCalendar } from "./queries";
import { STANDARD_CALENDAR } from "./view";

const HOLIDAY = { day: "2026-07-09", name: "Revolução de 1932", stopsTed: false };

let db: Db;
let staffId = "";

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  staffId = await givenStaff(db, "admin");
});

const form = (changes: Partial<CalendarForm> = {}): CalendarForm => ({ ...STANDARD_CALENDAR, version: 0, ...changes });
const changing = (changes: Partial<CalendarForm>) =>
  db.transaction((tx) =>
    changeCalendar(tx, actorOf("admin", staffId, "settings:manage"), form(changes), async () => {}),
  );

it("starts with the standard calendar, and keeps each change with its author", async () => {
  expect(await calendarOf(db, "aurora")).toEqual({ version: 0, calendar: STANDARD_CALENDAR });
  await changing({ holidays: [HOLIDAY] });
  await changing({ closes: "17:00", version: 1 });
  expect(await calendarOf(db, "aurora")).toMatchObject({ version: 2, calendar: { closes: "17:00", holidays: [] } });
  expect(await calendarOf(db, "boreal")).toMatchObject({ version: 0 });
  vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId, roles: ["admin"] }));
  const { history, national } = await getCalendar();
  expect(history.map(({ changes }) => changes)).toEqual([
    [
      { part: "closes", before: "18:00", after: "17:00" },
      { part: "holiday", day: HOLIDAY.day, before: HOLIDAY.name, after: null },
    ],
    [{ part: "holiday", day: HOLIDAY.day, before: null, after: HOLIDAY.name }],
  ]);
  expect(national.some(({ name }) => name === "christmas")).toBe(true);
});

it("puts a change on record with what was before and after", async () => {
  await changing({ tedCloses: "16:30", holidays: [HOLIDAY] });
  const [row] = await db.select().from(auditEvent).where(eq(auditEvent.code, "settings.calendar"));
  const detail = { version: 1, fromTedCloses: "17:00", toTedCloses: "16:30", holidaysSet: HOLIDAY.day };
  expect(row).toMatchObject({ object: "calendar:business", outcome: "DONE", detail });
});

it("puts a change on record after what follows it", async () => {
  const actor = actorOf("admin", staffId, "settings:manage");
  const recorded: number[] = [];
  await db.transaction((tx) =>
    changeCalendar(tx, actor, form({ closes: "17:00" }), async () => {
      recorded.push(await tx.$count(auditEvent));
    }),
  );
  expect([...recorded, await db.$count(auditEvent)]).toEqual([0, 1]);
});

it("takes one of ten concurrent changes from the same version", async () => {
  const tried = await Promise.allSettled(Array.from({ length: 10 }, (_, nth) => changing({ closes: `17:0${nth}` })));
  expect(tried.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await calendarOf(db, "aurora")).toMatchObject({ version: 1 });
});

it("answers a form sent twice alike, and a colleague's older one with a conflict", async () => {
  const first = await changing({ closes: "17:00" });
  expect(await changing({ closes: "17:00" })).toEqual(first);
  await expect(changing({ closes: "16:00" })).rejects.toMatchObject({ details: { code: "calendar-changed" } });
});

it.each<[string, Partial<CalendarForm>, string]>([
  ["hours that end before they begin", { opens: "18:00", closes: "09:00" }, "closes"],
  ["a TED window of no length", { tedOpens: "10:00", tedCloses: "10:00" }, "tedCloses"],
  ["a day typed twice", { holidays: [HOLIDAY, HOLIDAY] }, "holidays.1.day"],
  ["a day that does not exist", { holidays: [{ ...HOLIDAY, day: "2026-02-30" }] }, "holidays.0.day"],
  ["a holiday without a name", { holidays: [{ ...HOLIDAY, name: " " }] }, "holidays.0.name"],
  ["a time that does not exist", { opens: "24:00" }, "opens"],
])("refuses %s at its field", (_what, changes, path) => {
  const { error } = CalendarForm.safeParse(form(changes));
  expect(error?.issues.map((issue) => issue.path.join("."))).toContain(path);
});
