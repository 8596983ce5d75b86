import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { getSession } from "@/lib/auth/session";
import type { Role } from "@/lib/permission/permission";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { civilDaysAgo } from "@/lib/text/time";
import { sessionOf } from "@/test/support/auth";
import { actorOf, givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { exportPosition, getPosition, listGroupLine, listLine, listParts } from "./queries";
import { PositionFilter, RateOrder } from "./inputs";
import { positionReading, positionRound, positionSum } from "@/lib/db/tables/position";
import { givenSubjects } from "@/test/support/position";
import { setRate } from "./rates";

const tenant = "aurora";
const today = civilDaysAgo(0);
const yesterday = civilDaysAgo(1);
const ether = { network: "ETHEREUM", asset: "ETH", token: "", kind: "untold", part: "available" } as const;

let db: Db;
let finance: string;

async function workAs(role: Role): Promise<string> {
  const staffId = await givenStaff(db, role);
  vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId, roles: [role] }));
  return staffId;
}

const differences = async (asked: { day: string; against: string }) =>
  (await getPosition(asked)).sums.map(({ asset, before, difference }) => [asset, before, difference]);

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  finance = await workAs("finance");
});

async function keep(day: string, amount: string | null, unread = 0): Promise<void> {
  const at = new Date();
  await db.insert(positionRound).values({ tenant, day, startedAt: at, finishedAt: at, total: 1, tried: 1, failed: 0 });
  const readings = amount === null ? 0 : 1;
  await db.insert(positionSum).values({ tenant, day, ...ether, amount, readings, unread, oldestAt: at });
}

const order = (changes: Partial<RateOrder> = {}) => {
  const { kind: _kind, part: _part, ...asset } = ether;
  const typed = { ...asset, value: "10000.5", day: yesterday, source: "PTAX" };
  return RateOrder.parse({ ...typed, ...changes });
};

const save = (changes: Partial<RateOrder> = {}) =>
  setRate(actorOf("finance", finance, "position:rate"), order(changes));

