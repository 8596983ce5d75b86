import { randomUUID } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { eq } from "drizzle-orm";
import { createTranslator } from "next-intl";
import { headers } from "next/headers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { ROLES } from "@/lib/auth/permission";
import { staffMembership } from "@/lib/auth/schema";
import { approval, approvalComment, approvalPolicy } from "@/lib/approvals/schema";
import { givenProposal } from "@/lib/approvals/testing";
import { getSession } from "@/lib/auth/session";
import { sessionOf } from "@/lib/auth/testing";
import { writeCalls } from "@/lib/bank/call-log";
import { bankIntent } from "@/lib/bank/intent-schema";
import { listCalls } from "@/lib/calls/queries";
import { completeCpf } from "@/lib/contract/document";
import { kycDecision } from "@/lib/kyc/schema";
import { log } from "@/lib/log";
import { reveal } from "@/lib/privacy/schema";
import { sealDocument } from "@/lib/store/document";
import { staffInvitation } from "@/lib/staff/schema";
import { account, auditEvent, kycCase, onboarding, staff, wallet, walletBalance } from "@/lib/store/schema";
import { seal } from "@/lib/store/seal";
import type { Db } from "@/lib/store/store";
import { givenEnv, givenService, givenStaff, givenStore } from "@/lib/testing";
import english from "@/messages/en.json";

vi.mock("@/lib/auth/session", () => ({ getSession: vi.fn<typeof getSession>() }));
vi.mock("next/headers", () => ({ headers: vi.fn<typeof headers>(), cookies: vi.fn<() => void>() }));
vi.mock("next-intl/server", () => ({
  getTranslations: async () => createTranslator({ locale: "en", messages: english }),
}));

/** The ids of Boreal's records; and in their place, ids of nothing at all. */
type Ids = { uuid: string; text: string };
type Asked = (ids: Ids) => readonly unknown[];
type Exported = Record<string, Asked | "has no tenant" | "is told no id">;

const MARK = "BOREAL-ONLY";
const boreal: Ids = { uuid: randomUUID(), text: `${MARK}-7` };
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

const CPF = completeCpf("417205638");
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

type Callable = (...given: readonly unknown[]) => Promise<unknown>;
const isCallable = (value: unknown): value is Callable => typeof value === "function";
const isRead = (value: unknown): value is Callable => isCallable(value) && "answer" in value;

/** What the files of all areas export, one object deep: `kyc.getCase`. */
async function exportsOf(file: "queries" | "actions", fits: (value: unknown) => value is Callable) {
  const found = new Map<string, Callable>();
  for (const area of readdirSync("lib").filter((name) => existsSync(`lib/${name}/${file}.ts`))) {
    const loaded: object = await import(`./${area}/${file}.ts`);
    for (const [name, value] of Object.entries(loaded)) {
      const inside: object = typeof value === "object" && value !== null ? value : {};
      for (const [key, one] of [[name, value], ...Object.entries(inside).map(([k, v]) => [`${name}.${k}`, v])]) {
        if (fits(one)) found.set(`${area}.${key}`, one);
      }
    }
  }
  return found;
}

const reads = await exportsOf("queries", isRead);
const writes = await exportsOf("actions", isCallable);

let db: Db;
let staffId = "";
const asked: string[] = [];

const workAt = (tenant: string) =>
  vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId, roles: [...ROLES], tenant }));

