import { asc, eq, sql } from "drizzle-orm";
import { generateSync } from "otplib";
import { beforeEach, describe, expect, it } from "vitest";
import { readInvitation } from "@/lib/staff/acceptance";
import { invite } from "@/lib/staff/invitations";
import { addStaff, setBreakGlass } from "@/lib/staff/records";
import { staff } from "@/lib/db/tables/staff";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import type { Oidc } from "@/lib/settings/oidc-settings";
import { givenEnv, givenStore } from "@/test/support/console";
import { Claims, enterByProvider } from "./single-sign-on";
import { UNKNOWN_DEVICE } from "./sign-in-try";
import { confirmEnrolment, startEnrolment } from "./factor";
import { staffIdentity, staffMembership, staffSession } from "@/lib/db/tables/auth";
import { hashPassword, verifyPassword } from "./password";
import { findSession, notePresence, openSessionFor, renewSession, type Session } from "./sessions";
import { findPasswordLink, makePasswordLink } from "./sign-in";

const [aurora] = givenEnv().tenants;
const boreal = { ...aurora, clientId: "boreal", name: "Boreal" };
const oidc: Oidc = {
  issuer: "https://login.aurora.example",
  clientId: "retaguarda",
  clientSecret: "s",
  rolesClaim: "groups",
  roleMap: { desk: ["support"], money: ["finance"], "boreal-audit": { boreal: ["auditor"] } },
  trustsMfa: "amr",
  trustsEmail: false,
  tokenAlgorithm: "RS256",
};
const justNow = Math.floor(Date.now() / 1000);
const ana = {
  auth_time: justNow,
  sub: "ana-7",
  email: "Ana@aurora.example",
  email_verified: true,
  name: "Ana Prado",
  groups: ["desk"],
};

let db: Db;
/** People told that their account was linked to the provider. */
let told: string[] = [];
beforeEach(async () => {
  told = [];
  givenEnv({ tenants: [aurora, boreal] });
  db = await givenStore();
});

const enter = (changes: Record<string, unknown> = {}, settings: Partial<Oidc> = {}) =>
  enterByProvider(
    { claims: Claims.parse({ ...ana, ...changes }), oidc: { ...oidc, ...settings }, device: UNKNOWN_DEVICE },
    {
      linked: async ({ email }) => void told.push(email),
      untold: async ({ person, admins }) =>
        void told.push(`${admins.map(({ email }) => email).join()}: ${person.email}`),
    },
  );

async function session(entered: Awaited<ReturnType<typeof enter>>): Promise<Session> {
  const found = typeof entered === "object" && "sessionId" in entered ? await findSession(entered.sessionId) : null;
  if (found === null) throw new Error(`nobody came in: ${JSON.stringify(entered)}`);
  return found;
}
const memberships = async () =>
  (await db.select().from(staffMembership)).map(({ tenant, roles }) => `${tenant}: ${roles.join(",")}`).toSorted();
const recorded = async (code: string) =>
  db
    .select({
      tenant: auditEvent.tenant,
      actor: auditEvent.actor,
      outcome: auditEvent.outcome,
      detail: auditEvent.detail,
    })
    .from(auditEvent)
    .where(eq(auditEvent.code, code))
    .orderBy(asc(auditEvent.tenant), asc(auditEvent.seq));
const local = { email: "ana@aurora.example", name: "Ana", password: "a good long password", tenants: ["aurora"] };

