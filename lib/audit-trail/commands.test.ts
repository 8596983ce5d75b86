import { mkdtempSync, renameSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { beforeEach, expect, it, vi, onTestFinished } from "vitest";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { givenEnv, givenStore } from "@/test/support/console";
import { readCheck } from "./check";
import { verifyRecord } from "./commands";
import { publicKeyText, signingKey } from "@/lib/audit/head";
import { givenHeads, givenRows, tamper, TENANT } from "@/test/support/audit";
import { record } from "@/lib/audit/record";
import { addStaff } from "@/lib/staff/records";

let db: Db;
const mine = Buffer.alloc(32, 9);
beforeEach(async () => {
  givenEnv({ auditKey: mine, auditHeadsDir: mkdtempSync(join(tmpdir(), "audit-own-")) });
  db = await givenStore();
});

const verify = (directories: string[] = [], publicKeys: string[] = []) =>
  verifyRecord.run(db, { directories, publicKeys }).then(({ tenants }) => tenants);

it("checks every tenant's record and audits the check", async () => {
  await givenRows(db, 6);
  await givenRows(db, 4, "boreal");
  expect(await verify()).toMatchObject([
    { tenant: "aurora", rows: 6, fault: null },
    { tenant: "boreal", rows: 4, fault: null },
  ]);
  const told = (await db.select().from(auditEvent)).filter(({ code }) => code === "audit.verify");
  expect(told.map(({ tenant, detail }) => `${tenant} ${detail["rows"]}`).toSorted()).toEqual(["aurora 6", "boreal 4"]);
});

it("names the first bad row, which the screen shows from then on", async () => {
  await givenRows(db, 9);
  await tamper(db, "UPDATE audit_event SET object = 'kyc:other' WHERE seq = 5");
  expect(await verify()).toMatchObject([{ rows: 4, fault: { kind: "altered", seq: 5 } }]);
  expect(await readCheck(db, TENANT)).toMatchObject({ fault: { kind: "altered", seq: 5 } });
});

it("accepts heads kept elsewhere and signed by an earlier key", async () => {
  const heads = givenHeads(db);
  await givenRows(db, 9);
  await heads.sign();
  const elsewhere = `${heads.directory}-copy`;
  renameSync(heads.directory, elsewhere);
  const earlier = publicKeyText(signingKey(Buffer.alloc(32, 3)));
  expect(await verify([elsewhere], [earlier])).toMatchObject([{ heads: 1, fault: null }]);
  expect(await verify([elsewhere])).toMatchObject([{ fault: { kind: "forged-head" } }]);
});

it("refuses a copies folder without signed heads instead of passing the record", async () => {
  await givenRows(db, 3);
  const empty = mkdtempSync(join(tmpdir(), "audit-empty-"));
  await expect(verify([empty])).rejects.toThrow(`no signed heads in ${empty}`);
  await expect(verify([join(empty, "mistyped")])).rejects.toThrow(/no signed heads in .*mistyped/);
});

it("reports a tenant whose whole record is gone", async () => {
  const heads = givenHeads(db);
  await givenRows(db, 9);
  await heads.sign();
  await tamper(db, "DELETE FROM audit_event", "DELETE FROM audit_head");
  const earlier = publicKeyText(signingKey(Buffer.alloc(32, 3)));
  expect(await verify([heads.directory], [earlier])).toMatchObject([{ rows: 0, fault: { kind: "restored", seq: 1 } }]);
});

it("reports unsigned rows and since when they are overdue", async () => {
  const heads = givenHeads(db);
  const earlier = publicKeyText(signingKey(Buffer.alloc(32, 3)));
  const check = () => verify([heads.directory], [earlier]);
  await givenRows(db, 4);
  await heads.sign();
  expect(await check()).toMatchObject([{ heads: 1, unsigned: null }]);
  // The check adds a row, too.
  await givenRows(db, 2);
  expect(await check()).toMatchObject([{ fault: null, unsigned: { rows: 3, isOverdue: false } }]);
  vi.setSystemTime(Date.now() + 11 * 60_000);
  expect(await check()).toMatchObject([{ fault: null, unsigned: { rows: 4, isOverdue: true } }]);
  vi.useRealTimers();
});

it("reports a record without any signed head as overdue", async () => {
  await givenRows(db, 2);
  vi.setSystemTime(Date.now() + 11 * 60_000);
  expect(await verify()).toMatchObject([{ heads: 0, fault: null, unsigned: { rows: 2, isOverdue: true } }]);
  vi.useRealTimers();
});

it("reports disabled and missing triggers", async () => {
  const run = () => verifyRecord.run(db, { directories: [], publicKeys: [] });
  expect(await run()).toMatchObject({ missingTriggers: [] });
  // Other tests of the worker use this database.
  onTestFinished(async () => {
    await db.execute(sql`ALTER TABLE audit_event ENABLE TRIGGER audit_event_append_only`);
    await db.execute(sql`ALTER TRIGGER gone ON audit_head RENAME TO audit_head_kept`);
  });
  await db.execute(sql`ALTER TABLE audit_event DISABLE TRIGGER audit_event_append_only`);
  await db.execute(sql`ALTER TRIGGER audit_head_kept ON audit_head RENAME TO gone`);
  expect(await run()).toMatchObject({ missingTriggers: ["audit_event_append_only", "audit_head_kept"] });
});

it("signs a role change at the next sweep, and other rows within a minute", async () => {
  const heads = givenHeads(db);
  await givenRows(db, 2);
  await heads.sign();
  await givenRows(db, 1);
  expect(await heads.sign(TENANT, 5_000)).toBeNull();
  await record(db, { tenant: TENANT, actor: "ana", code: "staff.roles", outcome: "DONE", object: "staff:x" });
  expect(await heads.sign(TENANT, 5_000)).toMatchObject({ seq: 4 });
});

it("names people whose roles were never granted on record", async () => {
  const person = { name: "Ana", roles: ["support" as const], password: "uma frase que ninguém adivinha" };
  const added = await addStaff(db, { ...person, email: "ana@retaguarda.example", tenants: [TENANT] });
  expect(await verify()).toMatchObject([{ unrecorded: [] }]);
  await db.execute(sql`UPDATE staff_membership SET roles = '{admin,support}'`);
  const staffId = added?.id;
  expect(await verify()).toMatchObject([
    { fault: null, unrecorded: [{ staffId, recorded: ["support"], held: ["admin", "support"] }] },
  ]);
});
