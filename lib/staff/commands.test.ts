import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { staffMembership } from "@/lib/auth/schema";
import { findSession, openSessionFor } from "@/lib/auth/sessions";
import { CommandRefusal } from "@/lib/command-refusal";
import { answerCommand } from "@/lib/commands";
import { auditEvent } from "@/lib/store/schema";
import type { Db } from "@/lib/store/store";
import { givenEnv, givenStaff, givenStore } from "@/lib/testing";

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

  it("gives roles, and says on record that it was by command", async () => {
    const open = await session(ana);
    await ask("roles", { email: emailOf(ana), tenants: ["aurora"], roles: ["finance"] });
    expect(await membershipsOf(ana)).toMatchObject([{ roles: ["finance"] }]);
    expect(await findSession(open)).toBeNull();
    expect(await db.select().from(auditEvent).where(eq(auditEvent.code, "staff.roles"))).toMatchObject([
      { actor: "command", detail: { before: "support", after: "finance" } },
    ]);
  });

  it("prints a link that this console answers", async () => {
    const answer = await ask("invite", {
      email: "eva@aurora.example",
      name: "Eva",
      roles: ["support"],
      tenant: "aurora",
    });
    expect(answer).toMatchObject({ link: expect.stringMatching(/^http:\/\/localhost:3000\/invite#[\w-]{43}$/) });
  });

  it("keeps a person out of one tenant, or out everywhere, and lets them back in", async () => {
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
