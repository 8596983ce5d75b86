import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { staffInvitation, staffMembership, staffTotp } from "@/lib/db/tables/auth";
import { openSessionFor } from "@/lib/auth/sessions";
import { staff } from "@/lib/db/tables/staff";
import type { Db } from "@/lib/db/connection";
import { givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { readHistory, readStaff } from "./listing";
import { invite } from "./invitations";
import { changeRoles } from "./people";
import { COMMAND, tenantsBeyond } from "./roster";

const [aurora] = givenEnv().tenants;
const boreal = { ...aurora, clientId: "boreal", name: "Boreal" };
const command = { id: COMMAND, tenant: "aurora" };

let db: Db;
let ana = "";
const rowOf = async (id: string) => (await readStaff(db, "aurora")).find((row) => row.id === id);

beforeEach(async () => {
  givenEnv({ tenants: [aurora, boreal] });
  db = await givenStore();
  ana = await givenStaff(db, "auditor");
});

describe("a row of the staff", () => {
  it("shows the person's last visit to this tenant alone", async () => {
    await db.insert(staffMembership).values({ staffId: ana, tenant: "boreal", roles: ["admin"] });
    const opening = { staffId: ana, how: "password", secondFactor: false } as const;
    await db.transaction((tx) => openSessionFor(tx, { ...opening, tenant: "boreal" }));
    expect(await rowOf(ana)).toMatchObject({ roles: ["auditor"], lastActiveAt: null, lacksSecondFactor: false });
    await db.transaction((tx) => openSessionFor(tx, { ...opening, tenant: "aurora" }));
    expect((await rowOf(ana))?.lastActiveAt).toMatch(/^\d{4}-/);
  });

  it("says that a required second factor is missing", async () => {
    const finance = await givenStaff(db, "finance");
    expect(await rowOf(finance)).toMatchObject({ hasSecondFactor: false, lacksSecondFactor: true });
    await db.insert(staffTotp).values({ staffId: finance, candidateSealed: "an enrolment under way" });
    expect(await rowOf(finance)).toMatchObject({ hasSecondFactor: false, lacksSecondFactor: true });
    await db.update(staffTotp).set({ secretSealed: "confirmed" });
    expect(await rowOf(finance)).toMatchObject({ hasSecondFactor: true, lacksSecondFactor: false });
    await db.delete(staffTotp);
    await db.update(staff).set({ isDemo: true }).where(eq(staff.id, finance));
    expect(await rowOf(finance)).toMatchObject({ lacksSecondFactor: false });
  });

  it("shows a person as disabled when excluded here or everywhere", async () => {
    await db.update(staffMembership).set({ disabledAt: new Date() });
    expect(await rowOf(ana)).toMatchObject({ state: "disabled" });
    await db.update(staffMembership).set({ disabledAt: null });
    await db.update(staff).set({ disabledAt: new Date() });
    expect(await rowOf(ana)).toMatchObject({ state: "disabled" });
  });

  it("shows an expired invitation until it is revoked", async () => {
    const { id } = await invite(db, command, { email: "eva@aurora.example", name: "Eva", roles: ["auditor"] });
    expect(await rowOf(id)).toMatchObject({ state: "invited", hasSecondFactor: null });
    await db.update(staffInvitation).set({ expiresAt: sql`clock_timestamp() - interval '1 second'` });
    expect(await rowOf(id)).toMatchObject({ state: "expired" });
    await db.update(staffInvitation).set({ revokedAt: sql`clock_timestamp()` });
    expect(await rowOf(id)).toBeUndefined();
  });
});

it("shows a person's history at this tenant alone: changes and sign-ins", async () => {
  const admin = await givenStaff(db, "admin");
  const manager = { id: admin, tenant: "aurora" };
  await db.transaction((tx) =>
    openSessionFor(tx, { staffId: ana, tenant: "aurora", how: "password", secondFactor: false }),
  );
  await changeRoles(db, manager, { staffId: ana, roles: ["compliance"], expected: ["auditor"] });
  expect(await readHistory(db, "aurora", ana)).toMatchObject([
    { code: "staff.roles", byName: "Ana Prado", detail: { before: "auditor", after: "compliance" } },
    { code: "session.end" },
    { code: "session.open" },
  ]);
  expect(await readHistory(db, "boreal", ana)).toEqual([]);
});

it("names the person's tenants that the manager does not manage", async () => {
  const admin = await givenStaff(db, "admin");
  await db.insert(staffMembership).values({ staffId: ana, tenant: "boreal", roles: ["support"] });
  expect(await tenantsBeyond(db, { id: admin, tenant: "aurora" }, ana)).toEqual(["boreal"]);
  expect(await tenantsBeyond(db, command, ana)).toEqual([]);
  await db.insert(staffMembership).values({ staffId: admin, tenant: "boreal", roles: ["auditor"] });
  expect(await tenantsBeyond(db, { id: admin, tenant: "aurora" }, ana)).toEqual(["boreal"]);
});
