import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { verifyPassword } from "@/lib/auth/password";
import { staffInvitation, staffMembership } from "@/lib/db/tables/auth";
import { sessionOf } from "@/test/support/auth";
import { staff } from "@/lib/db/tables/staff";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { acceptAsNew, acceptAsSelf, readInvitation } from "./acceptance";
import { invite, renewInvitation, revokeInvitation } from "./invitations";
import { disablePerson } from "./people";
import { COMMAND } from "./roster";

const [aurora] = givenEnv().tenants;
const boreal = { ...aurora, clientId: "boreal", name: "Boreal" };
const eva = { email: "Eva@aurora.example", name: "Eva Lima", roles: ["support" as const] };
const password = "seven quiet lanterns";
const gone = { kind: "not-found", details: { code: "invitation-gone" } };

let db: Db;
let admin = "";
const manager = () => ({ id: admin, tenant: "aurora" });
const accept = (token: string) => acceptAsNew(db, { token, name: "Eva Lima", password });
const expire = () => db.update(staffInvitation).set({ expiresAt: sql`clock_timestamp() - interval '1 second'` });

beforeEach(async () => {
  givenEnv({ tenants: [aurora, boreal] });
  db = await givenStore();
  admin = await givenStaff(db, "admin");
});

describe("an invitation", () => {
  it("accepts an invitation for a day, and stores only its link's hash", async () => {
    const { token, ...invited } = await invite(db, manager(), eva);
    expect(token).toMatch(/^[\w-]{43}$/);
    const [stored] = await db.select().from(staffInvitation);
    expect(JSON.stringify(stored)).not.toContain(token);
    expect(stored).toMatchObject({ ...invited, invitedBy: admin, acceptedAt: null, revokedAt: null });
    const [day] = await db.select({ ms: sql`extract(epoch from expires_at - created_at)` }).from(staffInvitation);
    expect(Number(day?.ms)).toBeCloseTo(86_400, 0);
  });

  it("turns an invitation into an account with its roles at that tenant alone", async () => {
    const { token } = await invite(db, manager(), eva);
    expect(await accept(token)).toBe(eva.email);
    const [account] = await db.select().from(staff).where(eq(staff.name, "Eva Lima"));
    expect(await verifyPassword(account?.passwordHash ?? null, password)).toBe(true);
    const memberships = await db
      .select()
      .from(staffMembership)
      .where(eq(staffMembership.staffId, account?.id ?? ""));
    expect(memberships).toMatchObject([{ tenant: "aurora", roles: ["support"], disabledAt: null }]);
    const [accepted] = await db.select().from(auditEvent).where(eq(auditEvent.code, "staff.accept"));
    expect(accepted).toMatchObject({ actor: account?.id, detail: { invitedBy: admin, roles: "support", isNew: true } });
  });

  it("accepts an invitation once, even twice together", async () => {
    const { token } = await invite(db, manager(), eva);
    const outcomes = await Promise.allSettled([accept(token), accept(token)]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    await expect(accept(token)).rejects.toMatchObject(gone);
    expect(await db.select().from(staff)).toHaveLength(2);
  });

  it("gives one answer for links that are unknown, expired, revoked or replaced", async () => {
    const unknown = "x".repeat(43);
    const replaced = await invite(db, manager(), eva);
    const renewed = await renewInvitation(db, manager(), replaced.id);
    await expect(readInvitation(db, replaced.token, null)).rejects.toMatchObject(gone);
    expect(await readInvitation(db, renewed.token, null)).toMatchObject({ next: "choose-password" });
    await expire();
    for (const token of [unknown, replaced.token, renewed.token]) {
      await expect(readInvitation(db, token, null)).rejects.toMatchObject(gone);
      await expect(accept(token)).rejects.toMatchObject(gone);
    }
    const again = await renewInvitation(db, manager(), replaced.id);
    await revokeInvitation(db, manager(), replaced.id);
    await expect(accept(again.token)).rejects.toMatchObject(gone);
  });

  it("refuses an invitation once its maker may no longer invite", async () => {
    const second = await givenStaff(db, "admin");
    const { token } = await invite(db, { id: second, tenant: "aurora" }, eva);
    await disablePerson(db, manager(), second);
    await expect(accept(token)).rejects.toMatchObject(gone);
  });

  it("accepts an invitation from the command line", async () => {
    const { token } = await invite(db, { id: COMMAND, tenant: "aurora" }, eva);
    expect(await accept(token)).toBe(eva.email);
  });

  it("keeps one invitation per address and tenant until revoked or expired", async () => {
    const first = await invite(db, manager(), eva);
    const twice = () => invite(db, manager(), { ...eva, email: "eva@AURORA.example" });
    await expect(twice()).rejects.toMatchObject({ details: { code: "already-invited" } });
    await expire();
    const second = await twice();
    await revokeInvitation(db, manager(), second.id);
    await expect(revokeInvitation(db, manager(), first.id)).rejects.toMatchObject({ kind: "not-found" });
    await accept((await twice()).token);
    await expect(twice()).rejects.toMatchObject({ details: { code: "already-member" } });
  });

  it("lets no admin of another tenant renew or revoke an invitation", async () => {
    const { id } = await invite(db, manager(), eva);
    await db.insert(staffMembership).values({ staffId: admin, tenant: "boreal", roles: ["admin"] });
    const foreign = { id: admin, tenant: "boreal" };
    await expect(renewInvitation(db, foreign, id)).rejects.toMatchObject({ kind: "not-found" });
    await expect(revokeInvitation(db, foreign, id)).rejects.toMatchObject({ kind: "not-found" });
  });
});

describe("an invitation of somebody who has an account", () => {
  let ana = "";
  let token = "";
  const email = () => `${ana}@aurora.example`;
  beforeEach(async () => {
    ana = await givenStaff(db, "support");
    const command = { id: COMMAND, tenant: "boreal" };
    ({ token } = await invite(db, command, { email: email(), name: "Ana", roles: ["auditor"] }));
  });

  it("never sets an existing account's password", async () => {
    await expect(accept(token)).rejects.toMatchObject({ details: { code: "has-account" } });
    expect((await db.select().from(staff).where(eq(staff.id, ana)))[0]?.passwordHash).toBe("none");
  });

  it("lets only that person, signed in, accept the invitation", async () => {
    const self = sessionOf({ staffId: ana });
    const other = sessionOf({ staffId: admin });
    expect(await readInvitation(db, token, null)).toMatchObject({ next: "sign-in", isOtherPerson: false });
    expect(await readInvitation(db, token, other)).toMatchObject({ next: "sign-in", isOtherPerson: true });
    expect(await readInvitation(db, token, self)).toMatchObject({ next: "join", tenant: "Boreal" });
    await expect(acceptAsSelf(db, token, other)).rejects.toMatchObject({ details: { code: "other-invitation" } });
    await acceptAsSelf(db, token, self);
    const held = await db.select().from(staffMembership).where(eq(staffMembership.staffId, ana));
    expect(held.map(({ tenant, roles }) => `${tenant}: ${roles.join(",")}`).toSorted()).toEqual([
      "aurora: support",
      "boreal: auditor",
    ]);
    await expect(acceptAsSelf(db, token, self)).rejects.toMatchObject(gone);
  });
});
