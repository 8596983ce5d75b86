import { beforeEach, describe, expect, it } from "vitest";
import { ROLES } from "@/lib/auth/permission";
import { openSession } from "@/lib/auth/sign-in";
import { auditEvent, staff } from "@/lib/store/schema";
import type { Db } from "@/lib/store/store";
import { givenEnv, givenStore } from "@/lib/testing";
import { DEMO_PASSWORD, demoEmail } from "./demo";
import { addDemoStaff, addStaff, StaffToAdd } from "./records";

const ana = {
  email: "Ana@aurora.example",
  name: "Ana Prado",
  roles: ["support" as const, "auditor" as const],
  password: "a good long password",
};

let db: Db;
beforeEach(async () => {
  givenEnv({ isEmbedded: true });
  db = await givenStore();
});

describe("a new person", () => {
  it("is kept with a hash of the password, and that is on record without it", async () => {
    const added = await addStaff(db, "aurora", ana);
    const [row] = await db.select().from(staff);
    expect(row).toMatchObject({ id: added?.id, name: "Ana Prado", roles: ["support", "auditor"], isDemo: false });
    expect(row?.passwordHash).toMatch(/^\$argon2id\$/);
    const events = await db.select().from(auditEvent);
    expect(events).toMatchObject([
      { code: "staff.add", object: `staff:${added?.id}`, detail: { roles: "support,auditor" } },
    ]);
    expect(JSON.stringify(events)).not.toContain("Ana");
  });

  it("is not added twice, however the e-mail is written", async () => {
    await addStaff(db, "aurora", ana);
    expect(await addStaff(db, "aurora", { ...ana, email: "ANA@AURORA.EXAMPLE" })).toBeNull();
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
  ])("is refused with %j", (odd) => {
    expect(StaffToAdd.safeParse({ ...ana, ...odd }).success).toBe(false);
  });
});

describe("the demo's people", () => {
  it("are one per role, made once", async () => {
    await addDemoStaff("demo");
    await addDemoStaff("demo");
    const rows = await db.select().from(staff);
    expect(rows.map(({ roles }) => roles.join(",")).toSorted()).toEqual(ROLES.toSorted());
    expect(rows.every(({ isDemo }) => isDemo)).toBe(true);
    expect(await openSession(demoEmail("compliance"), DEMO_PASSWORD)).not.toBeNull();
  });
});
