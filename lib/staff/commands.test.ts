import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { verifyPassword } from "@/lib/auth/password";
import { staffIdentity, staffMembership } from "@/lib/db/tables/auth";
import { findSession, openSessionFor } from "@/lib/auth/sessions";
import { CommandRefusal } from "@/lib/db/command";
import { answerCommand } from "@/lib/boot/commands";
import { staff } from "@/lib/db/tables/staff";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { issuePasswordLink } from "./password-links";

const [aurora] = givenEnv().tenants;
const boreal = { ...aurora, clientId: "boreal", name: "Boreal" };

let db: Db;
let admin = "";
let ana = "";
const emailOf = (id: string) => `${id}@aurora.example`;
const ask = (command: string, input: object) => answerCommand(db, { command: `staff:${command}`, input });
const session = (staffId: string) =>
  db.transaction((tx) => openSessionFor(tx, { staffId, tenant: "aurora", how: "password", secondFactor: true }));
const membershipsOf = (staffId: string) =>
  db.select().from(staffMembership).where(eq(staffMembership.staffId, staffId));

const password = "uma frase para o dia ruim";
const person = async () => (await db.select().from(staff).where(eq(staff.id, ana)))[0];
const setPassword = (given: string | null) => ask("break-glass", { email: emailOf(ana), password: given });
const link = () => db.insert(staffIdentity).values({ issuer: "https://login.example", subject: "ana", staffId: ana });

beforeEach(async () => {
  givenEnv({ tenants: [aurora, boreal] });
  db = await givenStore();
  admin = await givenStaff(db, "admin");
  ana = await givenStaff(db, "support");
});

describe("the command line of staff", () => {
  it("lists who works where, and who is invited", async () => {
    await ask("invite", { email: "eva@boreal.example", name: "Eva", roles: ["auditor"], tenant: "boreal" });
    const listed = await ask("list", { tenants: ["aurora", "boreal"] });
    expect(listed).toHaveLength(3);
    expect(listed).toMatchObject([
      { tenant: "aurora", state: "active" },
      { tenant: "aurora", state: "active" },
      { tenant: "boreal", state: "invited", email: "eva@boreal.example", roles: ["auditor"] },
    ]);
  });

  it("grants roles, and audits that it was by command", async () => {
    const open = await session(ana);
    await ask("roles", { email: emailOf(ana), tenants: ["aurora"], roles: ["finance"] });
    expect(await membershipsOf(ana)).toMatchObject([{ roles: ["finance"] }]);
    expect(await findSession(open)).toBeNull();
    expect(await db.select().from(auditEvent).where(eq(auditEvent.code, "staff.roles"))).toMatchObject([
      { actor: "command", detail: { before: "support", after: "finance" } },
    ]);
  });

  it("prints a link that this console accepts", async () => {
    const answer = await ask("invite", {
      email: "eva@aurora.example",
      name: "Eva",
      roles: ["support"],
      tenant: "aurora",
    });
    expect(answer).toMatchObject({ link: expect.stringMatching(/^http:\/\/localhost:3000\/invite#[\w-]{43}$/) });
  });

  it("disables a person at one tenant or everywhere, and enables them again", async () => {
    await db.insert(staffMembership).values({ staffId: ana, tenant: "boreal", roles: ["auditor"] });
    const open = await session(ana);
    await ask("disable", { email: emailOf(ana), tenant: "aurora" });
    expect(await findSession(await session(ana))).toMatchObject({ tenant: "boreal" });
    await ask("disable", { email: emailOf(ana), tenant: null });
    expect(await findSession(await session(ana))).toBeNull();
    await ask("enable", { email: emailOf(ana), tenant: null });
    expect(await findSession(await session(ana))).toMatchObject({ tenant: "aurora", roles: ["support"] });
    expect(await findSession(open)).toBeNull();
  });

  it("resets a second factor, and says when there was none", async () => {
    expect(await ask("reset-mfa", { email: emailOf(ana) })).toBe(false);
  });

  describe("of a break-glass account", () => {
    it("sets a password beside single sign-on and closes every other way in", async () => {
      await link();
      await db.update(staff).set({ passwordHash: null });
      const open = await session(ana);
      await setPassword(password);
      expect(await verifyPassword((await person())?.passwordHash ?? null, password)).toBe(true);
      expect(await findSession(open)).toBeNull();
      expect(await ask("list", { tenants: ["aurora"] })).toContainEqual(
        expect.objectContaining({ email: emailOf(ana), isBreakGlass: true }),
      );
      await session(ana);
      const trail = await db.select().from(auditEvent).where(eq(auditEvent.tenant, "aurora")).orderBy(auditEvent.seq);
      expect(trail.filter(({ code }) => code === "staff.break-glass")).toMatchObject([
        { actor: "command", object: `staff:${ana}`, detail: { before: false, after: true, sessionsEnded: 1 } },
      ]);
      expect(trail.findLast(({ code }) => code === "session.open")?.detail).toMatchObject({ isBreakGlass: true });
    });

    it("removes the password only from a person with single sign-on", async () => {
      await setPassword(password);
      await setPassword(null);
      expect(await person()).toMatchObject({ isBreakGlass: false, passwordHash: expect.any(String) });
      await setPassword(password);
      await link();
      await setPassword(null);
      expect(await person()).toMatchObject({ isBreakGlass: false, passwordHash: null });
    });

    it("refuses a guessable password", async () => {
      await expect(setPassword("short")).rejects.toBeInstanceOf(CommandRefusal);
    });

    it("refuses an administrator a link to its password", async () => {
      await setPassword(password);
      const managed = { manager: { id: admin, tenant: "aurora" }, staffId: ana };
      await expect(issuePasswordLink(db, managed, false)).rejects.toMatchObject({ details: { code: "break-glass" } });
      await expect(ask("password-link", { email: emailOf(ana) })).resolves.toMatchObject({ link: expect.any(String) });
    });
  });

  it.each([
    ["the last admin", "roles", () => ({ email: emailOf(admin), tenants: ["aurora"], roles: ["support"] })],
    ["the last admin", "disable", () => ({ email: emailOf(admin), tenant: null })],
    ["no account", "enable", () => ({ email: "nobody@aurora.example", tenant: null })],
    ["not work at that tenant", "roles", () => ({ email: emailOf(ana), tenants: ["boreal"], roles: ["support"] })],
    [
      "work at that tenant already",
      "invite",
      () => ({ email: emailOf(ana), name: "Ana", roles: ["admin"], tenant: "aurora" }),
    ],
  ])("refuses in one sentence: %s (%s)", async (sentence, command, input) => {
    await expect(ask(command, input())).rejects.toThrow(sentence);
    await expect(ask(command, input())).rejects.toBeInstanceOf(CommandRefusal);
  });
});
