import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { startEnrolment } from "@/lib/auth/factor";
import { passwordLink, staffMembership, staffTotp } from "@/lib/db/tables/auth";
import { staff } from "@/lib/db/tables/staff";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { readPasswordLink } from "./forgotten-password";
import { issuePasswordLink } from "./password-links";
import { disablePerson } from "./people";
import { COMMAND } from "./roster";

const [aurora] = givenEnv().tenants;
const gone = { kind: "not-found", details: { code: "password-link-gone" } };
const refused = (code: string) => ({ kind: "forbidden", details: { code } });

let db: Db;
let admin = "";
let ana = "";
beforeEach(async () => {
  givenEnv({ tenants: [aurora, { ...aurora, clientId: "boreal", name: "Boreal" }] });
  db = await givenStore();
  admin = await givenStaff(db, "admin");
  ana = await givenStaff(db, "auditor");
});

const by = (id: string, staffId = ana) => ({ manager: { id, tenant: "aurora" }, staffId });
const issueShown = (id = admin, staffId = ana) => issuePasswordLink(db, by(id, staffId), true);
const issueMailed = (id = admin, staffId = ana) => issuePasswordLink(db, by(id, staffId), false);

async function enrol(staffId = ana): Promise<void> {
  await startEnrolment(db, staffId, "ana@aurora.example");
  await db
    .update(staffTotp)
    .set({ secretSealed: sql`candidate_sealed` })
    .where(eq(staffTotp.staffId, staffId));
}
describe("a link for a person's forgotten password", () => {
  it("accepts a link for an hour, stored as its hash", async () => {
    const { token, expiresAt } = await issueShown();
    expect(token).toMatch(/^[\w-]{43}$/);
    const [stored] = await db.select().from(passwordLink);
    expect(stored).toMatchObject({ staffId: ana, issuedBy: admin, usedAt: null, expiresAt });
    expect(JSON.stringify([stored, await db.select().from(auditEvent)])).not.toContain(token);
    const [hour] = await db.select({ ms: sql`extract(epoch from expires_at - created_at)` }).from(passwordLink);
    expect(Number(hour?.ms)).toBeCloseTo(3600, 0);
    const [recorded] = await db.select().from(auditEvent).where(eq(auditEvent.code, "staff.password-link"));
    expect(recorded).toMatchObject({ actor: admin, object: `staff:${ana}`, detail: { isShown: true } });
  });

  it("replaces a person's earlier links", async () => {
    const first = await issueShown();
    const second = await issueShown();
    await expect(readPasswordLink(db, first.token)).rejects.toMatchObject(gone);
    expect(await readPasswordLink(db, second.token)).toMatchObject({ email: `${ana}@aurora.example` });
  });

  it("refuses a link once its issuer may no longer manage people", async () => {
    const second = await givenStaff(db, "admin");
    const { token } = await issueShown(second);
    await disablePerson(db, { id: admin, tenant: "aurora" }, second);
    await expect(readPasswordLink(db, token)).rejects.toMatchObject(gone);
  });

  it("refuses a link once its person is disabled", async () => {
    const { token } = await issueShown();
    await disablePerson(db, { id: admin, tenant: "aurora" }, ana);
    await expect(readPasswordLink(db, token)).rejects.toMatchObject(gone);
  });

  it("refuses a link for oneself, for a disabled person and to non-managers", async () => {
    await expect(issueShown(admin, admin)).rejects.toMatchObject(refused("own-account"));
    await expect(issueShown(ana, admin)).rejects.toMatchObject(refused("staff:manage"));
    await disablePerson(db, { id: admin, tenant: "aurora" }, ana);
    await expect(issueShown()).rejects.toMatchObject({ kind: "conflict", details: { code: "person-disabled" } });
  });

  it("issues no link to a person with single sign-on", async () => {
    await db.update(staff).set({ passwordHash: null }).where(eq(staff.id, ana));
    await expect(issueMailed()).rejects.toMatchObject(refused("no-password"));
  });

  it("refuses a link for somebody who works at a tenant beyond the admin's", async () => {
    await db.insert(staffMembership).values({ staffId: ana, tenant: "boreal", roles: ["auditor"] });
    await expect(issueMailed()).rejects.toMatchObject(refused("works-elsewhere"));
    expect(await issueShown(COMMAND)).toMatchObject({ staffId: ana });
  });
});

describe("an admin alone", () => {
  it("cannot see the link of a person without a second factor yet", async () => {
    await expect(issueShown(admin, await givenStaff(db, "support"))).rejects.toMatchObject(refused("link-alone"));
    const finance = await givenStaff(db, "finance");
    await expect(issueShown(admin, finance)).rejects.toMatchObject(refused("link-alone"));
    expect(await issueMailed(admin, finance)).toMatchObject({ staffId: finance });
    expect(await issueShown(COMMAND, finance)).toMatchObject({ staffId: finance });
    await enrol(finance);
    expect(await issueShown(admin, finance)).toMatchObject({ staffId: finance });
  });
});
