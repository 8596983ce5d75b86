import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { type Db, db as openStore } from "@/lib/db/connection";
import { auditEvent } from "@/lib/db/tables/audit";
import { mailNotice } from "@/lib/db/tables/mail";
import { reveal, revealAlarm } from "@/lib/db/tables/privacy";
import { tenantSetting } from "@/lib/db/tables/settings";
import { actorOf, givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { recordAll } from "@/lib/audit/record";
import { holdLock } from "@/lib/db/lock";
import { type AlarmBounds, STANDARD_BOUNDS } from "./alarm-view";
import { endAlarm, excessOf, listAlarms, openAlarm, takeAlarm } from "./reveal-alarms";

let db: Db;
let ana = "";
let rui = "";

beforeEach(async () => {
  givenEnv({ mail: { server: new URL("smtp://127.0.0.1:1"), from: "desk@aurora.example" } });
  await givenStore();
  db = await openStore();
  ana = await givenStaff(db, "support", "admin");
  rui = await givenStaff(db, "admin");
});

const manager = (id: string) => actorOf("admin", id, "staff:manage");

async function givenReveals(times: number, ago: string, tenant = "aurora"): Promise<void> {
  const createdAt = sql`clock_timestamp() - ${ago}::interval`;
  const why = { object: "account:1", reason: "service", noteSealed: "x" } as const;
  const rows = Array.from({ length: times }, () => ({ id: randomUUID(), tenant, actor: ana, createdAt, ...why }));
  await db.insert(reveal).values(rows);
}

const givenBounds = (change: Partial<AlarmBounds>) =>
  db.insert(tenantSetting).values({
    tenant: "aurora",
    name: "alarm-bounds",
    version: 1,
    value: { ...STANDARD_BOUNDS, ...change },
    actor: "command",
    createdAt: new Date(),
  });

const revealsOnce = () =>
  db.transaction(async (tx) => {
    await holdLock(tx, `reveal aurora ${ana}`);
    await recordAll(tx, await openAlarm(tx, { tenant: "aurora", id: ana }));
  });
const alarms = () => listAlarms(db, { tenant: "aurora", id: rui });

describe("the bounds", () => {
  it.each([
    [{ hour: 20, day: 20, median: 0 }, null],
    [
      { hour: 21, day: 21, median: 0 },
      { cause: "hour", reveals: 21, bound: 20 },
    ],
    [{ hour: 1, day: 40, median: 0 }, null],
    [
      { hour: 1, day: 41, median: 0 },
      { cause: "day", reveals: 41, bound: 40 },
    ],
    [{ hour: 1, day: 41, median: 14.5 }, null],
    [
      { hour: 1, day: 45, median: 14.5 },
      { cause: "day", reveals: 45, bound: 44 },
    ],
  ])("make of %j: %j", (counted, excess) => {
    expect(excessOf(counted, STANDARD_BOUNDS)).toEqual(excess);
  });
});

describe("an alarm", () => {
  it("opens once beyond the bound of an hour, and is mailed to other administrators", async () => {
    await givenReveals(20, "5 minutes");
    await givenReveals(30, "25 hours");
    await givenReveals(30, "5 minutes", "boreal");
    await revealsOnce();
    expect(await alarms()).toEqual([]);
    await givenReveals(1, "1 minute");
    await Promise.all(Array.from({ length: 10 }, revealsOnce));
    expect(await alarms()).toMatchObject([{ staffId: ana, cause: "hour", reveals: 21, bound: 20, ownerId: null }]);
    const [opened] = await db.select().from(auditEvent).where(eq(auditEvent.code, "alarm.open"));
    expect(opened).toMatchObject({ actor: ana, detail: { within: "hour", reveals: 21, bound: 20 } });
    const mails = await db.select().from(mailNotice);
    expect(mails.map(({ staffId, subject }) => [staffId, subject])).toEqual([[rui, "alarm"]]);
  });

  it("holds to the bounds that the tenant chose", async () => {
    await givenBounds({ perHour: 2 });
    await givenReveals(3, "1 minute");
    await revealsOnce();
    expect(await alarms()).toMatchObject([{ reveals: 3, bound: 2 }]);
  });

  it("measures a day by the person's own median", async () => {
    await givenBounds({ perHour: 1_000 });
    for (const days of [2, 3, 4]) await givenReveals(30, `${days} days`);
    await givenReveals(10, "5 days");
    await givenReveals(90, "1 second");
    await revealsOnce();
    expect(await alarms()).toEqual([]);
    await givenReveals(1, "1 second");
    await revealsOnce();
    expect(await alarms()).toMatchObject([{ cause: "day", reveals: 91, bound: 90 }]);
  });

  it("has an owner, ends with a note, and counts anew from its end", async () => {
    await givenReveals(21, "5 minutes");
    await revealsOnce();
    const [alarm] = await alarms();
    const alarmId = alarm?.id ?? "";
    await takeAlarm(manager(rui), { alarmId, seen: null });
    expect(await alarms()).toMatchObject([{ ownerId: rui, isMine: true, endedAt: null }]);
    await endAlarm(manager(rui), { alarmId, note: "Informe de rendimentos, combinado com Lia" });
    expect(await alarms()).toMatchObject([
      { note: "Informe de rendimentos, combinado com Lia", endedByName: "Ana Prado", ownerId: rui },
    ]);
    expect(JSON.stringify(await db.select().from(auditEvent))).not.toContain("Lia");
    expect(JSON.stringify(await db.select().from(revealAlarm))).not.toContain("Lia");
    await revealsOnce();
    expect(await alarms()).toHaveLength(1);
  });

  it("is neither taken nor ended by whose reveals they are", async () => {
    await givenReveals(21, "5 minutes");
    await revealsOnce();
    const [alarm] = await listAlarms(db, { tenant: "aurora", id: ana });
    expect(alarm).toMatchObject({ isOwn: true });
    const alarmId = alarm?.id ?? "";
    const own = { details: { code: "own-alarm" } };
    await expect(takeAlarm(manager(ana), { alarmId, seen: null })).rejects.toMatchObject(own);
    await expect(endAlarm(manager(ana), { alarmId, note: "Nada" })).rejects.toMatchObject(own);
    expect(await alarms()).toMatchObject([{ ownerId: null, endedAt: null }]);
  });

  it("is taken by one of ten administrators, and ended by one of ten", async () => {
    await givenReveals(21, "5 minutes");
    await revealsOnce();
    const [alarm] = await alarms();
    const alarmId = alarm?.id ?? "";
    const admins: string[] = [];
    for (let nth = 0; nth < 10; nth += 1) admins.push(await givenStaff(db, "admin"));
    const taken = await Promise.allSettled(admins.map((id) => takeAlarm(manager(id), { alarmId, seen: null })));
    expect(taken.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const ended = await Promise.allSettled(admins.map((id) => endAlarm(manager(id), { alarmId, note: "Conferido" })));
    expect(ended.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await db.$count(auditEvent, eq(auditEvent.code, "alarm.end"))).toBe(1);
  });
});
