import { eq } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import { type Db, db as openStore } from "@/lib/db/connection";
import { auditEvent } from "@/lib/db/tables/audit";
import { staff } from "@/lib/db/tables/staff";
import { actorOf, givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { exportAccessList } from "./export-access";
import { invite } from "./invitations";
import { COMMAND } from "./roster";

let db: Db;
let auditor = "";

beforeEach(async () => {
  givenEnv({ secondFactorFor: "everyone" });
  await givenStore();
  db = await openStore();
  auditor = await givenStaff(db, "auditor", "finance");
});

async function linesOfFile(): Promise<string[]> {
  const { parts, fileName } = await exportAccessList(actorOf("auditor", auditor, "audit:export"));
  expect(fileName).toMatch(/^access-\d{4}-\d\d-\d\d-en\.csv$/);
  let file = "";
  for await (const part of parts) file += part;
  return file.replace("\uFEFF", "").trimEnd().split("\r\n");
}

it("has a line for each person, in the columns of its header", async () => {
  await db.update(staff).set({ email: "ana@aurora.example" }).where(eq(staff.id, auditor));
  const [head, ana] = await linesOfFile();
  expect(head).toBe('"Name","E-mail","Roles","Status","Second factor","Last active","Invitation valid until"');
  expect(ana).toBe('"Ana Prado","ana@aurora.example","Finance, Auditor","Active","Missing","Never",');
});

it("stops formulas in names, and shows an invitation without a last visit", async () => {
  await invite(
    db,
    { id: COMMAND, tenant: "aurora" },
    { email: "eva@aurora.example", name: "=1+1", roles: ["auditor"] },
  );
  const [, invited] = await linesOfFile();
  expect(invited).toMatch(/^"'=1\+1","eva@aurora\.example","Auditor","Invited",,,"\d{4}-\d\d-\d\d \d\d:\d\d"$/);
});

it("is on record with the number of lines", async () => {
  await linesOfFile();
  const [audited] = await db.select().from(auditEvent).where(eq(auditEvent.code, "access.export"));
  expect(audited).toMatchObject({ actor: auditor, detail: { format: "csv", rows: 1 } });
});
