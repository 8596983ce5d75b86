import { asc, eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { addStaff } from "@/lib/staff/records";
import { staff } from "@/lib/db/tables/staff";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { givenEnv, givenStore } from "@/test/support/console";
import type { Role } from "@/lib/permission/permission";
import { staffAddress, staffMembership, staffSession } from "@/lib/db/tables/auth";
import { endSession, findSession, moveSession, SESSION_LIFETIME_MS } from "./sessions";
import { isKnownAt } from "./sign-in";
import { forgetOldTries } from "./sign-in-try";
import { openSession } from "@/test/support/auth";

const PASSWORD = "a good long password";
const EMAIL = "Ana.Prado@aurora.example";

let db: Db;
let staffId = "";
beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  const person = { email: EMAIL, name: "Ana Prado", roles: ["compliance" as const], password: PASSWORD };
  staffId = (await addStaff(db, { ...person, tenants: ["aurora"] }))?.id ?? "";
});

async function signedIn(): Promise<string> {
  const opened = await openSession(EMAIL, PASSWORD);
  return opened?.sessionId ?? "";
}

const attempts = () =>
  db
    .select({ actor: auditEvent.actor, outcome: auditEvent.outcome })
    .from(auditEvent)
    .where(eq(auditEvent.code, "session.open"))
    .orderBy(asc(auditEvent.seq));

const [aurora] = givenEnv().tenants;
const boreal = { ...aurora, clientId: "boreal", name: "Boreal" };
const join = (tenant: string, ...roles: Role[]) => db.insert(staffMembership).values({ staffId, tenant, roles });
const leave = (tenant: string) => db.delete(staffMembership).where(eq(staffMembership.tenant, tenant));

/** Signs in and reads the session as the next request would. */
async function working() {
  const sessionId = await signedIn();
  const session = await findSession(sessionId);
  if (session === null) throw new Error("nobody is signed in");
  return { sessionId, session };
}

describe("signing in", () => {
  it("opens a session for the right password, in any case of the e-mail", async () => {
    const opened = await openSession("  ana.prado@AURORA.example ", PASSWORD);
    expect(opened?.staffId).toBe(staffId);
    expect(await findSession(opened?.sessionId ?? "")).toMatchObject({
      staffId,
      name: "Ana Prado",
      roles: ["compliance"],
      tenant: "aurora",
    });
    expect(await attempts()).toEqual([{ actor: staffId, outcome: "DONE" }]);
  });

  it.each([
    { what: "a wrong password", password: "another long password" },
    { what: "the password with a space behind it", password: `${PASSWORD} ` },
    { what: "an endless password", password: "x".repeat(100_000) },
    { what: "a person nobody knows", email: "nobody@aurora.example" },
    { what: "no e-mail at all", email: "", password: "" },
  ])("refuses $what and audits it", async ({ email = EMAIL, password = PASSWORD }) => {
    expect(await openSession(email, password)).toBeNull();
    expect(await attempts()).toEqual([{ actor: email === EMAIL ? staffId : "nobody", outcome: "REFUSED" }]);
    expect(await db.select().from(staffSession)).toEqual([]);
  });

  it("refuses the sign-in of a disabled person", async () => {
    await db.update(staff).set({ disabledAt: new Date() });
    expect(await openSession(EMAIL, PASSWORD)).toBeNull();
  });

  it("audits a sign-in without the password and the e-mail", async () => {
    await openSession(EMAIL, PASSWORD);
    await openSession(EMAIL, "wrong password, long");
    const written = JSON.stringify(await db.select().from(auditEvent));
    expect(written).not.toContain(PASSWORD);
    expect(written).not.toContain("wrong password");
    expect(written.toLowerCase()).not.toContain("ana.prado");
  });
});

describe("a demo person", () => {
  beforeEach(() => db.update(staff).set({ isDemo: true }));

  it("signs a demo person in while the provider is the embedded service", async () => {
    givenEnv({ isEmbedded: true });
    expect(await findSession(await signedIn())).toMatchObject({ staffId });
  });

  it("refuses a demo person at any other provider, as the password is public", async () => {
    expect(await openSession(EMAIL, PASSWORD)).toBeNull();
  });

  it("signs demo people out once the provider changes", async () => {
    givenEnv({ isEmbedded: true });
    const sessionId = await signedIn();
    givenEnv({ isEmbedded: false });
    expect(await findSession(sessionId)).toBeNull();
  });
});

