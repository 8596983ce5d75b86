import { eq, sql } from "drizzle-orm";
import { generateSync } from "otplib";
import { beforeEach, describe, expect, it } from "vitest";
import { addStaff } from "@/lib/staff/records";
import { staff } from "@/lib/db/tables/staff";
import type { Db } from "@/lib/db/connection";
import { givenEnv, givenStore } from "@/test/support/console";
import { UNKNOWN_DEVICE } from "./sign-in-try";
import { enterByFactor, enterByEnrolment, enterByPassword } from "./entry";
import { startEnrolment } from "./factor";
import type { Role } from "@/lib/permission/permission";
import { signInStep, staffMembership, staffSession, staffTotp } from "@/lib/db/tables/auth";
import { findSession, findSessions, openSessionFor, type Session } from "./sessions";

const WHO = { email: "ana@aurora.example", password: "a good long password" };
const openSessions = async () => (await db.select().from(staffSession)).filter(({ endedAt }) => endedAt === null);

let db: Db;
let staffId = "";
let secret = "";

async function given(...roles: Role[]): Promise<void> {
  const person = { ...WHO, name: "Ana Prado", roles, tenants: ["aurora"] };
  staffId = (await addStaff(db, person))?.id ?? "";
}

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
});

const code = (steps = 0) => generateSync({ secret, epoch: Date.now() / 1000 + 30 * steps });
const idOf = (entered: unknown) =>
  typeof entered === "object" && entered !== null && "sessionId" in entered ? String(entered.sessionId) : "";
const stepOf = (entered: unknown) =>
  typeof entered === "object" && entered !== null && "step" in entered ? String(entered.step) : "";
const byPassword = () => enterByPassword({ ...WHO, device: UNKNOWN_DEVICE });
async function opened(entered: unknown): Promise<Session> {
  const session = await findSession(idOf(entered));
  if (session === null) throw new Error("nobody came in");
  return session;
}

/** Sets an app up from a session, as the screen does. */
async function enrol(session: Session): Promise<Session> {
  secret = (await startEnrolment(db, session.staffId, session.email)).secret;
  const entered = await enterByEnrolment(session, code());
  await db.update(staffTotp).set({ lastStep: 0 });
  return opened(entered);
}

describe("who holds a role that needs a second factor", () => {
  it.each<Role>(["support", "compliance", "finance", "approver", "admin"])(
    "requires a second factor: %s",
    async (role) => {
      await given("auditor", role);
      const session = await opened(await byPassword());
      expect(session.mustEnrol).toBe(true);
      expect(await findSessions([{ idHash: session.idHash, address: null }])).toEqual([null]);
    },
  );

  it("requires no second factor of auditors", async () => {
    await given("auditor");
    expect((await opened(await byPassword())).mustEnrol).toBe(false);
  });

  it("requires a second factor of everybody when the settings say so", async () => {
    givenEnv({ secondFactorFor: "everyone" });
    await given("auditor");
    const session = await opened(await byPassword());
    expect(session.mustEnrol).toBe(true);
    expect(await findSessions([{ idHash: session.idHash, address: null }])).toEqual([null]);
    expect(await enrol(session)).toMatchObject({ mustEnrol: false, secondFactor: true });
  });

  it("requires a second factor for a role at any tenant", async () => {
    const [aurora] = givenEnv().tenants;
    givenEnv({ tenants: [aurora, { ...aurora, clientId: "boreal", name: "Boreal" }] });
    await given("auditor");
    await db.insert(staffMembership).values({ staffId, tenant: "boreal", roles: ["finance"] });
    expect(await opened(await byPassword())).toMatchObject({ tenant: "aurora", mustEnrol: true });
  });

  it("requires no second factor in the demo, whose password is public", async () => {
    await given("admin");
    givenEnv({ isEmbedded: true });
    await db.update(staff).set({ isDemo: true });
    expect((await opened(await byPassword())).mustEnrol).toBe(false);
  });

  it("enters with the app's first code and a new session id; other sessions end", async () => {
    await given("finance");
    const old = await byPassword();
    const other = await byPassword();
    const session = await enrol(await opened(old));
    expect(session).toMatchObject({ mustEnrol: false, secondFactor: true, isProven: true });
    expect(await findSession(idOf(old))).toBeNull();
    expect(await findSession(idOf(other))).toBeNull();
    expect(await db.select().from(staffSession).where(eq(staffSession.endReason, "factor-changed"))).toHaveLength(1);
  });

  it("refuses to replace the app by the password alone, even in an open session", async () => {
    await given("finance");
    await enrol(await opened(await byPassword()));
    const opening = { staffId, tenant: "aurora", how: "password", secondFactor: false } as const;
    const leftOver = { sessionId: await db.transaction((tx) => openSessionFor(tx, opening)) };
    const { secret: another } = await startEnrolment(db, staffId, WHO.email);
    const entered = await enterByEnrolment(await opened(leftOver), generateSync({ secret: another }));
    expect(entered).toBe("expired");
    expect(await opened(await enterByFactor(stepOf(await byPassword()), code()))).toMatchObject({ secondFactor: true });
  });

  it("refuses a wrong first code or an ended session", async () => {
    await given("finance");
    const session = await opened(await byPassword());
    await startEnrolment(db, staffId, WHO.email);
    expect(await enterByEnrolment(session, "000000")).toBe("wrong");
    expect(await enterByEnrolment(null, "000000")).toBe("expired");
    expect((await findSession(""))?.mustEnrol).toBeUndefined();
  });
});

describe("signing in with a second factor", () => {
  let step = "";
  beforeEach(async () => {
    await given("finance");
    await enrol(await opened(await byPassword()));
    step = stepOf(await byPassword());
  });

  it("opens no session with the password alone", async () => {
    expect(step).not.toBe("");
    expect(await openSessions()).toHaveLength(1);
    expect(await findSession(step)).toBeNull();
    expect(JSON.stringify(await db.select().from(signInStep))).not.toContain(step);
  });

  it("opens one session with the code, which is then used up", async () => {
    const entered = await enterByFactor(step, code());
    expect(await opened(entered)).toMatchObject({ staffId, secondFactor: true, mustEnrol: false });
    expect(await enterByFactor(step, code(1))).toBe("expired");
    expect(await openSessions()).toHaveLength(2);
  });

  it("opens one session for many concurrent uses of a code", async () => {
    const again = stepOf(await byPassword());
    const entered = await Promise.all([step, step, again].map((id) => enterByFactor(id, code())));
    expect(entered.filter((one) => idOf(one) !== "")).toHaveLength(1);
  });

  it("gives the same message for old, invented and used codes", async () => {
    await enterByFactor(stepOf(await byPassword()), code());
    for (const typed of [code(), code(-5), "000000", "", "aaaa-bbbb-cccc-dddd"]) {
      expect(await enterByFactor(step, typed)).toBe("wrong");
    }
    expect(await enterByFactor(step, "000000")).toEqual({ waitMs: expect.any(Number) });
  });

  it("starts over after five minutes and refuses an invented step", async () => {
    await db.update(signInStep).set({ expiresAt: sql`clock_timestamp()` });
    expect(await enterByFactor(step, code())).toBe("expired");
    expect(await enterByFactor("made-up", code())).toBe("expired");
    expect(await enterByFactor(null, code())).toBe("expired");
  });

  it("refuses a person disabled between the two steps", async () => {
    await db.update(staff).set({ disabledAt: new Date() });
    expect(await enterByFactor(step, code())).toBe("expired");
  });
});
