import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import type { Db } from "@/lib/db/connection";
import { healthIncident } from "@/lib/db/tables/health";
import { mailNotice } from "@/lib/db/tables/mail";
import { givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { endIncident, listIncidents, openIncident, settleIncidents } from "./incidents";

const TENANT = "aurora";
const stalled = (subject: string) => ({ tenant: TENANT, kind: "watch-stalled", subject }) as const;

let db: Db;
beforeEach(async () => {
  givenEnv({ mail: { server: new URL("smtp://127.0.0.1:1"), from: "desk@aurora.example" } });
  db = await givenStore();
});

const open = (subject: string, since?: string) =>
  db.transaction((tx) => openIncident(tx, { ...stalled(subject), ...(since !== undefined && { since }) }));
const end = (subject: string) => db.transaction((tx) => endIncident(tx, stalled(subject)));

describe("an incident", () => {
  it("is open once for each kind and subject, however many find it", async () => {
    const opened = await Promise.all(Array.from({ length: 10 }, () => open("kyc")));
    expect(opened.filter(Boolean)).toHaveLength(1);
    expect(await open("mails")).toBe(true);
    expect(await db.$count(healthIncident)).toBe(2);
  });

  it("ends once, and may begin anew", async () => {
    await open("kyc");
    const ended = await Promise.all(Array.from({ length: 10 }, () => end("kyc")));
    expect(ended.filter(Boolean)).toHaveLength(1);
    expect(await end("kyc")).toBe(false);
    expect(await open("kyc")).toBe(true);
    expect(await db.$count(healthIncident)).toBe(2);
  });

  it("queues a mail for each active administrator of the tenant alone", async () => {
    const admins = [await givenStaff(db, "admin"), await givenStaff(db, "admin", "auditor")];
    await givenStaff(db, "auditor", "compliance");
    const gone = await givenStaff(db, "admin");
    await db.execute(sql`update staff set disabled_at = clock_timestamp() where id = ${gone}::uuid`);
    await open("kyc");
    await end("kyc");
    const rows = await db.select().from(mailNotice);
    const to = (subject: string) => rows.filter((row) => row.subject === subject).map(({ staffId }) => staffId);
    expect(to("incident").toSorted()).toEqual(admins.toSorted());
    expect(to("recovered").toSorted()).toEqual(admins.toSorted());
  });

  it("goes with the transaction that found it", async () => {
    await givenStaff(db, "admin");
    const undone = db.transaction(async (tx) => {
      await openIncident(tx, stalled("kyc"));
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(await db.$count(healthIncident)).toBe(0);
    expect(await db.$count(mailNotice)).toBe(0);
  });

  it("lists open and recent ones with what is known of their mails", async () => {
    await givenStaff(db, "admin");
    await open("kyc", "2026-11-01T12:00:00.000Z");
    await open("mails");
    await end("mails");
    await db.execute(
      sql`update mail_notice set ended_at = clock_timestamp(), ended_as = 'sent' where subject = 'incident'`,
    );
    const [mails, kyc] = await listIncidents(db, TENANT);
    expect(mails).toMatchObject({ subject: "mails", endedAt: expect.any(String), mailed: 1, mailedEnd: 0, waiting: 1 });
    expect(kyc).toMatchObject({ openedAt: "2026-11-01T12:00:00.000Z", endedAt: null, mailed: 1, waiting: 0 });
    expect(await listIncidents(db, "boreal")).toEqual([]);
  });

  it("leaves the list thirty days after its end, and never while it is open", async () => {
    await open("kyc", "2020-01-01T12:00:00.000Z");
    await open("mails");
    await end("mails");
    await db.execute(sql`update health_incident set ended_at = ended_at - interval '31 days'`);
    expect(await listIncidents(db, TENANT)).toMatchObject([{ subject: "kyc" }]);
  });

  it("keeps an area's own incident open, whatever the health watch found", async () => {
    await db.execute(
      sql`insert into health_incident (tenant, kind, subject, opened_at) values (${TENANT}, 'events-missing', '', clock_timestamp())`,
    );
    await db.transaction((tx) => settleIncidents(tx, TENANT, []));
    expect(await db.select().from(healthIncident)).toMatchObject([{ wellSince: null, endedAt: null }]);
  });
});
