import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { watchActor } from "@/lib/permission/grant";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { actorOf, givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { recordAccess } from "./access-log";
import { customerAccess } from "@/lib/db/tables/privacy";

let db: Db;
let ana = "";
beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  ana = await givenStaff(db, "support");
});

const reader = (id = ana) => actorOf("support", id, "accounts:read");
const onRecord = () => db.select().from(auditEvent).orderBy(auditEvent.seq);

/** Moves stored looks into the past. */
const pass = async (minutes: number) => {
  const by = sql`${minutes} * interval '1 minute'`;
  await db
    .update(customerAccess)
    .set({ recordedAt: sql`${customerAccess.recordedAt} - ${by}`, seenAt: sql`${customerAccess.seenAt} - ${by}` });
};

describe("a look at a customer", () => {
  it("audits who looked at which customer", async () => {
    await recordAccess(reader(), "account:7");
    expect(await onRecord()).toMatchObject([
      { tenant: "aurora", actor: ana, code: "customer.view", outcome: "DONE", object: "account:7", detail: {} },
    ]);
  });

  it("audits one look however often the page re-renders", async () => {
    for (let minute = 0; minute < 20; minute += 4) {
      await recordAccess(reader(), "account:7");
      await pass(4);
    }
    expect(await onRecord()).toHaveLength(1);
  });

  it("audits a look again after five minutes away, and hourly on an open page", async () => {
    await recordAccess(reader(), "account:7");
    await pass(6);
    await recordAccess(reader(), "account:7");
    expect(await onRecord()).toHaveLength(2);
    for (let minute = 0; minute < 64; minute += 4) {
      await pass(4);
      await recordAccess(reader(), "account:7");
    }
    expect(await onRecord()).toHaveLength(3);
  });

  it("audits a look for each person and each record separately", async () => {
    const rui = await givenStaff(db, "support");
    await recordAccess(reader(), "account:7");
    await recordAccess(reader(rui), "account:7");
    await recordAccess(reader(), "onboarding:7");
    expect(await onRecord()).toHaveLength(3);
  });

  it("audits one look when two windows open the same page together", async () => {
    await Promise.all([
      recordAccess(reader(), "kyc:7"),
      recordAccess(reader(), "kyc:7"),
      recordAccess(reader(), "kyc:7"),
    ]);
    expect(await onRecord()).toHaveLength(1);
  });

  it("audits no look for a watch's read", async () => {
    await recordAccess(watchActor("kyc", "aurora", "kyc:read"), "kyc:7");
    expect(await onRecord()).toEqual([]);
  });
});