describe("the position", () => {
  it("compares the newest day with the day before", async () => {
    await keep(yesterday, "1.000000000000000001");
    await keep(today, "3");
    const { day, against, sums } = await getPosition();
    expect([day, against]).toEqual([today, yesterday]);
    expect(sums).toMatchObject([{ amount: "3", difference: "1.999999999999999999", isDifferencePartial: false }]);
  });

  it("counts what waits to be read while today has no sum, and of no other day", async () => {
    await givenSubjects(db, { accounts: 1, wallets: 2 });
    expect(await getPosition()).toMatchObject({ day: today, sums: [], listed: 3 });
    expect(await getPosition({ day: yesterday })).toMatchObject({ sums: [], listed: null });
    await keep(today, "2");
    expect((await getPosition()).listed).toBeNull();
  });

  it("shows the last read day while today's has only begun", async () => {
    await db.insert(positionRound).values({ tenant, day: today, startedAt: new Date(), total: 0, tried: 0, failed: 0 });
    expect((await getPosition()).day).toBe(today);
    await keep(yesterday, "2");
    await keep(civilDaysAgo(2), "1");
    const { day, against, sums } = await getPosition();
    expect([day, against]).toEqual([yesterday, civilDaysAgo(2)]);
    expect(sums).toMatchObject([{ amount: "2", difference: "1.00" }]);
  });

  it("shows yesterday's while today's is read, with the progress", async () => {
    await keep(yesterday, "2");
    const startedAt = new Date();
    await db.insert(positionRound).values({ tenant, day: today, startedAt, total: 28, tried: 3, failed: 0 });
    await db.insert(positionSum).values({ tenant, day: today, ...ether, amount: "1", readings: 1, unread: 27 });
    const { day, reading, sums } = await getPosition();
    expect([day, reading?.tried, reading?.total]).toEqual([yesterday, 3, 28]);
    expect(sums).toMatchObject([{ amount: "2" }]);
    expect((await getPosition({ day: today })).reading).toBeNull();
    await db.update(positionRound).set({ tried: 28, finishedAt: startedAt }).where(eq(positionRound.day, today));
    expect(await getPosition()).toMatchObject({ day: today, reading: null });
  });

  it.each([
    ["00:05", "opening"],
    ["07:40", "read"],
    ["23:59", "closing"],
  ])("says which moment of its day was read at %s: %s", async (clock, as) => {
    await keep(yesterday, "1");
    const startedAt = new Date(`${yesterday}T${clock}:00-03:00`);
    await db.update(positionRound).set({ startedAt });
    const { moment } = await getPosition();
    expect(moment).toMatchObject({ as, at: startedAt.toISOString() });
    const { parts } = await exportPosition({});
    let file = "";
    for await (const part of parts) file += part;
    expect(file).toContain(clock);
  });

  it("shows no difference when a sum is incomplete", async () => {
    await keep(yesterday, "1", 2);
    await keep(today, "3");
    expect((await getPosition()).sums).toMatchObject([{ before: "1", difference: null, isDifferencePartial: true }]);
  });

  it("calls an asset gone only once every place where it was has been read", async () => {
    await keep(yesterday, "1");
    const round = { tenant, day: today, startedAt: new Date(), total: 2, tried: 1, failed: 0 };
    await db.insert(positionRound).values(round);
    expect((await getPosition({ day: today })).sums).toMatchObject([{ asset: "ETH", amount: null, isGone: false }]);
    const blind = { ...ether, asset: "", amount: null, readings: 0, unread: 2, oldestAt: null };
    await db.insert(positionSum).values({ tenant, day: today, ...blind });
    expect((await getPosition({ day: today })).sums).toMatchObject([
      { asset: "", unread: 2 },
      { asset: "ETH", unread: 2, isGone: false, isDifferencePartial: true },
    ]);
    await db.delete(positionSum).where(eq(positionSum.day, today));
    await db.update(positionRound).set({ finishedAt: new Date() }).where(eq(positionRound.day, today));
    expect((await getPosition({ day: today })).sums).toMatchObject([
      { asset: "ETH", unread: 0, isGone: true, difference: "-1.00" },
    ]);
  });

  it("compares alike in both directions when one day lacks an asset", async () => {
    await keep(yesterday, "5");
    const only = { ...ether, asset: "USDC", token: "0xa0", amount: "17.5", readings: 1, unread: 0 };
    await keep(today, "5");
    await db.insert(positionSum).values({ tenant, day: today, ...only });
    expect(await differences({ day: today, against: yesterday })).toContainEqual(["USDC", "0", "17.50"]);
    expect(await differences({ day: yesterday, against: today })).toContainEqual(["USDC", "17.5", "-17.50"]);
    await db.update(positionSum).set({ unread: 1 }).where(eq(positionSum.day, yesterday));
    expect(await differences({ day: today, against: yesterday })).toContainEqual(["USDC", null, null]);
  });

  it("shows nothing yet for an asset that only the later day names", async () => {
    await keep(today, "1");
    const round = { tenant, day: yesterday, startedAt: new Date(), total: 2, tried: 1, failed: 0 };
    await db.insert(positionRound).values(round);
    const asked = { day: yesterday, against: today };
    expect((await getPosition(asked)).sums).toMatchObject([{ amount: null, difference: null, isGone: false }]);
    await db.update(positionRound).set({ finishedAt: new Date() }).where(eq(positionRound.day, yesterday));
    expect((await getPosition(asked)).sums).toMatchObject([
      { asset: "ETH", amount: "0", readings: 0, oldestAt: null, before: "1", difference: "-1.00", isGone: false },
    ]);
  });

  it("compares with the day before the chosen one unless another is chosen", async () => {
    const earlier = civilDaysAgo(2);
    await keep(earlier, "1");
    await keep(yesterday, "2");
    await keep(today, "3");
    const sent = { day: yesterday, against: today };
    expect((await getPosition(PositionFilter.parse({ ...sent, unchosen: today }))).against).toBe(earlier);
    expect((await getPosition(PositionFilter.parse({ ...sent, unchosen: earlier }))).against).toBe(today);
    expect((await getPosition(PositionFilter.parse(sent))).against).toBe(today);
  });

  it("shows no difference of a use that a wallet was given in between", async () => {
    await keep(yesterday, "1");
    await keep(today, "3");
    const at = new Date();
    const read = {
      tenant,
      subject: "wallet:a",
      network: "ETHEREUM",
      figures: [],
      attempts: 1,
      triedAt: at,
      readAt: at,
    };
    await db.insert(positionReading).values([
      { ...read, day: yesterday, kind: "own" },
      { ...read, day: today, kind: ether.kind },
    ]);
    expect(await differences({ day: today, against: yesterday })).toEqual([["ETH", null, null]]);
  });

  it("shows no difference to an unread sum", async () => {
    await keep(yesterday, null, 1);
    await keep(today, "3");
    expect((await getPosition()).sums).toMatchObject([{ before: null, difference: null }]);
  });

  it("draws a line through read days only", async () => {
    await keep(yesterday, null, 1);
    await keep(today, "3", 1);
    expect(await listLine({ key: ether, day: today })).toEqual([{ day: today, amount: "3", unread: 1 }]);
  });

  it("draws a group in reais at the rates of one day, without what has none", async () => {
    await keep(yesterday, "2", 1);
    await keep(today, "3");
    const coin = { ...ether, asset: "USDT", token: "0xa", amount: "9", readings: 1, unread: 4 };
    await db.insert(positionSum).values({ tenant, day: today, ...coin });
    const none = await listGroupLine({ group: "unset", day: today });
    expect(none).toEqual({ points: [], unrated: ["ETH", "USDT"], isRated: false });
    await save({ day: today, value: "2.5" });
    expect(await listGroupLine({ group: "unset", day: today })).toEqual({
      points: [
        { day: yesterday, amount: "5.00", unread: 1 },
        { day: today, amount: "7.50", unread: 0 },
      ],
      unrated: ["USDT"],
      isRated: true,
    });
    expect(await listGroupLine({ group: "own", day: today })).toEqual({ points: [], unrated: [], isRated: false });
  });

  it("ends the lines of a past day's page with that day", async () => {
    await keep(yesterday, "2");
    await keep(today, "3");
    await save({ value: "5", day: civilDaysAgo(2) });
    expect(await listLine({ key: ether, day: yesterday })).toEqual([{ day: yesterday, amount: "2", unread: 0 }]);
    expect(await listGroupLine({ group: "unset", day: yesterday })).toMatchObject({
      points: [{ day: yesterday, amount: "10.00", unread: 0 }],
    });
  });

  it("leaves out of the line of a group the days that told own accounts otherwise", async () => {
    const reais = { network: "", asset: "BRL", token: "", part: "available" as const, readings: 1, unread: 0 };
    await db.insert(positionSum).values([
      { tenant, day: yesterday, ...reais, kind: "account", amount: "100" },
      { tenant, day: today, ...reais, kind: "account", amount: "60" },
      { tenant, day: today, ...reais, kind: "own-account", amount: "40" },
    ]);
    const reaisAlone = { unrated: [], isRated: false };
    expect(await listGroupLine({ group: "customers", day: today })).toEqual({
      points: [{ day: today, amount: "60.00", unread: 0 }],
      ...reaisAlone,
    });
    expect(await listGroupLine({ group: "own", day: today })).toEqual({
      points: [{ day: today, amount: "40.00", unread: 0 }],
      ...reaisAlone,
    });
  });

  it("lists what makes a sum up, first what could not be read", async () => {
    await keep(today, "3");
    const at = new Date();
    const of = (subject: string, amount: string | null) => {
      const figures = amount === null ? null : [{ asset: "ETH", token: "", part: "available" as const, amount }];
      const place = { network: "ETHEREUM", kind: "untold", attempts: 1, triedAt: at } as const;
      return { tenant, day: today, subject, ...place, figures, readAt: amount === null ? null : at };
    };
    await db.insert(positionReading).values([of("wallet:a", "1"), of("wallet:b", "2"), of("wallet:c", null)]);
    const { rows, total } = await listParts({ key: ether, day: today, page: 1 });
    expect(total).toBe(3);
    expect(rows.map(({ subject, amount }) => [subject, amount])).toEqual([
      ["wallet:c", null],
      ["wallet:b", "2"],
      ["wallet:a", "1"],
    ]);
  });

  it("audits an export of the position", async () => {
    await keep(today, "1234.5");
    const { parts } = await exportPosition({});
    let file = "";
    for await (const part of parts) file += part;
    expect(file).toMatch(/ETHEREUM.*ETH.*1234[.,]5/);
    expect((await db.select().from(auditEvent)).map(({ code }) => code)).toContain("position.export");
  });
});

describe("a rate", () => {
  it("values a sum beside its date and source, rounded to the cent", async () => {
    await keep(today, "0.333333333333333333");
    await save();
    const [sum] = (await getPosition()).sums;
    expect(sum?.rate).toMatchObject({ value: "10000.5", day: yesterday, source: "PTAX" });
    expect(sum?.value).toBe("3333.50");
  });

  it("values nothing before a rate's day", async () => {
    await keep(civilDaysAgo(2), "1");
    await save();
    expect((await getPosition()).sums).toMatchObject([{ rate: null, value: null }]);
  });

  it("prefers the rate of the later day, whichever was typed first", async () => {
    await keep(today, "1");
    await save({ day: today, value: "2" });
    await save({ value: "1" });
    expect((await getPosition()).sums).toMatchObject([{ value: "2.00" }]);
  });
});
