import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { createTranslator } from "next-intl";
import { headers } from "next/headers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { ROLES } from "@/lib/auth/permission";
import { staffMembership } from "@/lib/auth/schema";
import { approval, approvalComment, approvalPolicy } from "@/lib/approvals/schema";
import { getSession } from "@/lib/auth/session";
import { sessionOf } from "@/lib/auth/testing";
import { bankIntent } from "@/lib/bank/intent-schema";
import { listCalls } from "@/lib/calls/queries";
import { caseworkFile, caseworkNote } from "@/lib/casework/schema";
import { formatDocument } from "@/lib/contract/document";
import { kycDecision } from "@/lib/kyc/schema";
import { log } from "@/lib/log";
import { reveal } from "@/lib/privacy/schema";
import { staffInvitation } from "@/lib/staff/schema";
import { account, auditEvent, kycCase, onboarding, staff } from "@/lib/store/schema";
import { wallet } from "@/lib/wallets/schema";
import type { Db } from "@/lib/store/store";
import { givenEnv, givenService, givenStaff, givenStore } from "@/lib/testing";
import {
  boreal,
  type Callable,
  CPF,
  exportsOf,
  givenBoreal,
  type Ids,
  isCallable,
  isRead,
  MARK,
} from "./tenants-testing";
import english from "@/messages/en.json";

vi.mock("@/lib/auth/session", () => ({ getSession: vi.fn<typeof getSession>() }));
vi.mock("next/headers", () => ({ headers: vi.fn<typeof headers>(), cookies: vi.fn<() => void>() }));
vi.mock("next-intl/server", () => ({
  getTranslations: async () => createTranslator({ locale: "en", messages: english }),
}));

type Asked = (ids: Ids) => readonly unknown[];
type Exported = Record<string, Asked | "has no tenant" | "is told no id">;

/** In the place of what is Boreal's. */
const nothing: Ids = { uuid: randomUUID(), text: "nothing-at-all-7" };
const uuid: Asked = ({ uuid: id }) => [id];
const text: Asked = ({ text: id }) => [id];
const all: Asked = () => [];

/** How each read is asked; one that is missing here fails the test below. */
const READS: Exported = {
  "accounts.getAccount": uuid,
  "accounts.getBalance": uuid,
  "accounts.getStatement": uuid,
  "accounts.listRecentAccounts": all,
  "approvals.countOwed": all,
  "approvals.getApproval": uuid,
  "approvals.listApprovals": () => [{ view: "waiting" }],
  "approvals.listPolicies": all,
  "audit.countNew": () => [{ code: "accounts.look-up" }],
  "audit.exportTrail": () => [{ code: "accounts.look-up" }, "json"],
  "audit.listOfIntent": uuid,
  "audit.listTrail": () => [{ code: "accounts.look-up" }],
  "calls.listCalls": ({ text: sought }) => [{ sought }],
  "calls.callsFor.account": uuid,
  "calls.callsFor.kyc": text,
  "calls.callsFor.onboarding": uuid,
  "calls.callsFor.wallet": text,
  "kyc.getCase": text,
  "kyc.getHolder": text,
  "kyc.listAssignees": all,
  "kyc.getOwnAbsence": all,
  "kyc.listCases": () => [{ status: "all" }],
  "onboarding.getOnboarding": uuid,
  "onboarding.listOnboardings": () => [{ status: "all" }],
  "privacy.exportLooks": ({ uuid: id }) => [{ kind: "account", id }],
  "privacy.getRetention": all,
  "privacy.listLooks": ({ uuid: id }) => [{ kind: "account", id }],
  "provider.getStanding": all,
  "staff.getPerson": uuid,
  "staff.listStaff": all,
  "wallets.getWallet": text,
  "wallets.listWallets": all,
  "webhooks.listSubscriptions": all,
};

const decision = { decision: "APPROVED", reason: "ok", expected: { status: "PENDING", process: "kyc-documentscopy" } };

