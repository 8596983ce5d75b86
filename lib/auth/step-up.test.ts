import { desc, eq, sql } from "drizzle-orm";
import { generateSync } from "otplib";
import { beforeEach, describe, expect, it } from "vitest";
import { addStaff } from "@/lib/staff/records";
import { staff } from "@/lib/db/tables/staff";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { givenEnv, givenStore } from "@/test/support/console";
import { enterByEnrolment } from "./entry";
import { readProofWay, startEnrolment, stepUp } from "./factor";
import { findSession, type Session } from "./sessions";
import { openSession } from "@/test/support/auth";
import { staffSession } from "@/lib/db/tables/auth";

const PASSWORD = "a good long password";
const EMAIL = "ana@aurora.example";

let db: Db;
beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  const ana = { email: EMAIL, name: "Ana", roles: ["support" as const], password: PASSWORD, tenants: ["aurora"] };
  await addStaff(db, ana);
});

async function sessionBehind(sessionId: string | undefined): Promise<Session> {
  const session = await findSession(sessionId ?? "");
  if (session === null) throw new Error("nobody is signed in");
  return session;
}
const signedIn = async () => (await openSession(EMAIL, PASSWORD))?.sessionId;
async function provenBy(session: Session, typed: string): Promise<string> {
  const proof = await stepUp(session, typed);
  if (typeof proof === "string" || "waitMs" in proof) throw new Error(`it was ${JSON.stringify(proof)}`);
  return proof.sessionId;
}
const letPass = (minutes: number) =>
  db.update(staffSession).set({ provenAt: sql`clock_timestamp() - ${minutes} * interval '1 minute'` });
const lastStep = async () =>
  (await db.select().from(auditEvent).where(eq(auditEvent.code, "session.step-up")).orderBy(desc(auditEvent.seq)))[0];

describe("a recent proof", () => {
  it("counts the sign-in itself as a proof for five minutes", async () => {
    const sessionId = await signedIn();
    expect((await sessionBehind(sessionId)).isProven).toBe(true);
    await letPass(4.9);
    expect((await sessionBehind(sessionId)).isProven).toBe(true);
    await letPass(5.1);
    expect((await sessionBehind(sessionId)).isProven).toBe(false);
  });

  it("renews a proof by the password and audits it", async () => {
    const sessionId = await signedIn();
    await letPass(6);
    const session = await sessionBehind(sessionId);
    expect(await readProofWay(session)).toBe("password");
    const renewed = await provenBy(session, PASSWORD);
    expect((await sessionBehind(renewed)).isProven).toBe(true);
    const detail = { how: "password", session: session.ref };
    expect(await lastStep()).toMatchObject({ actor: session.staffId, outcome: "DONE", detail });
  });

  it("gives the session a new id, ends the old id and keeps the audit name", async () => {
    const sessionId = await signedIn();
    const session = await sessionBehind(sessionId);
    const renewed = await provenBy(session, PASSWORD);
    expect(renewed).not.toBe(sessionId);
    expect(await findSession(sessionId ?? "")).toBeNull();
    expect(await sessionBehind(renewed)).toMatchObject({ ref: session.ref, staffId: session.staffId });
    expect(await db.select().from(staffSession)).toHaveLength(1);
  });

  it("keeps the session's id after a wrong password", async () => {
    const sessionId = await signedIn();
    await stepUp(await sessionBehind(sessionId), "another long password");
    expect(await findSession(sessionId ?? "")).not.toBeNull();
  });

  it("refuses a proof by a wrong password and audits it", async () => {
    const sessionId = await signedIn();
    await letPass(6);
    for (const typed of ["another long password", `${PASSWORD} `, "x".repeat(1000)]) {
      expect(await stepUp(await sessionBehind(sessionId), typed)).toBe("wrong");
    }
    expect((await sessionBehind(sessionId)).isProven).toBe(false);
    expect(await lastStep()).toMatchObject({ outcome: "REFUSED" });
  });

  it("slows proofs after five wrong tries, even a right one", async () => {
    const session = await sessionBehind(await signedIn());
    for (let n = 0; n < 5; n += 1) await stepUp(session, "another long password");
    expect(await stepUp(session, PASSWORD)).toEqual({ waitMs: expect.any(Number) });
  });

  it("does not slow a proof for guesses in another session of the person", async () => {
    const stolen = await sessionBehind(await signedIn());
    const own = await sessionBehind(await signedIn());
    for (let n = 0; n < 9; n += 1) await stepUp(stolen, "another long password");
    expect(await findSession(await provenBy(own, PASSWORD))).toMatchObject({ isProven: true });
  });

  it("counts a proof for one session only", async () => {
    const one = await signedIn();
    const other = await signedIn();
    await letPass(6);
    await provenBy(await sessionBehind(one), PASSWORD);
    expect((await sessionBehind(other)).isProven).toBe(false);
  });

  it("requires the second factor for a proof once there is one", async () => {
    const session = await sessionBehind(await signedIn());
    const { secret } = await startEnrolment(db, session.staffId, EMAIL);
    const codeIn = (steps: number) => generateSync({ secret, epoch: Date.now() / 1000 + 30 * steps });
    const entered = await enterByEnrolment(session, codeIn(0));
    const raised = await sessionBehind(typeof entered === "object" ? entered.sessionId : "");
    await letPass(6);
    expect(await readProofWay(raised)).toBe("totp");
    expect(await stepUp(raised, PASSWORD)).toBe("wrong");
    expect(await stepUp(raised, codeIn(0))).toBe("wrong");
    expect(await findSession(await provenBy(raised, codeIn(1)))).toMatchObject({ isProven: true, secondFactor: true });
  });

  it("offers no proof under single sign-on without a second factor here", async () => {
    const session = await sessionBehind(await signedIn());
    await db.update(staff).set({ passwordHash: null });
    expect(await readProofWay(session)).toBeNull();
    expect(await stepUp(session, PASSWORD)).toBe("none");
  });
});