describe("somebody whom the company's provider vouches for", () => {
  it("creates a person without a password on the first sign-in", async () => {
    expect(await session(await enter())).toMatchObject({ name: "Ana Prado", tenant: "aurora", roles: ["support"] });
    expect(await db.select().from(staff)).toMatchObject([{ email: "Ana@aurora.example", passwordHash: null }]);
    expect(await memberships()).toEqual(["aurora: support", "boreal: support"]);
    expect(await db.select().from(staffSession)).toMatchObject([{ how: "oidc" }]);
  });

  it("signs in as the existing person of the same e-mail, once", async () => {
    const known = await addStaff(db, { ...local, roles: ["auditor"] });
    expect((await session(await enter())).staffId).toBe(known?.id);
    expect(await db.select().from(staffIdentity)).toMatchObject([{ subject: "ana-7", staffId: known?.id }]);
    expect(await memberships()).toEqual(["aurora: support", "boreal: support"]);
  });

  it("closes every earlier way into the account at the first single sign-on", async () => {
    const known = await addStaff(db, { ...local, roles: ["admin"] });
    const staffId = known?.id ?? "";
    const opening = { staffId, tenant: "aurora", how: "password", secondFactor: false } as const;
    const before = await db.transaction((tx) => openSessionFor(tx, opening));
    const { secret } = await startEnrolment(db, staffId, ana.email);
    const code = generateSync({ secret, epoch: Date.now() / 1000 });
    await db.transaction((tx) => confirmEnrolment(tx, { staffId, tenant: "aurora" }, code));
    const link = await db.transaction((tx) => makePasswordLink(tx, { staffId, tenant: "aurora", issuedBy: staffId }));
    const asked = { email: "eva@aurora.example", name: "Eva", roles: ["admin" as const] };
    const invitation = await invite(db, { id: staffId, tenant: "aurora" }, asked);
    const entered = await session(await enter({}, { roleMap: { desk: ["admin"] }, trustsMfa: "always" }));
    expect(entered).toMatchObject({ staffId, roles: ["admin"] });
    await expect(readInvitation(db, invitation.token, null)).rejects.toMatchObject({ kind: "not-found" });
    expect(await findSession(before)).toBeNull();
    expect(await findPasswordLink(db, link.token)).toBeNull();
    expect(await db.select({ passwordHash: staff.passwordHash }).from(staff)).toEqual([{ passwordHash: null }]);
    expect(await recorded("staff.link")).toMatchObject([
      {
        tenant: "aurora",
        actor: "oidc",
        detail: { hadPassword: true, hadFactor: true, sessionsEnded: 1, invitationsRevoked: 1 },
      },
    ]);
    await session(await enter());
    expect(await recorded("staff.link")).toHaveLength(1);
  });

  it("keeps only the password of a break-glass account", async () => {
    const known = await addStaff(db, { ...local, roles: ["support"] });
    const staffId = known?.id ?? "";
    await setBreakGlass(db, staffId, await hashPassword("uma frase para o dia ruim"));
    const opening = { staffId, tenant: "aurora", how: "password", secondFactor: false } as const;
    const before = await db.transaction((tx) => openSessionFor(tx, opening));
    expect((await session(await enter())).staffId).toBe(staffId);
    expect(await findSession(before)).toBeNull();
    const [person] = await db.select().from(staff);
    expect(await verifyPassword(person?.passwordHash ?? null, "uma frase para o dia ruim")).toBe(true);
    expect(await recorded("staff.link")).toMatchObject([{ detail: { hadPassword: true, isBreakGlass: true } }]);
  });

  it("mails one notice when a local account is linked, and none to a new person", async () => {
    await enter({ sub: "eva-1", email: "eva@aurora.example" });
    expect(told).toEqual([]);
    await addStaff(db, { ...local, roles: ["support"] });
    await enter();
    await enter();
    expect(told).toEqual([local.email]);
  });

  it("ends a single sign-on session after twelve hours, even after a new proof", async () => {
    const before = await session(await enter());
    const pass = (hours: number) =>
      db.update(staffSession).set({ expiresAt: sql`${staffSession.expiresAt} - ${hours} * interval '1 hour'` });
    await pass(11.99);
    const renewed = await db.transaction((tx) => renewSession(tx, before.idHash, { secondFactor: false }));
    const late = await findSession(renewed ?? "");
    expect(late?.staffId).toBe(before.staffId);
    if (late !== null) await notePresence(late);
    await pass(0.02);
    expect(await findSession(renewed ?? "")).toBeNull();
  });

  it.each([
    ["just now", justNow, true],
    ["an hour ago", justNow - 3600, false],
    ["in what the provider takes for the future", justNow + 3600, true],
    ["at a time that it does not tell", undefined, false],
  ])("counts as recently proven when signed in there %s: %s, %s", async (_, auth_time, isProven) => {
    expect(await session(await enter({ auth_time }))).toMatchObject({ isProven });
  });

  it("keeps the same person when the e-mail changes but the subject does not", async () => {
    const first = await session(await enter());
    const second = await session(await enter({ email: "ana.silva@aurora.example", email_verified: false }));
    expect(second.staffId).toBe(first.staffId);
  });

  it("creates one person for two concurrent first sign-ins", async () => {
    const [one, two] = await Promise.all([enter(), enter()]);
    expect((await session(one)).staffId).toBe((await session(two)).staffId);
    expect(await db.select().from(staff)).toHaveLength(1);
  });

  it.each([
    ["an e-mail that the provider did not verify", { email_verified: false }],
    ["an e-mail that nothing is said of", { email_verified: undefined }],
    ["no e-mail", { email: undefined }],
    ["something that is no e-mail", { email: "ana" }],
  ])("refuses a first sign-in with %s", async (_, changes) => {
    expect(await enter(changes)).toBe("sso-unverified");
    expect(await db.select().from(staff)).toEqual([]);
  });

  it("accepts an unverified e-mail only where the settings trust it", async () => {
    const trusting = { trustsEmail: true };
    expect(await enter({ email_verified: false }, trusting)).toBe("sso-unverified");
    await session(await enter({ email_verified: undefined }, trusting));
  });

  it("refuses to take over a person linked to another subject", async () => {
    await enter();
    expect(await enter({ sub: "impostor" })).toBe("sso-taken");
  });

  it("refuses to take over a demo person, whose password is public", async () => {
    await addStaff(db, { ...local, roles: ["admin"], isDemo: true });
    expect(await enter()).toBe("sso-taken");
  });

  it("reports a missing role and creates no person", async () => {
    expect(await enter({ groups: ["another-team"] })).toBe("sso-unmapped");
    expect(await enter({ groups: ["constructor"] })).toBe("sso-unmapped");
    expect(await db.select().from(staff)).toEqual([]);
    expect(await recorded("session.open")).toMatchObject([
      { actor: "nobody", outcome: "REFUSED", detail: { how: "oidc", why: "sso-unmapped" } },
      {},
    ]);
  });

  it("keeps a person disabled here out, whatever the provider says", async () => {
    await enter();
    await db.update(staff).set({ disabledAt: new Date() });
    expect(await enter()).toBe("sso-disabled");
  });

  it("lets a person work at other tenants when excluded from one", async () => {
    await enter();
    await db.update(staffMembership).set({ disabledAt: new Date() }).where(eq(staffMembership.tenant, "aurora"));
    expect((await session(await enter())).tenant).toBe("boreal");
    await db.update(staffMembership).set({ disabledAt: new Date() });
    expect(await enter()).toBe("sso-disabled");
  });
});

