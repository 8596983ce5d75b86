import { APPROVABLE_WRITES } from "@/lib/writes/approvable";
import { NO_LIMITS } from "@/lib/permission/limits";
import { APPROVAL_KIND_NAMES, orderedWith } from "@/lib/permission/writes";
import { randomUUID } from "node:crypto";
import { desc, eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { ACTIONS, HANDLERS, PAGES } from "@/lib/permission/access";
import { hasPolicy } from "@/lib/approvals/view";
import { agree, authorise } from "@/lib/approvals/decide";
import { recoverAuthorised } from "@/lib/approvals/execute";
import { orderPolicyChange } from "@/lib/approvals/change-policy";
import { policyOf } from "@/lib/approvals/policy";
import { readPolicies } from "@/lib/approvals/queries";
import { approval } from "@/lib/db/tables/approvals";
import { startEnrolment } from "@/lib/auth/factor";
import { isCriticalRole, type Role, ROLES } from "@/lib/permission/permission";
import { staffInvitation, staffMembership, staffTotp } from "@/lib/db/tables/auth";
import * as mail from "@/lib/mail/send";
import { staff } from "@/lib/db/tables/staff";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { actorOf, givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { acceptAsNew } from "./acceptance";
import { findAuthorised, orderFactorReset, orderInvitation, orderRoles } from "./approvals";
import { deliver } from "./invitations";
import { readStaff } from "./listing";
import { disablePerson } from "./people";

const eva = { email: "eva@aurora.example", name: "Eva Lima" };
const password = "seven quiet lanterns";

let db: Db;
let first = "";
let second = "";
let ana = "";
const admin = (id = first) => actorOf("admin", id, "staff:manage");
const settings = (id = first) => actorOf("admin", id, "settings:manage");
const intentId = () => randomUUID();
const refused = (code: string) => ({ details: { code } });

const raise = (by = first, staffId = ana, roles: Role[] = ["support", "approver"], expected: Role[] = ["support"]) =>
  orderRoles(admin(by), { intentId: intentId(), staffId, roles, expected });
const inviting = (roles: Role[], by = first) => orderInvitation(admin(by), { intentId: intentId(), ...eva, roles });
const asking = (email: string, by = first) =>
  orderInvitation(admin(by), { intentId: intentId(), name: "Eva Lima", email, roles: ["approver"] });
const resetting = (by = first, staffId = ana) => orderFactorReset(admin(by), { intentId: intentId(), staffId });
const policyTo = (rule: "never" | "always", by = first) =>
  orderPolicyChange(settings(by), {
    intentId: intentId(),
    kind: "transfer.external",
    version: 0,
    rule,
    amount: null,
    ...NO_LIMITS,
    expiresAfterHours: 24,
  });

function idOf(ordered: object): string {
  if (!("approvalId" in ordered)) throw new Error("it was not proposed");
  return String(ordered.approvalId);
}
const agreeing = (approvalId: string, by = second) => authorise(APPROVABLE_WRITES, admin(by), { approvalId });
const waiting = async () =>
  (await readPolicies("aurora")).flatMap(({ kind, proposed }) => (proposed === null ? [] : [[kind, proposed.id]]));
const rolesOf = async (staffId: string) =>
  (await db.select().from(staffMembership).where(eq(staffMembership.staffId, staffId)))[0]?.roles;
const recorded = async (code: string) =>
  db.select().from(auditEvent).where(eq(auditEvent.code, code)).orderBy(desc(auditEvent.seq));

const say = (part: string, words: Record<string, string | number>) => `${part} ${words["link"]}`;
const invited = () => ({ id: intentId(), ...eva, roles: [], token: "t".repeat(43), expiresAt: new Date() });

/** A person who accepted this admin's invitation as an admin, and whose link the admin has seen. */
async function invitedAdmin(by: string): Promise<string> {
  const invitation = await orderInvitation(admin(by), { intentId: intentId(), ...eva, roles: ["auditor"] });
  if ("state" in invitation) throw new Error("it was proposed");
  await acceptAsNew(db, { token: invitation.token, name: eva.name, password });
  const [person] = await db.select().from(staff).where(eq(staff.email, eva.email));
  const staffId = person?.id ?? "";
  await db
    .update(staffMembership)
    .set({ roles: ["admin"] })
    .where(eq(staffMembership.staffId, staffId));
  return staffId;
}

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  first = await givenStaff(db, "admin");
  second = await givenStaff(db, "admin");
  ana = await givenStaff(db, "support");
});

