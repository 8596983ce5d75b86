import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { ROLES } from "@/lib/permission/permission";
import { openSession } from "@/test/support/auth";
import { staffMembership } from "@/lib/db/tables/auth";
import { staff } from "@/lib/db/tables/staff";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { givenEnv, givenStore } from "@/test/support/console";
import { addDemoStaff, addStaff, DEMO_PASSWORD, demoEmail, StaffToAdd } from "./records";

const ana = {
  email: "Ana@aurora.example",
  name: "Ana Prado",
  roles: ["support" as const, "auditor" as const],
  password: "a good long password",
  tenants: ["aurora"],
};
const [aurora] = givenEnv().tenants;
const boreal = { ...aurora, clientId: "boreal", name: "Boreal" };

let db: Db;
const memberships = async () =>
  (await db.select().from(staffMembership)).map(({ tenant, roles }) => `${tenant}: ${roles.join(",")}`).toSorted();
beforeEach(async () => {
  givenEnv({ isEmbedded: true });
  db = await givenStore();
});

describe("a new person", () => {
  it("stores a new person with a password hash and audits it without", async () => {
    const added = await addStaff(db, ana);
    const [row] = await db.select().from(staff);
    expect(added).toEqual({ id: row?.id, isNew: true, tenants: ["aurora"] });
    expect(row).toMatchObject({ name: "Ana Prado", isDemo: false });
    expect(await memberships()).toEqual(["aurora: support,auditor"]);
    expect(row?.passwordHash).toMatch(/^\$argon2id\$/);
    const events = await db.select().from(auditEvent);
    expect(events).toMatchObject([
      { code: "staff.add", object: `staff:${added?.id}`, detail: { roles: "support,auditor" } },
    ]);
    expect(JSON.stringify(events)).not.toContain("Ana");
  });

  it("adds no person twice in another spelling of the e-mail", async () => {
    await addStaff(db, ana);
    expect(await addStaff(db, { ...ana, email: "ANA@AURORA.EXAMPLE" })).toBeNull();
    expect(await db.select().from(staff)).toHaveLength(1);
    expect(await db.select().from(auditEvent)).toHaveLength(1);
  });

  it.each([
    { password: "short" },
    { password: "x".repeat(129) },
    { roles: [] },
    { roles: ["root"] },
    { email: "ana" },
    { name: "  " },
    { tenants: [] },
    { tenants: ["boreal"] },
  ])("refuses a new person with %j", (odd) => {
    expect(StaffToAdd.safeParse({ ...ana, ...odd }).success).toBe(false);
  });
});

describe("a person who is known already", () => {
  beforeEach(async () => {
    givenEnv({ tenants: [aurora, boreal] });
    await addStaff(db, ana);
  });

  it("adds a known person to another tenant and keeps name and password", async () => {
    const [before] = await db.select().from(staff);
    const again = { ...ana, name: "Someone", password: "another long password", roles: ["admin" as const] };
    expect(await addStaff(db, { ...again, tenants: ["boreal"] })).toEqual({
      id: before?.id,
      isNew: false,
      tenants: ["boreal"],
    });
    expect(await db.select().from(staff)).toEqual([before]);
    expect(await memberships()).toEqual(["aurora: support,auditor", "boreal: admin"]);
    expect(await db.select().from(auditEvent).where(eq(auditEvent.tenant, "boreal"))).toMatchObject([
      { code: "staff.add", object: `staff:${before?.id}`, detail: { roles: "admin" } },
    ]);
  });

  it("keeps a known person's roles at other tenants", async () => {
    const added = await addStaff(db, { ...ana, roles: ["admin"], tenants: ["aurora", "boreal"] });
    expect(added).toMatchObject({ isNew: false, tenants: ["boreal"] });
    expect(await memberships()).toEqual(["aurora: support,auditor", "boreal: admin"]);
  });
});

describe("the demo's people", () => {
  it("creates one demo person per role and a second administrator, once", async () => {
    givenEnv({ isEmbedded: true, tenants: [aurora, boreal] });
    await addDemoStaff(["aurora"]);
    await addDemoStaff(["aurora", "boreal"]);
    const rows = await db.select().from(staff);
    expect(await memberships()).toEqual(
      ["aurora", "boreal"].flatMap((tenant) => [...ROLES, "admin"].toSorted().map((role) => `${tenant}: ${role}`)),
    );
    expect(rows).toHaveLength(ROLES.length + 1);
    expect(rows.every(({ isDemo }) => isDemo)).toBe(true);
    expect(await openSession(demoEmail("compliance"), DEMO_PASSWORD)).not.toBeNull();
  });
});