/** How each write is asked to touch what is Boreal's. */
const WRITES: Exported = {
  "auth.endOtherSessions": "has no tenant",
  "auth.endOwnSession": "has no tenant",
  "auth.proveSelf": "has no tenant",
  "factors.changePassword": "has no tenant",
  "factors.disableFactor": "has no tenant",
  "factors.renewRecoveryCodes": "has no tenant",
  "factors.startEnrolment": "has no tenant",
  "factors.startRequiredEnrolment": "has no tenant",
  "accounts.lookUpAccount": ({ text: query }) => [{ query }],
  "approvals.authoriseApproval": ({ uuid: approvalId }) => [{ approvalId }],
  "approvals.commentOnApproval": ({ uuid: approvalId }) => [{ approvalId, commentId: randomUUID(), text: "ok" }],
  "approvals.refuseApproval": ({ uuid: approvalId }) => [{ approvalId, reason: "no" }],
  "approvals.setApprovalPolicy": () => [
    { kind: "kyc.decision", version: 7, rule: "never", amount: null, expiresAfterHours: 24 },
  ],
  "approvals.withdrawApproval": ({ uuid: approvalId }) => [{ approvalId }],
  "kyc.assignCase": ({ text: kycUUID }) => [{ kycUUID, to: null, from: null }],
  "kyc.claimCase": ({ text: kycUUID }) => [{ kycUUID, takeFrom: null }],
  "kyc.setAway": "is told no id",
  "kyc.takeNextCase": "is told no id",
  "kyc.releaseCase": ({ text: kycUUID }) => [{ kycUUID }],
  "kyc.addCaseNote": ({ text: id }) => [{ id, noteId: randomUUID(), text: "ok" }],
  "kyc.retractCaseNote": ({ text: id, uuid: noteId }) => [{ id, noteId }],
  "kyc.decideCase": ({ text: kycUUID }) => [{ ...decision, intentId: randomUUID(), kycUUID }],
  "onboarding.checkOnboarding": ({ uuid: id }) => [{ id }],
  "onboarding.followOnboarding": ({ text: query }) => [{ query, intentId: randomUUID() }],
  "preferences.setLocale": "has no tenant",
  "preferences.setTheme": "has no tenant",
  "privacy.revealDocument": ({ uuid: id }) => [{ kind: "account", id, reason: "service", note: "what it is for" }],
  "staff.acceptInvitation": "is told no id",
  "staff.disable": ({ uuid: staffId }) => [{ staffId }],
  "staff.enable": ({ uuid: staffId }) => [{ staffId }],
  "staff.endSessions": ({ uuid: staffId }) => [{ staffId }],
  "staff.invitePerson": "is told no id",
  "staff.joinByInvitation": "is told no id",
  "staff.openInvitation": "is told no id",
  "staff.renew": ({ uuid: invitationId }) => [{ invitationId }],
  "staff.resetSecondFactor": ({ uuid: staffId }) => [{ staffId }],
  "staff.revoke": ({ uuid: invitationId }) => [{ invitationId }],
  "staff.setRoles": ({ uuid: staffId }) => [{ staffId, roles: ["admin"], expected: ["support"] }],
  "staff.switchTenant": ({ text: tenant }) => [tenant === nothing.text ? tenant : "boreal"],
};

const reads = await exportsOf("queries", isRead);
const writes = await exportsOf("actions", isCallable);

let db: Db;
let staffId = "";
const asked: string[] = [];

const workAt = (tenant: string) =>
  vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId, roles: [...ROLES], tenant }));

beforeEach(async () => {
  vi.spyOn(log, "warn").mockImplementation(() => undefined);
  const [aurora] = givenEnv().tenants;
  givenEnv({ tenants: [aurora, { ...aurora, clientId: "boreal", name: "Boreal" }] });
  db = await givenStore();
  asked.length = 0;
  await givenService(({ url }) => asked.push(url));
  const bank = globalThis.retaguardaBanks?.get("aurora");
  if (bank !== undefined) globalThis.retaguardaBanks?.set("boreal", bank);
  staffId = await givenStaff(db, ...ROLES);
  vi.mocked(headers).mockResolvedValue(new Headers({ origin: "http://localhost:3000" }));
  await givenBoreal(db, staffId);
  workAt("aurora");
});