describe("one administrator alone", () => {
  it.each<Role>(["support", "compliance", "approver", "finance", "admin"])(
    "cannot make anybody %s, directly or by invitation",
    async (role) => {
      expect(await raise(first, await givenStaff(db, "auditor"), ["auditor", role], ["auditor"])).toMatchObject({
        state: "PROPOSED",
      });
      expect(await inviting([role])).toMatchObject({ state: "PROPOSED" });
      expect((await db.select().from(staffMembership)).map(({ roles }) => roles.join())).toEqual([
        "admin",
        "admin",
        "support",
        "auditor",
      ]);
      expect(await db.select().from(staffInvitation)).toEqual([]);
    },
  );

  it("cannot invite into a role that moves money, decides or manages", async () => {
    const held = (await db.select().from(staffMembership)).length;
    for (const role of ROLES) {
      const asked = { intentId: intentId(), email: `${role}@aurora.example`, name: "Fantoche", roles: [role] };
      const made = await orderInvitation(admin(), asked);
      if ("token" in made) await acceptAsNew(db, { token: made.token, name: made.name, password });
      const puppet = await givenStaff(db, "auditor");
      await orderRoles(admin(), {
        intentId: intentId(),
        staffId: puppet,
        roles: ["auditor", role],
        expected: ["auditor"],
      });
    }
    const made = (await db.select().from(staffMembership)).flatMap(({ roles }) => roles);
    expect(made.filter((role) => role === "auditor")).toHaveLength(ROLES.length + 1);
    expect(made.filter(isCriticalRole)).toHaveLength(held);
  });

  it("creates one request per e-mail, in any case", async () => {
    const made = await Promise.allSettled([
      asking(eva.email),
      asking(eva.email.toUpperCase(), second),
      asking(eva.email),
    ]);
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await expect(asking(` ${eva.email}`)).rejects.toMatchObject(refused("invitation-waits"));
    await expect(inviting(["auditor"])).rejects.toMatchObject(refused("invitation-waits"));
    expect(await db.$count(approval)).toBe(1);
    expect(await asking("caio@aurora.example")).toMatchObject({ state: "PROPOSED" });
  });

  it("creates one request for ten concurrent orders of one change", async () => {
    const change = { intentId: intentId(), staffId: ana, roles: ["approver" as const], expected: ["support" as const] };
    const answers = await Promise.all(Array.from({ length: 10 }, () => orderRoles(admin(), change)));
    expect(new Set(answers.map(idOf)).size).toBe(1);
    expect(await db.$count(approval)).toBe(1);
  });

  it.each([
    ["a change of roles", (by: string) => raise(by)],
    ["a reset of the second factor", (by: string) => resetting(by)],
  ])("creates one request for ten ids by three administrators: %s", async (_what, ask) => {
    const admins = [first, second, await givenStaff(db, "admin")];
    const asked = Array.from({ length: 10 }, (_, nth) => ask(admins[nth % 3] ?? ""));
    const answers = await Promise.allSettled(asked);
    const reasons = answers.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
    expect(reasons).toMatchObject(Array.from({ length: 9 }, () => refused("approval-open")));
    expect(await db.$count(approval)).toBe(1);
  });

  it("takes nobody's second factor away", async () => {
    await startEnrolment(db, ana, "ana@aurora.example");
    expect(await resetting()).toMatchObject({ state: "PROPOSED" });
    expect(await db.select().from(staffTotp)).toHaveLength(1);
  });

  it("cannot propose against a replaced policy", async () => {
    await policyTo("always");
    await expect(policyTo("never")).rejects.toMatchObject(refused("policy-changed"));
    expect(await db.select().from(approval)).toEqual([]);
  });

  it("can tighten a policy at once, but not loosen it", async () => {
    expect(await policyTo("never")).toMatchObject({ state: "PROPOSED" });
    expect(await policyOf(db, "aurora", "transfer.external")).toMatchObject({ rule: "above", version: 0 });
    expect(await policyTo("always")).toMatchObject({ rule: "always", version: 1 });
  });

  it("shows the proposed looser policy beside the current one", async () => {
    const transfers = idOf(await policyTo("never"));
    const closing = { kind: "account.close", version: 0, rule: "never", amount: null, ...NO_LIMITS } as const;
    const change = { ...closing, intentId: intentId(), expiresAfterHours: 24 };
    const accounts = idOf(await orderPolicyChange(settings(second), change));
    expect(await waiting()).toEqual([
      ["transfer.external", transfers],
      ["account.close", accounts],
    ]);
    await agreeing(transfers);
    expect(await waiting()).toEqual([["account.close", accounts]]);
    expect(await readPolicies("other")).not.toContainEqual(expect.objectContaining({ proposed: expect.anything() }));
  });

  it("can do the rest at once: other roles, fewer roles, other invitations", async () => {
    expect(await raise(first, ana, ["auditor"])).toEqual({ state: "CHANGED" });
    expect(await inviting(["auditor"])).toMatchObject({ email: eva.email });
    const finance = await givenStaff(db, "finance", "support");
    const fewer = { intentId: intentId(), staffId: finance, roles: ["finance" as const] };
    expect(await orderRoles(admin(), { ...fewer, expected: ["finance", "support"] })).toEqual({ state: "CHANGED" });
  });

  it("cannot avoid the check by naming roles that the person never held", async () => {
    const forged = {
      intentId: intentId(),
      staffId: ana,
      roles: ["approver" as const],
      expected: ["approver" as const],
    };
    await expect(orderRoles(admin(), forged)).rejects.toMatchObject(refused("roles-changed"));
    expect(await rolesOf(ana)).toEqual(["support"]);
  });

  it("cannot approve one's own request, nor a related person's", async () => {
    const proposed = idOf(await raise());
    await expect(agreeing(proposed, first)).rejects.toMatchObject(refused("approval-own"));
    const made = await invitedAdmin(first);
    await expect(agreeing(proposed, made)).rejects.toMatchObject(refused("admin-not-independent"));
    const theirs = idOf(await policyTo("never", made));
    await expect(agreeing(theirs, first)).rejects.toMatchObject(refused("admin-not-independent"));
    expect(await recorded("approval.authorise")).toMatchObject([
      { actor: first, outcome: "REFUSED", detail: { why: "admin-not-independent" } },
      { actor: made, outcome: "REFUSED", detail: { why: "admin-not-independent" } },
      { actor: first, outcome: "REFUSED", detail: { why: "approval-own" } },
    ]);
    expect(await agreeing(proposed)).toEqual({ state: "EXECUTED", code: null });
    expect(await agreeing(theirs)).toEqual({ state: "EXECUTED", code: null });
  });

  it("reports when a second administrator is missing, with the command", async () => {
    await disablePerson(db, { id: first, tenant: "aurora" }, second);
    await invitedAdmin(first);
    const none = { kind: "conflict", ...refused("no-second-admin") };
    await expect(raise()).rejects.toMatchObject(none);
    await expect(resetting()).rejects.toMatchObject(none);
    await expect(policyTo("never")).rejects.toMatchObject(none);
  });
});

