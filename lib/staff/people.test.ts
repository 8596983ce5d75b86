import { randomUUID } from "node:crypto";
import { desc, eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { startEnrolment } from "@/lib/auth/factor";
import type { Role } from "@/lib/permission/permission";
import { staffMembership, staffTotp } from "@/lib/db/tables/auth";
import { findSession, openSessionFor } from "@/lib/auth/sessions";
import { staff } from "@/lib/db/tables/staff";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { readInvitation } from "./acceptance";
import { readPasswordLink } from "./forgotten-password";
import { invite } from "./invitations";
import { issuePasswordLink } from "./password-links";
import { changeRoles, disablePerson, enablePerson, endSessionsFor, resetFactorOf } from "./people";
import { COMMAND } from "./roster";

const [aurora] = givenEnv().tenants;
const boreal = { ...aurora, clientId: "boreal", name: "Boreal" };

let db: Db;
let admin = "";
let ana = "";
const at = (id: string, tenant = "aurora") => ({ id, tenant });
const rolesOf = async (staffId: string) =>
  (await db.select().from(staffMembership).where(eq(staffMembership.staffId, staffId))).map(
    ({ tenant, roles, disabledAt }) => `${tenant}: ${roles.join(",")}${disabledAt === null ? "" : " (disabled)"}`,
  );
const signIn = (staffId: string, tenant = "aurora") =>
  db.transaction((tx) => openSessionFor(tx, { staffId, tenant, how: "password", secondFactor: true }));
const told = async (code: string) =>
  db.select().from(auditEvent).where(eq(auditEvent.code, code)).orderBy(desc(auditEvent.seq));
const refused = (code: string) => ({ details: { code } });
const roles = (...given: Role[]) => given;

beforeEach(async () => {
  givenEnv({ tenants: [aurora, boreal] });
  db = await givenStore();
  admin = await givenStaff(db, "admin");
  ana = await givenStaff(db, "support");
});

describe("a change of roles", () => {
  const change = { roles: roles("finance", "support"), expected: roles("support") };

  it("applies new roles from the next request and ends the sessions", async () => {
    const session = await signIn(ana);
    await changeRoles(db, at(admin), { staffId: ana, ...change });
    expect(await rolesOf(ana)).toEqual(["aurora: support,finance"]);
    expect(await findSession(session)).toBeNull();
    expect(await told("staff.roles")).toMatchObject([
      {
        actor: admin,
        object: `staff:${ana}`,
        detail: { before: "support", after: "support,finance", sessionsEnded: 1 },
      },
    ]);
  });

  it("refuses a role change when somebody else made one in the meantime", async () => {
    await changeRoles(db, at(admin), { staffId: ana, ...change });
    const late = changeRoles(db, at(admin), { staffId: ana, roles: roles("auditor"), expected: roles("support") });
    await expect(late).rejects.toMatchObject(refused("roles-changed"));
    expect(await rolesOf(ana)).toEqual(["aurora: support,finance"]);
  });

  it("ends no session and audits nothing when the roles stay the same", async () => {
    const session = await signIn(ana);
    await changeRoles(db, at(admin), { staffId: ana, roles: roles("support"), expected: roles("support") });
    expect(await findSession(session)).not.toBeNull();
    expect(await told("staff.roles")).toEqual([]);
  });

  it("refuses a change of one's own roles", async () => {
    const own = changeRoles(db, at(admin), {
      staffId: admin,
      roles: roles("admin", "approver"),
      expected: roles("admin"),
    });
    await expect(own).rejects.toMatchObject(refused("own-account"));
  });

  it("leaves the person's roles at another tenant", async () => {
    await db.insert(staffMembership).values({ staffId: ana, tenant: "boreal", roles: ["auditor"] });
    await changeRoles(db, at(admin), { staffId: ana, ...change });
    expect((await rolesOf(ana)).toSorted()).toEqual(["aurora: support,finance", "boreal: auditor"]);
  });

  it("finds nobody who works only at another tenant", async () => {
    const other = randomUUID();
    await db.insert(staff).values({ id: other, email: "rui@boreal.example", name: "Rui", passwordHash: "none" });
    await db.insert(staffMembership).values({ staffId: other, tenant: "boreal", roles: ["support"] });
    for (const staffId of [other, randomUUID()]) {
      await expect(changeRoles(db, at(admin), { staffId, ...change })).rejects.toMatchObject({ kind: "not-found" });
    }
  });

  it("refuses a role change by a person who lost the right meanwhile", async () => {
    await changeRoles(db, at(COMMAND), { staffId: ana, roles: roles("admin"), expected: roles("support") });
    await disablePerson(db, at(ana), admin);
    const late = changeRoles(db, at(admin), { staffId: ana, roles: roles("support"), expected: roles("admin") });
    await expect(late).rejects.toMatchObject({ kind: "forbidden" });
  });
});

describe("the last admin of a tenant", () => {
  const demoted = { roles: roles("support"), expected: roles("admin") };

  it("refuses to demote or disable a tenant's last admin, even by command", async () => {
    await expect(changeRoles(db, at(COMMAND), { staffId: admin, ...demoted })).rejects.toMatchObject(
      refused("last-admin"),
    );
    await expect(disablePerson(db, at(COMMAND), admin)).rejects.toMatchObject(refused("last-admin"));
    expect(await rolesOf(admin)).toEqual(["aurora: admin"]);
  });

  it("counts only administrators who can still sign in at the tenant", async () => {
    const second = await givenStaff(db, "admin");
    await db.insert(staffMembership).values({ staffId: ana, tenant: "boreal", roles: ["admin"] });
    await db.update(staff).set({ disabledAt: new Date() }).where(eq(staff.id, second));
    await expect(disablePerson(db, at(COMMAND), admin)).rejects.toMatchObject(refused("last-admin"));
  });

  it.each(["demoted", "disabled"])("keeps one admin when two have each other %s together", async (how) => {
    const second = await givenStaff(db, "admin");
    const attack = (by: string, staffId: string) =>
      how === "demoted" ? changeRoles(db, at(by), { staffId, ...demoted }) : disablePerson(db, at(by), staffId);
    const outcomes = await Promise.allSettled([attack(admin, second), attack(second, admin)]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const left = [...(await rolesOf(admin)), ...(await rolesOf(second))];
    expect(left.filter((line) => line === "aurora: admin")).toHaveLength(1);
  });
});

describe("a disabled person", () => {
  it("signs a disabled person out and later restores the same roles", async () => {
    const session = await signIn(ana);
    await disablePerson(db, at(admin), ana);
    expect(await findSession(session)).toBeNull();
    const again = await signIn(ana);
    expect(await findSession(again)).toBeNull();
    await enablePerson(db, at(admin), ana);
    expect(await findSession(again)).toMatchObject({ roles: ["support"] });
    expect(await told("staff.disable")).toMatchObject([{ detail: { before: "active", after: "disabled" } }]);
    expect(await told("staff.enable")).toMatchObject([{ detail: { before: "disabled", after: "active" } }]);
  });

  it("lets a person disabled here work at another tenant", async () => {
    await db.insert(staffMembership).values({ staffId: ana, tenant: "boreal", roles: ["auditor"] });
    await disablePerson(db, at(admin), ana);
    expect(await findSession(await signIn(ana))).toMatchObject({ tenant: "boreal", roles: ["auditor"] });
  });

  it("leaves a disabled person no open invitation whose link they know", async () => {
    const second = await givenStaff(db, "admin");
    await invite(db, at(second), { email: "eva@aurora.example", name: "Eva", roles: ["support"] });
    await disablePerson(db, at(admin), second);
    expect(await told("staff.disable")).toMatchObject([{ detail: { invitationsRevoked: 1 } }]);
  });
});

describe("the second factor of a person", () => {
  it("removes a second factor for an admin of all the person's tenants", async () => {
    await startEnrolment(db, ana, "ana@aurora.example");
    const session = await signIn(ana);
    expect(await resetFactorOf(db, at(admin), ana)).toBe(true);
    expect(await db.select().from(staffTotp)).toEqual([]);
    expect(await findSession(session)).toBeNull();
    expect(await told("staff.reset-mfa")).toMatchObject([{ detail: { before: true, after: false, sessionsEnded: 1 } }]);
  });

  it("revokes a person's links and invitations with their factor", async () => {
    const second = await givenStaff(db, "admin");
    await db.insert(staffMembership).values({ staffId: second, tenant: "boreal", roles: ["admin"] });
    await db.insert(staffMembership).values({ staffId: admin, tenant: "boreal", roles: ["admin"] });
    const link = await issuePasswordLink(db, { manager: at(COMMAND), staffId: second }, true);
    const made = await Promise.all(
      ["aurora", "boreal"].map((tenant) =>
        invite(db, at(second, tenant), { email: "eva@aurora.example", name: "Eva", roles: ["support"] }),
      ),
    );
    await resetFactorOf(db, at(admin), second);
    await expect(readPasswordLink(db, link.token)).rejects.toMatchObject({ kind: "not-found" });
    for (const { token } of made) {
      await expect(readInvitation(db, token, null)).rejects.toMatchObject({ kind: "not-found" });
    }
    expect(await told("staff.reset-mfa")).toMatchObject([{ detail: { invitationsRevoked: 2 } }]);
  });

  it("refuses removal by a manager of only one of the person's tenants", async () => {
    await startEnrolment(db, ana, "ana@aurora.example");
    await db.insert(staffMembership).values({ staffId: ana, tenant: "boreal", roles: ["auditor"] });
    await expect(resetFactorOf(db, at(admin), ana)).rejects.toMatchObject(refused("works-elsewhere"));
    await db.insert(staffMembership).values({ staffId: admin, tenant: "boreal", roles: ["admin"] });
    expect(await resetFactorOf(db, at(admin), ana)).toBe(true);
  });
});

it("ends a person's sessions on request and returns their number", async () => {
  await signIn(ana);
  await signIn(ana);
  expect(await endSessionsFor(db, at(admin), ana)).toBe(2);
  expect(await told("staff.end-sessions")).toMatchObject([{ detail: { sessionsEnded: 2 } }]);
});

it("does not deadlock when two tenants end each other's sessions together", async () => {
  const eva = await givenStaff(db, "admin");
  const rui = await givenStaff(db, "support");
  await db.insert(staffMembership).values({ staffId: eva, tenant: "boreal", roles: ["admin"] });
  for (const staffId of [ana, rui]) {
    await db.insert(staffMembership).values({ staffId, tenant: "boreal", roles: ["support"] });
  }
  for (let round = 0; round < 20; round += 1) {
    await Promise.all([signIn(ana, "boreal"), signIn(rui, "aurora")]);
    const ended = [endSessionsFor(db, at(admin), ana), endSessionsFor(db, at(eva, "boreal"), rui)];
    expect(await Promise.all(ended)).toEqual([1, 1]);
  }
  expect(await told("session.end")).toHaveLength(40);
});

it("audits acts on people without names or e-mails", async () => {
  await changeRoles(db, at(admin), { staffId: ana, roles: roles("auditor"), expected: roles("support") });
  await invite(db, at(admin), { email: "eva@aurora.example", name: "Eva Lima", roles: ["support"] });
  expect(JSON.stringify(await db.select().from(auditEvent))).not.toMatch(/Ana|Eva|@/);
});