describe("the roles of a person at the company's provider", () => {
  it("replaces local roles at every sign-in; a change ends the other sessions", async () => {
    const before = await session(await enter());
    const after = await session(await enter({ groups: ["money", "boreal-audit"] }));
    expect(await memberships()).toEqual(["aurora: finance", "boreal: finance,auditor"]);
    expect(after.roles).toEqual(["finance"]);
    const [ended] = await db.select().from(staffSession).where(eq(staffSession.idHash, before.idHash));
    expect(ended).toMatchObject({ endReason: "roles-changed", endedBy: "oidc" });
    expect(await recorded("staff.roles")).toMatchObject([
      { tenant: "aurora", actor: "oidc", detail: { before: "", after: "support" } },
      { tenant: "aurora", actor: "oidc", detail: { before: "support", after: "finance" } },
      { tenant: "boreal", actor: "oidc", detail: { before: "", after: "support" } },
      { tenant: "boreal", actor: "oidc", detail: { before: "support", after: "auditor,finance" } },
    ]);
  });

  it("leaves sessions and audit alone when the roles are unchanged", async () => {
    const before = await session(await enter());
    await enter({ groups: "desk" });
    const [stored] = await db.select().from(staffSession).where(eq(staffSession.idHash, before.idHash));
    expect(stored?.endedAt).toBeNull();
    expect(await recorded("staff.roles")).toHaveLength(2);
  });

  it("signs a person out at once when all roles are gone", async () => {
    await enter();
    expect(await enter({ groups: [] })).toBe("sso-unmapped");
    expect(await memberships()).toEqual([]);
    expect((await db.select().from(staffSession)).every(({ endedAt }) => endedAt !== null)).toBe(true);
  });

  it.each([
    ["no groups claim", { groups: undefined }],
    ["groups that are kept elsewhere", { groups: undefined, _claim_names: { groups: "src1" }, _claim_sources: {} }],
    ["groups of which some are kept elsewhere", { groups: [], _claim_names: { groups: "src1" } }],
    ["groups that nobody can read", { groups: { 0: "desk" } }],
    ["groups that are no texts", { groups: [7] }],
    ["groups of null", { groups: null }],
    ["several groups in one text", { groups: "desk,money" }],
    ["several groups between blanks", { groups: "desk money" }],
    ["groups as JSON in a text", { groups: '["desk"]' }],
    ["an empty text", { groups: "" }],
    ["an empty group", { groups: [""] }],
    ["groups in one text of a list", { groups: ["desk,money"] }],
  ])("keeps roles and sessions when a sign-in brings %s", async (_, changes) => {
    const glass = { ...local, email: "glass@aurora.example", roles: ["admin" as const] };
    await addStaff(db, glass);
    const before = await session(await enter());
    const held = await memberships();
    expect(await enter(changes)).toBe("sso-untold");
    expect(await enter(changes)).toBe("sso-untold");
    expect(await memberships()).toEqual(held);
    const [stored] = await db.select().from(staffSession).where(eq(staffSession.idHash, before.idHash));
    expect(stored?.endedAt).toBeNull();
    expect(told).toEqual(["glass@aurora.example: Ana@aurora.example"]);
    const refused = (await recorded("session.open")).filter(({ outcome }) => outcome === "REFUSED");
    expect(refused.map(({ tenant }) => tenant)).toEqual(["aurora", "aurora", "boreal", "boreal"]);
    expect(refused[0]).toMatchObject({ actor: before.staffId, detail: { how: "oidc", why: "sso-untold" } });
  });

  it("derives no roles from groups that the token lacks", async () => {
    expect(await enter({ groups: undefined })).toBe("sso-untold");
    expect(await db.select().from(staff)).toEqual([]);
  });

  it("reads roles from a single text that names one group", async () => {
    const oneGroup = { roleMap: { "Desk admins": ["support" as const] } };
    expect(await session(await enter({ groups: "Desk admins" }, oneGroup))).toMatchObject({ roles: ["support"] });
    expect(await enter({ groups: "another-team" }, oneGroup)).toBe("sso-unmapped");
  });

  it("matches an e-mail in any case", async () => {
    const joao = { sub: "joao", email: "JOÃO@aurora.example" };
    expect(await session(await enter(joao))).toMatchObject({ email: "joão@aurora.example" });
    expect(await session(await enter(joao))).toMatchObject({ email: "joão@aurora.example" });
    expect(await db.select().from(staff)).toHaveLength(1);
  });

  it("reads roles from a nested claim or one with dots in its name", async () => {
    const within = { groups: undefined, realm_access: { roles: ["desk"] } };
    expect((await session(await enter(within, { rolesClaim: "realm_access.roles" }))).roles).toEqual(["support"]);
    const named = { groups: undefined, "https://aurora.example/roles": ["money"] };
    const settings = { rolesClaim: "https://aurora.example/roles" };
    expect((await session(await enter(named, settings))).roles).toEqual(["finance"]);
  });

  it("keeps a tenant's last admin, and audits that", async () => {
    await addStaff(db, { ...local, roles: ["admin", "finance"] });
    const entered = await enter({ groups: ["desk"], amr: ["mfa"] });
    expect((await session(entered)).roles).toEqual(["support", "admin"]);
    expect(await memberships()).toEqual(["aurora: support,admin", "boreal: support"]);
    const stored = { before: "admin,finance", after: "admin,support", why: "last-admin" };
    expect((await recorded("staff.roles")).filter(({ outcome }) => outcome === "REFUSED")).toMatchObject([
      { tenant: "aurora", actor: "oidc", detail: stored },
    ]);
    expect((await session(await enter({ groups: [], amr: ["mfa"] }))).roles).toEqual(["admin"]);
  });

  it("removes an admin once a local account is admin, too", async () => {
    await addStaff(db, { ...local, roles: ["admin"] });
    await addStaff(db, { ...local, email: "glass@aurora.example", roles: ["admin"] });
    expect((await session(await enter())).roles).toEqual(["support"]);
    expect(await recorded("staff.roles")).not.toContainEqual(expect.objectContaining({ outcome: "REFUSED" }));
  });

  it("keeps one admin when two sign in together and both lose the role", async () => {
    await addStaff(db, { ...local, roles: ["admin"] });
    await addStaff(db, { ...local, email: "rui@aurora.example", roles: ["admin"] });
    await Promise.all([enter(), enter({ sub: "rui-9", email: "rui@aurora.example" })]);
    expect((await memberships()).filter((held) => held.startsWith("aurora"))).toEqual([
      "aurora: support",
      "aurora: support,admin",
    ]);
  });

  it("grants nothing at another tenant", async () => {
    expect(await session(await enter({ groups: ["boreal-audit"] }))).toMatchObject({
      tenant: "boreal",
      roles: ["auditor"],
    });
    expect(await memberships()).toEqual(["boreal: auditor"]);
  });
});