describe("a second administrator who agrees", () => {
  it("applies the roles at once, both on record", async () => {
    const approvalId = idOf(await raise());
    expect(await agreeing(approvalId)).toEqual({ state: "EXECUTED", code: null });
    expect(await rolesOf(ana)).toEqual(["support", "approver"]);
    expect(await recorded("staff.roles")).toMatchObject([{ actor: first, detail: { after: "support,approver" } }]);
    expect(await recorded("approval.execute")).toMatchObject([
      { actor: second, outcome: "DONE", detail: { authorisedBy: second, maker: first } },
    ]);
  });

  it("sends an authorised invitation, whose link nobody has seen", async () => {
    const approvalId = idOf(await inviting(["approver"]));
    expect(await findAuthorised(db, { tenant: "aurora", approvalId, shownTo: null })).toBeNull();
    await agreeing(approvalId);
    const invitation = await findAuthorised(db, { tenant: "aurora", approvalId, shownTo: null });
    await acceptAsNew(db, { token: invitation?.token ?? "", name: eva.name, password });
    const [person] = await db.select().from(staff).where(eq(staff.email, eva.email));
    expect(await rolesOf(person?.id ?? "")).toEqual(["approver"]);
  });

  it("counts a second administrator as the inviter after seeing the link", async () => {
    const approvalId = idOf(await inviting(["admin"]));
    await agreeing(approvalId);
    const inviter = async () => (await db.select().from(staffInvitation))[0]?.invitedBy;
    await findAuthorised(db, { tenant: "aurora", approvalId, shownTo: null });
    expect(await inviter()).toBe(first);
    await findAuthorised(db, { tenant: "aurora", approvalId, shownTo: second });
    expect(await inviter()).toBe(second);
  });

  it("shows a proposed invitation among the staff until it is made", async () => {
    const approvalId = idOf(await inviting(["approver"]));
    const stateOf = async () => (await readStaff(db, "aurora")).find(({ email }) => email === eva.email);
    expect(await stateOf()).toMatchObject({ id: approvalId, name: eva.name, roles: ["approver"], state: "proposed" });
    await agreeing(approvalId);
    expect(await stateOf()).toMatchObject({ roles: ["approver"], state: "invited" });
  });

  it("can remove a factor and loosen a policy", async () => {
    await startEnrolment(db, ana, "ana@aurora.example");
    await agreeing(idOf(await resetting()));
    expect(await db.select().from(staffTotp)).toEqual([]);
    await agreeing(idOf(await policyTo("never")));
    expect(await policyOf(db, "aurora", "transfer.external")).toMatchObject({ rule: "never", version: 1 });
    expect(await recorded("settings.approval-policy")).toMatchObject([{ actor: first, detail: { loosens: true } }]);
  });

  it("must be an administrator, not an approver of transfers", async () => {
    const approver = await givenStaff(db, "approver");
    const approvalId = idOf(await raise());
    const authorising = authorise(APPROVABLE_WRITES, actorOf("approver", approver, "approvals:authorize"), {
      approvalId,
    });
    await expect(authorising).rejects.toMatchObject({ kind: "forbidden", ...refused("staff:manage") });
    expect(await rolesOf(ana)).toEqual(["support"]);
  });

  it("changes nothing when the person or the maker changed", async () => {
    const changed = idOf(await raise());
    await db
      .update(staffMembership)
      .set({ roles: ["auditor"] })
      .where(eq(staffMembership.staffId, ana));
    expect(await agreeing(changed)).toEqual({ state: "FAILED", code: "roles-changed" });
    expect(await rolesOf(ana)).toEqual(["auditor"]);
    const orphaned = idOf(await policyTo("never"));
    await disablePerson(db, { id: second, tenant: "aurora" }, first);
    await expect(agreeing(orphaned)).rejects.toMatchObject(refused("maker-lost-right"));
    expect(await policyOf(db, "aurora", "transfer.external")).toMatchObject({ version: 0 });
  });

  it("survives a crash after agreeing: the next sweep applies it, once", async () => {
    const approvalId = idOf(await raise());
    await agree(admin(second), approvalId);
    expect(await rolesOf(ana)).toEqual(["support"]);
    await db.update(approval).set({ executingUntil: sql`clock_timestamp() - interval '1 second'`, owner: intentId() });
    await Promise.all([recoverAuthorised(APPROVABLE_WRITES, "aurora"), recoverAuthorised(APPROVABLE_WRITES, "aurora")]);
    expect(await rolesOf(ana)).toEqual(["support", "approver"]);
    expect(await recorded("staff.roles")).toHaveLength(1);
    expect((await db.select().from(approval)).map(({ state }) => state)).toEqual(["EXECUTED"]);
  });
});