async function givenBoreal(): Promise<void> {
  const tenant = "boreal";
  const at = new Date();
  const { uuid: id, text: named } = boreal;
  await db.insert(account).values({
    ref: id,
    tenant,
    accountId: `${MARK}-account`,
    branch: "0001",
    number: MARK,
    firstSeenAt: at,
    ...sealDocument({ table: "account", id }, CPF),
  });
  await db.insert(onboarding).values({
    id,
    tenant,
    onBoardingId: named,
    status: "PROCESSING",
    messages: [],
    accountId: `${MARK}-account`,
    firstSeenAt: at,
    changedAt: at,
    checkedAt: at,
    ...sealDocument({ table: "onboarding", id }, CPF),
  });
  await db.insert(staff).values({ id, email: `${MARK}@boreal.example`, name: MARK, passwordHash: "none" });
  await db.insert(staffMembership).values({ staffId: id, tenant, roles: ["support"] });
  const invited = { email: "eva@boreal.example", name: MARK, roles: [...ROLES], tokenHash: "x", invitedBy: id };
  await db.insert(staffInvitation).values({ id, tenant, ...invited, expiresAt: new Date(Date.now() + 60_000) });
  const process = { kycType: "PF", process: "kyc-documentscopy", status: "PENDING" } as const;
  const seen = { firstSeenAt: at, changedAt: at, seenAt: at };
  await db.insert(kycCase).values({ tenant, kycUUID: named, vatNumber: MARK, ...process, ...seen });
  await db.insert(bankIntent).values({
    tenant,
    id,
    operation: "/v1/kyc/manual-decision",
    object: `kyc:${named}`,
    isExclusive: true,
    actor: staffId,
    bodyHash: "x",
    key: randomUUID(),
    state: "UNKNOWN",
    attempts: 1,
    mayHaveExecuted: true,
    owner: randomUUID(),
    sendingUntil: at,
    createdAt: at,
  });
  await givenProposal(db, { tenant, id, makerId: id, headline: MARK });
  const policy = { kind: "transfer.internal", version: 1, rule: "above", amount: "41700.00" } as const;
  await db.insert(approvalPolicy).values({ tenant, ...policy, expiresAfterHours: 1, staffId: id, createdAt: at });
  const decided = {
    decision: "APPROVED",
    reason: seal(MARK, { column: "kyc_decision.reason", row: [id] }),
    staffId,
    createdAt: at,
  } as const;
  await db.insert(kycDecision).values({ tenant, intentId: id, kycUUID: named, ...decided });
  const coin = { address: MARK, family: "EVM", coin: "ETH", status: "ACTIVE", isForwardPayment: false };
  await db.insert(wallet).values({ tenant, id: named, ...coin, createdAt: at, seenAt: at });
  await db.insert(walletBalance).values({ tenant, walletId: named, network: "ETHEREUM", entries: [], asOf: at });
  const looked = { tenant, actor: staffId, code: "accounts.look-up", outcome: "DONE", detail: {} } as const;
  await db.insert(auditEvent).values({ ...looked, object: `account:${id}`, intentId: id, detail: { mark: MARK } });
  const noteSealed = seal(MARK, { column: "reveal.note_sealed", row: [id] });
  const shown = { id, tenant, actor: staffId, object: `account:${id}`, reason: "service", noteSealed } as const;
  await db.insert(reveal).values({ ...shown, createdAt: at });
  const called = { tenant, method: "GET", path: "/v1/kyc/list", status: 200, kind: "ok", code: MARK } as const;
  const took = { durationMs: 1, waitedMs: 0, lane: "people", attempt: 1, providerRequestId: null, at } as const;
  const objects = [`kyc:${named}`, `wallet:${named}`, `account:${id}`, `onboarding:${id}`];
  await writeCalls(
    db,
    objects.map((object) => ({ ...called, ...took, id: randomUUID(), actor: staffId, object })),
  );
}

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
  await givenBoreal();
  workAt("aurora");
});

const TABLES = [
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
      !/countOwed|countNew|getRetention|exportTrail|getBalance|getStatement|listSubscriptions|getStanding/.test(name),
  );

  it.each(stored)("would have seen that record at its own tenant by %s", async (name, run) => {
    const ask = READS[name];
    if (typeof ask !== "function") return;
    workAt("boreal");
    expect(await outcomeOf(run, ask(boreal))).toMatch(new RegExp(`${MARK}|417|205\\.638`));
  });
});