const TABLES = [
  caseworkFile,
  caseworkNote,
  approval,
  approvalComment,
  approvalPolicy,

  account,
  auditEvent,
  bankIntent,
  kycCase,
  kycDecision,
  onboarding,
  reveal,
  staffInvitation,
  staffMembership,
  wallet,
];
const readBoreal = () => Promise.all(TABLES.map((table) => db.select().from(table).where(eq(table.tenant, "boreal"))));

/** Everything a caller could tell apart; what differs by chance or by the clock is the same word each time. */
async function outcomeOf(run: Callable, given: readonly unknown[]): Promise<string> {
  const [settled] = await Promise.allSettled([run(...given)]);
  const said: unknown = settled.status === "fulfilled" ? settled.value : { ...settled.reason, requestId: "" };
  return (JSON.stringify(said) ?? "nothing")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "a time")
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "an id");
}

describe("a person at one tenant", () => {
  it("reads and writes by what is listed here, and by nothing else", () => {
    expect([...reads.keys()].toSorted()).toEqual(Object.keys(READS).toSorted());
    expect([...writes.keys()].toSorted()).toEqual(Object.keys(WRITES).toSorted());
  });

  it.each([...reads])("learns nothing of another tenant's records by %s", async (name, run) => {
    const ask = READS[name];
    if (typeof ask !== "function") return;
    const told = await outcomeOf(run, ask(boreal));
    expect(told).toBe(await outcomeOf(run, ask(nothing)));
    expect(told).not.toContain(MARK);
    expect(asked.filter((url) => url.includes(MARK) || url.includes(CPF))).toEqual([]);
  });

  it.each([...writes])("touches nothing of another tenant's by %s, nor learns that it is there", async (name, run) => {
    const ask = WRITES[name];
    if (typeof ask !== "function") return;
    const before = await readBoreal();
    const desk = `${staffId}:aurora`;
    const told = await outcomeOf(run, [...ask(boreal), desk]);
    expect(told).toBe(await outcomeOf(run, [...ask(nothing), desk]));
    expect(told).toMatch(/^\{"ok":false/);
    expect(await readBoreal()).toEqual(before);
  });

  it("is not told the name of somebody who works at another tenant only", async () => {
    const id = randomUUID();
    await db.insert(staff).values({ id, email: "rui@boreal.example", name: MARK, passwordHash: "none" });
    await db.insert(staffMembership).values({ staffId: id, tenant: "boreal", roles: ["admin"] });
    expect((await listCalls({ actor: id })).actorName).toBeNull();
    workAt("boreal");
    expect((await listCalls({ actor: id })).actorName).toBe(MARK);
  });

  const stored = [...reads].filter(
    ([name]) =>
      !/countOwed|countNew|getOwnAbsence|getRetention|exportTrail|getBalance|getStatement|listSubscriptions|getStanding/.test(
        name,
      ),
  );

  it.each(stored)("would have seen that record at its own tenant by %s", async (name, run) => {
    const ask = READS[name];
    if (typeof ask !== "function") return;
    workAt("boreal");
    expect(await outcomeOf(run, ask(boreal))).toMatch(new RegExp(`${MARK}|417|205\\.638`));
  });

  it.each([...reads])(
    "is answered no document in clear by %s, nor what the provider wrote with one in it",
    async (name, run) => {
      const ask = READS[name];
      if (typeof ask !== "function") return;
      workAt("boreal");
      const told = await outcomeOf(run, ask(boreal));
      for (const clear of [CPF, formatDocument(CPF)]) expect(told).not.toContain(clear);
    },
  );
});
