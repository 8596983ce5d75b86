import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Db } from "@/lib/db/connection";
import { auditEvent } from "@/lib/db/tables/audit";
import { receiverDrill } from "@/lib/db/tables/webhooks";
import { actorOf, givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { endEarlierDrills } from "./drill";
import { ScenarioRequest } from "./inputs";
import { play } from "./play";
import { asleepUntil } from "./receiver";

let db: Db;
let staffId = "";

beforeEach(async () => {
  globalThis.retaguardaSleepers = undefined;
  givenEnv({ lab: { baseUrl: "http://127.0.0.1:1", token: "of nobody" } });
  db = await givenStore();
  staffId = await givenStaff(db, "admin");
});
afterEach(() => {
  globalThis.retaguardaSleepers = undefined;
});

const playing = (scenario: string, values: Record<string, string> = {}) =>
  play(actorOf("admin", staffId, "settings:manage"), ScenarioRequest.parse({ scenario, values }));
const sleeping = (who = staffId) =>
  play(
    actorOf("admin", who, "settings:manage"),
    ScenarioRequest.parse({ scenario: "sleep-receiver", values: { seconds: "60" } }),
  );
const rows = () => db.select().from(receiverDrill);

describe("a drill of the receiver", () => {
  it("sleeps for its seconds, on record, and once at a time", async () => {
    vi.spyOn(Date, "now").mockReturnValue(Date.parse("2026-03-02T12:00:00Z"));
    await playing("sleep-receiver", { seconds: "60" });
    expect(asleepUntil("aurora")).toBe(Date.parse("2026-03-02T12:01:00Z"));
    await expect(playing("sleep-receiver", { seconds: "60" })).rejects.toMatchObject({ kind: "conflict" });
    const [drill, ...others] = await rows();
    expect(others).toEqual([]);
    expect(drill).toMatchObject({ tenant: "aurora", staffId, endedAt: null, endedBy: null });
    expect((drill?.untilAt.getTime() ?? 0) - (drill?.beganAt.getTime() ?? 0)).toBe(60_000);
    expect((await db.select().from(auditEvent)).map(({ code }) => code)).toContain("lab.play");
  });

  it("begins once of ten at once, by two people", async () => {
    const others = await givenStaff(db, "admin");
    const ten = Array.from({ length: 10 }, (_, nth) => sleeping(nth % 2 === 0 ? staffId : others));
    const settled = await Promise.allSettled(ten);
    const refused = settled.filter(({ status }) => status === "rejected");
    expect(refused).toHaveLength(9);
    for (const one of refused) expect(one).toMatchObject({ reason: { kind: "conflict" } });
    expect(await rows()).toMatchObject([{ endedAt: null }]);
    expect(asleepUntil("aurora")).not.toBeNull();
  });

  it("is asleep exactly while its row is open, however begins and ends meet", async () => {
    for (let round = 0; round < 10; round += 1) {
      await Promise.allSettled([sleeping(), playing("end-sleep"), sleeping(), playing("end-sleep")]);
      const open = (await rows()).filter(({ endedAt }) => endedAt === null);
      expect(open).toHaveLength(asleepUntil("aurora") === null ? 0 : 1);
    }
    await Promise.all([playing("end-sleep"), playing("end-sleep")]);
    expect((await rows()).map(({ endedBy }) => endedBy)).not.toContain(null);
    expect(asleepUntil("aurora")).toBeNull();
  });

  it("ends when somebody says so", async () => {
    await playing("sleep-receiver", { seconds: "60" });
    await playing("end-sleep");
    expect(asleepUntil("aurora")).toBeNull();
    expect(await rows()).toMatchObject([{ endedAt: expect.any(Date), endedBy: "person" }]);
  });

  it("has ended once the console starts anew, and one that was over stays as it was", async () => {
    await playing("sleep-receiver", { seconds: "60" });
    const long = new Date("2026-01-01T00:00:00Z");
    await db
      .insert(receiverDrill)
      .values({ tenant: "aurora", id: randomUUID(), staffId, beganAt: long, untilAt: long });
    globalThis.retaguardaSleepers = undefined;
    await endEarlierDrills(db, "boreal");
    expect((await rows()).map(({ endedBy }) => endedBy)).toEqual([null, null]);
    await endEarlierDrills(db, "aurora");
    const ends = (await rows()).map(({ untilAt, endedBy }) => [untilAt > long, endedBy]);
    expect(ends).toEqual(
      expect.arrayContaining([
        [true, "restart"],
        [false, null],
      ]),
    );
    expect(asleepUntil("aurora")).toBeNull();
  });

  it("does not sleep where the drill could not be kept", async () => {
    const nobody = actorOf("admin", randomUUID(), "settings:manage");
    const { request } = ScenarioRequest.parse({ scenario: "sleep-receiver", values: { seconds: "60" } });
    const act = await request(nobody);
    await expect("here" in act ? act.here() : undefined).rejects.toThrow("Failed query");
    expect(asleepUntil("aurora")).toBeNull();
  });
});