describe("a session", () => {
  it("stores a session as a hash, so that a copied table opens nothing", async () => {
    const sessionId = await signedIn();
    const [row] = await db.select().from(staffSession);
    expect(JSON.stringify(row)).not.toContain(sessionId);
    expect(await findSession(row?.idHash ?? "")).toBeNull();
  });

  it("ends a session after twelve hours", async () => {
    const sessionId = await signedIn();
    const [row] = await db.select().from(staffSession);
    const lifetimeMs = Number(row?.expiresAt.getTime()) - Number(row?.createdAt.getTime());
    expect(Math.abs(lifetimeMs - SESSION_LIFETIME_MS)).toBeLessThan(5000);
    await db.update(staffSession).set({ expiresAt: new Date(Date.now() - 1) });
    expect(await findSession(sessionId)).toBeNull();
  });

  it("ends a session once and for good", async () => {
    const sessionId = await signedIn();
    const other = await signedIn();
    await endSession(sessionId);
    await endSession(sessionId);
    expect(await findSession(sessionId)).toBeNull();
    expect(await findSession(other)).not.toBeNull();
    expect(await db.select().from(auditEvent).where(eq(auditEvent.code, "session.end"))).toHaveLength(1);
  });

  it("ends a session at once when the person is disabled", async () => {
    const sessionId = await signedIn();
    await db.update(staff).set({ disabledAt: new Date() });
    expect(await findSession(sessionId)).toBeNull();
  });

  it("gives a session the current roles, not those of sign-in", async () => {
    const sessionId = await signedIn();
    await db.update(staffMembership).set({ roles: ["auditor"] });
    expect((await findSession(sessionId))?.roles).toEqual(["auditor"]);
  });

  it("finds no session for an invented id", async () => {
    for (const id of ["", "made-up", "' OR 1=1 --"]) expect(await findSession(id)).toBeNull();
  });
});

describe("a person of several tenants", () => {
  beforeEach(async () => {
    givenEnv({ tenants: [aurora, boreal] });
    await join("boreal", "auditor");
  });

  it("starts a person at the first tenant, with the roles held there", async () => {
    expect((await working()).session).toMatchObject({ tenant: "aurora", roles: ["compliance"] });
  });

  it("moves a session to another tenant with its roles, audited at both", async () => {
    const { sessionId, session } = await working();
    expect(await moveSession(session, "boreal")).toBe(true);
    expect(await findSession(sessionId)).toMatchObject({ tenant: "boreal", roles: ["auditor"] });
    const { tenant, actor, outcome, detail } = auditEvent;
    expect(
      await db.select({ tenant, actor, outcome, detail }).from(auditEvent).where(eq(auditEvent.code, "session.switch")),
    ).toEqual([
      { tenant: "aurora", actor: staffId, outcome: "DONE", detail: { direction: "out" } },
      { tenant: "boreal", actor: staffId, outcome: "DONE", detail: { direction: "in" } },
    ]);
  });

  it("starts a person at the tenant where they last were", async () => {
    await moveSession((await working()).session, "boreal");
    expect((await working()).session).toMatchObject({ tenant: "boreal" });
  });

  it("moves one session of the person and no other", async () => {
    const other = await working();
    await moveSession((await working()).session, "boreal");
    expect(await findSession(other.sessionId)).toMatchObject({ tenant: "aurora" });
  });

  it.each(["cobalto", "", "AURORA"])("refuses a tenant that the person does not belong to: %j", async (tenant) => {
    const { sessionId, session } = await working();
    expect(await moveSession(session, tenant)).toBe(false);
    expect(await findSession(sessionId)).toMatchObject({ tenant: "aurora" });
    expect(await db.select().from(auditEvent).where(eq(auditEvent.code, "session.switch"))).toMatchObject([
      { tenant: "aurora", outcome: "REFUSED" },
    ]);
  });

  it("moves on when a membership is withdrawn, and ends with the last one", async () => {
    const { sessionId } = await working();
    await leave("aurora");
    expect(await findSession(sessionId)).toMatchObject({ tenant: "boreal", roles: ["auditor"] });
    await leave("boreal");
    expect(await findSession(sessionId)).toBeNull();
  });

  it("hides a tenant missing from the settings", async () => {
    const { sessionId, session } = await working();
    await moveSession(session, "boreal");
    givenEnv({ tenants: [aurora] });
    expect(await findSession(sessionId)).toMatchObject({ tenant: "aurora" });
    expect(await moveSession(session, "boreal")).toBe(false);
    givenEnv({ tenants: [aurora, boreal] });
    expect(await findSession(sessionId)).toMatchObject({ tenant: "boreal" });
  });
});

describe("a person who belongs to no tenant", () => {
  it("refuses a person without a tenant like a wrong password", async () => {
    await leave("aurora");
    expect(await openSession(EMAIL, PASSWORD)).toBeNull();
    expect(await attempts()).toEqual([{ actor: staffId, outcome: "REFUSED" }]);
  });

  it("refuses a person when the settings name only other tenants", async () => {
    givenEnv({ tenants: [boreal] });
    expect(await openSession(EMAIL, PASSWORD)).toBeNull();
  });
});

const seen = (addressHash: string, days: number) =>
  db.insert(staffAddress).values({ staffId, addressHash, seenAt: sql`clock_timestamp() - ${days} * interval '1 day'` });

describe("an address that a person came from", () => {
  it("remembers a person's address for ninety days", async () => {
    await seen("office", 89);
    await seen("hotel", 91);
    expect([await isKnownAt(db, staffId, "office"), await isKnownAt(db, staffId, "hotel")]).toEqual([true, false]);
    await forgetOldTries(db);
    const stored = await db.select({ addressHash: staffAddress.addressHash }).from(staffAddress);
    expect(stored).toEqual([{ addressHash: "office" }]);
  });
});