describe("a policy", () => {
  it("offers a policy for exactly what a screen, an action or a file orders", async () => {
    const asked = new Set<string>([
      ...Object.values(ACTIONS).map(({ needs }) => needs),
      ...Object.values(PAGES),
      ...Object.values(HANDLERS).flatMap((methods) => Object.values(methods)),
    ]);
    const gating = APPROVAL_KIND_NAMES.filter((kind) => hasPolicy(kind) && asked.has(orderedWith(kind)));
    expect((await readPolicies("aurora")).map(({ kind }) => kind)).toEqual(gating);
    expect(gating).toContain("account.close");
  });

  it("names what a policy's kind asks of its maker", () => {
    expect(APPROVABLE_WRITES.map(({ permission }) => permission)).toEqual(
      APPROVABLE_WRITES.map(({ name }) => orderedWith(name)),
    );
  });
});

describe("the link of an invitation", () => {
  it.each(["sent", "failed"] as const)(
    "puts the link only into the mail with a mail server, whether it was %s",
    async (outcome) => {
      const send = vi.spyOn(mail, "sendMail").mockResolvedValue(outcome);
      expect(await deliver(invited(), "aurora", say)).toMatchObject({ link: null, mail: outcome });
      expect(send.mock.calls[0]?.[0].text).toContain(`/invite#${"t".repeat(43)}`);
      send.mockRestore();
    },
  );

  it("shows the link without a mail server", async () => {
    expect(await deliver(invited(), "aurora", say)).toMatchObject({
      mail: "off",
      link: expect.stringContaining("#ttt"),
    });
  });
});
