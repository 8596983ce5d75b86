import { beforeEach, describe, expect, it, vi } from "vitest";
import { getSession } from "@/lib/auth/session";
import type { Db } from "@/lib/db/connection";
import { type Finding, writeFindings } from "@/lib/provider/findings";
import { civilDaysAgo } from "@/lib/text/time";
import { sessionOf } from "@/test/support/auth";
import { givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { listCapabilities, listChanges } from "./queries";

let db: Db;
beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId: await givenStaff(db, "auditor"), roles: ["auditor"] }));
});

const HISTORY = "GET /v1/crypto/wallets/{address}/history";

const finding = (daysAgo: number, is: Finding["is"], answers: number, field = ""): Finding => ({
  tenant: "aurora",
  day: civilDaysAgo(daysAgo),
  operation: HISTORY,
  is,
  field,
  found: "",
  documented: is === "MISSING" ? "string" : "",
  answers,
  firstAt: new Date(`${civilDaysAgo(daysAgo)}T12:00:00Z`),
  lastAt: new Date(`${civilDaysAgo(daysAgo)}T13:00:00Z`),
});

describe("what the provider changed", () => {
  it("joins the days of a field, and counts it among the operation's answers", async () => {
    await writeFindings(db, [
      finding(0, "ANSWERED", 10),
      finding(0, "MISSING", 4, "data[].hash"),
      finding(1, "ANSWERED", 20),
      finding(1, "MISSING", 1, "data[].hash"),
      finding(20, "ANSWERED", 7),
      finding(20, "UNKNOWN", 7, "data[].extra"),
    ]);
    const { rows, compared } = await listChanges(14);
    expect(compared).toBe(30);
    expect(rows).toMatchObject([{ field: "data[].hash", is: "MISSING", answers: 5, of: 30 }]);
    expect(rows[0]?.days).toEqual([
      { day: civilDaysAgo(0), answers: 4, of: 10 },
      { day: civilDaysAgo(1), answers: 1, of: 20 },
    ]);
    expect(rows[0]?.lastAt).toBe(`${civilDaysAgo(0)}T13:00:00.000Z`);
    expect(rows[0]?.firstAt).toBe(`${civilDaysAgo(1)}T12:00:00.000Z`);
    expect((await listChanges(30)).rows).toHaveLength(2);
  });

  it("shows nothing of another company", async () => {
    await writeFindings(db, [{ ...finding(0, "MISSING", 4, "data[].hash"), tenant: "boreal" }]);
    expect(await listChanges(14)).toMatchObject({ rows: [], compared: 0 });
  });
});

describe("what the provider tells", () => {
  it("says of each optional part whether it was told, and when", async () => {
    await writeFindings(db, [
      finding(3, "TOLD", 2, "fee"),
      finding(0, "UNTOLD", 6, "fee"),
      finding(0, "UNTOLD", 1, "asset"),
    ]);
    const rows = await listCapabilities();
    expect(rows.find(({ name }) => name === "fee")).toEqual({
      name: "fee",
      operation: HISTORY,
      told: 2,
      of: 8,
      firstAt: `${civilDaysAgo(3)}T12:00:00.000Z`,
      lastAt: `${civilDaysAgo(3)}T13:00:00.000Z`,
    });
    expect(rows.find(({ name }) => name === "asset")).toMatchObject({ told: 0, of: 1, lastAt: null });
    expect(rows.find(({ name }) => name === "kycTotal")).toMatchObject({ told: 0, of: 0 });
  });
});
