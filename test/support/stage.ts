import { eq } from "drizzle-orm";
import { generateSync } from "otplib";
import { confirmEnrolment, startEnrolment } from "@/lib/auth/factor";
import { hashPassword } from "@/lib/auth/password";
import type { Role } from "@/lib/permission/permission";
import { findSession, openSessionFor, type Session } from "@/lib/auth/sessions";
import { staff } from "@/lib/db/tables/staff";
import { givenFixture } from "./approvals";
import { givenEnv, givenStaff } from "./console";

export const PASSWORD = "uma senha que so eu sei";

/** A desk of two tenants, with an admin and a support person whom the admin manages. */
export async function givenStage() {
  const fixture = await givenFixture();
  const { db } = fixture;
  const [aurora] = givenEnv().tenants;
  givenEnv({ tenants: [aurora, { ...aurora, clientId: "boreal", name: "Boreal" }] });
  const admin = await givenStaff(db, "admin");
  const person = await givenStaff(db, "support");

  /** A valid session with a recent proof. */
  async function seat(staffId: string, tenant = "aurora"): Promise<Session> {
    const opening = { staffId, tenant, how: "password", secondFactor: true } as const;
    const session = await findSession(await db.transaction((tx) => openSessionFor(tx, opening)));
    if (session === null) throw new Error("the session did not open");
    return session;
  }
  const seatOf = async (role: Role) => seat(await givenStaff(db, role));
  const manager = { id: admin, tenant: "aurora" };

  async function withPassword(staffId: string): Promise<void> {
    const passwordHash = await hashPassword(PASSWORD);
    await db.update(staff).set({ passwordHash }).where(eq(staff.id, staffId));
  }
  async function withFactor(session: Session): Promise<Session> {
    const { secret } = await startEnrolment(db, session.staffId, session.email);
    const code = generateSync({ secret, epoch: Date.now() / 1000 });
    await db.transaction((tx) => confirmEnrolment(tx, session, code));
    return session;
  }
  return { ...fixture, admin, person, manager, seat, seatOf, withPassword, withFactor };
}

export type Stage = Awaited<ReturnType<typeof givenStage>>;

/** Who does it, and with what. */
export type Readied = { by: Session | null; input: unknown };

export type Act = (stage: Stage) => Promise<Readied>;

/** Each way in which an action writes, by name. */
export type Acts = Readonly<Record<string, Readonly<Record<string, Act>>>>;