describe("the second factor of single sign-on", () => {
  const money = { groups: ["money"] };

  it("counts the provider's second factor when its token says so", async () => {
    expect(await session(await enter({ ...money, amr: ["pwd", "mfa"] }))).toMatchObject({
      secondFactor: true,
      mustEnrol: false,
    });
  });

  it("requires a second factor here when the token is silent and the role needs one", async () => {
    for (const amr of [undefined, ["pwd"], "mfa"]) {
      expect(await session(await enter({ ...money, amr }))).toMatchObject({ secondFactor: false, mustEnrol: true });
    }
  });

  it("counts the provider's factor always or never when the settings say so", async () => {
    expect((await session(await enter(money, { trustsMfa: "always" }))).mustEnrol).toBe(false);
    expect((await session(await enter({ ...money, amr: ["mfa"] }, { trustsMfa: "never" }))).mustEnrol).toBe(true);
  });

  it("asks for the second factor here before opening a session", async () => {
    const { staffId, tenant } = await session(await enter(money));
    const { secret } = await startEnrolment(db, staffId, ana.email);
    const code = generateSync({ secret, epoch: Date.now() / 1000 });
    await db.transaction((tx) => confirmEnrolment(tx, { staffId, tenant }, code));
    expect(await enter(money)).toEqual({ step: expect.any(String) });
    expect(await db.select().from(staffSession)).toHaveLength(1);
    expect((await session(await enter({ ...money, amr: ["mfa"] }))).secondFactor).toBe(true);
  });
});
