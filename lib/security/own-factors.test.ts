import { eq, sql } from "drizzle-orm";
import { generateSync } from "otplib";
import { beforeEach, describe, expect, it } from "vitest";
import { confirmEnrolment, factorOf } from "@/lib/auth/factor";
import { hashPassword, verifyPassword } from "@/lib/auth/password";
import { findSession, openSessionFor, type Session } from "@/lib/auth/sessions";
import { staffSession } from "@/lib/db/tables/auth";
import { staff } from "@/lib/db/tables/staff";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import type { Role } from "@/lib/permission/permission";
import { givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { beginEnrolment, changeOwnPassword, dropFactor, renewCodes } from "./own-factors";

const OLD = "uma frase que já conheço";
const NEW = "outra frase que só eu sei";

let db: Db;
beforeEach(async () => {
  givenEnv();
  db = await givenStore();
});

/** A signed-in person with a second session elsewhere. */
async function given(role: Role): Promise<Session> {
  const staffId = await givenStaff(db, role);
  await db.update(staff).set({ passwordHash: await hashPassword(OLD) });
  const opening = { staffId, tenant: "aurora", how: "password", secondFactor: true } as const;
  await db.transaction((tx) => openSessionFor(tx, opening));
  const session = await findSession(await db.transaction((tx) => openSessionFor(tx, opening)));
  if (session === null) throw new Error("no session");
  return session;
}

async function withFactor(session: Session): Promise<void> {
  const { secret } = await beginEnrolment(session);
  const code = generateSync({ secret, epoch: Date.now() / 1000 });
  await db.transaction((tx) => confirmEnrolment(tx, session, code));
}

const living = async () => (await db.select().from(staffSession)).filter(({ endedAt }) => endedAt === null);
const outcomes = async (code: string) =>
  (await db.select().from(auditEvent).where(eq(auditEvent.code, code)).orderBy(auditEvent.seq)).map(
    ({ outcome }) => outcome,
  );

describe("one's own password", () => {
  it("changes the password with the old one; other sessions end, this one continues", async () => {
    const session = await given("support");
    expect(await changeOwnPassword(session, { current: OLD, next: NEW })).toBe("done");
    const [person] = await db.select().from(staff);
    expect(await verifyPassword(person?.passwordHash ?? null, NEW)).toBe(true);
    expect(await living()).toMatchObject([{ idHash: session.idHash }]);
    expect(await outcomes("password.change")).toEqual(["DONE"]);
  });

  it("counts no password change as a recent proof, with or without a factor", async () => {
    for (const hasFactor of [false, true]) {
      const session = await given("support");
      if (hasFactor) await withFactor(session);
      await db.update(staffSession).set({ provenAt: sql`clock_timestamp() - interval '1 hour'` });
      expect(await changeOwnPassword(session, { current: OLD, next: NEW })).toBe("done");
      const [row] = await db.select().from(staffSession).where(eq(staffSession.idHash, session.idHash));
      expect(Date.now() - (row?.provenAt.getTime() ?? Date.now())).toBeGreaterThan(50 * 60_000);
    }
  });

  it("refuses a change without the old password, and slows guessing", async () => {
    const session = await given("support");
    for (let guess = 0; guess < 5; guess += 1) {
      expect(await changeOwnPassword(session, { current: `guess ${guess}`, next: NEW })).toBe("wrong");
    }
    await changeOwnPassword(session, { current: "guess 6", next: NEW });
    expect(await changeOwnPassword(session, { current: OLD, next: NEW })).toEqual({ waitMs: expect.any(Number) });
    expect(await living()).toHaveLength(2);
  });

  it.each([
    ["is not one that is guessed first", "Password1234!", "password-common"],
    ["is not the owner's name", "AnaPrado2026!", "password-personal"],
    ["is not the one they have", OLD, "same"],
  ])("%s", async (_, next, outcome) => {
    expect(await changeOwnPassword(await given("support"), { current: OLD, next })).toBe(outcome);
  });

  it("offers no password change to single sign-on accounts", async () => {
    const session = await given("support");
    await db.update(staff).set({ passwordHash: null });
    expect(await changeOwnPassword(session, { current: "", next: NEW })).toBe("none");
  });
});

describe("one's own second factor", () => {
  it("removes a second factor when no role requires it, and ends other sessions", async () => {
    const session = await given("auditor");
    await withFactor(session);
    await renewCodes(session);
    expect(await dropFactor(session)).toBe("done");
    expect(await factorOf(db, session.staffId)).toEqual({ since: null, recoveryCodesLeft: 0 });
    expect(await living()).toMatchObject([{ idHash: session.idHash, secondFactor: false }]);
    expect(await outcomes("totp.disable")).toEqual(["DONE"]);
  });

  it.each<Role>(["support", "compliance", "finance", "approver", "admin"])(
    "refuses removal by %s, and audits it",
    async (role) => {
      const session = await given(role);
      await withFactor(session);
      expect(await dropFactor(session)).toBe("required");
      expect((await factorOf(db, session.staffId)).since).not.toBeNull();
      expect(await outcomes("totp.disable")).toEqual(["REFUSED"]);
    },
  );

  it("refuses removal by an auditor when everyone needs a factor", async () => {
    givenEnv({ secondFactorFor: "everyone" });
    const session = await given("auditor");
    await withFactor(session);
    expect(await dropFactor(session)).toBe("required");
    expect((await factorOf(db, session.staffId)).since).not.toBeNull();
  });

  it("issues no recovery codes before an authenticator app", async () => {
    const session = await given("support");
    await expect(renewCodes(session)).rejects.toMatchObject({ kind: "conflict" });
    expect(await db.execute(sql`select 1 from staff_recovery_code`)).toMatchObject({ rows: [] });
  });
});
