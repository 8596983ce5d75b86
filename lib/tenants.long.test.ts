import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { headers } from "next/headers";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { accountClosure } from "@/lib/db/tables/accounts";
import { ACTIONS } from "@/lib/permission/access";
import { ROLES } from "@/lib/permission/permission";
import { staffInvitation, staffMembership } from "@/lib/db/tables/auth";
import { sealComment } from "@/lib/approvals/snapshot";
import { approval, approvalComment, approvalPolicy } from "@/lib/db/tables/approvals";
import { getSession } from "@/lib/auth/session";
import { scopeIdOf } from "@/lib/auth/view";
import { sessionOf } from "@/test/support/auth";
import { providerIntent } from "@/lib/db/tables/provider";
import { listCalls } from "@/lib/calls/queries";
import { caseworkFile, caseworkNote } from "@/lib/db/tables/notes";
import { formatDocument } from "@/lib/contract/document";
import { dossier } from "@/lib/db/tables/dossiers";
import { draft } from "@/lib/db/tables/drafts";
import { kycCase, kycCaseRules, kycDecision, kycStart, kycStartMember } from "@/lib/db/tables/kyc";
import { sealSubject } from "@/lib/db/started-case";
import { log } from "@/lib/log/log";
import { STEP_UP } from "@/lib/errors/result";
import { movementExport } from "@/lib/db/tables/movements";
import { onboardingRequest } from "@/lib/db/tables/onboarding";
import { reveal } from "@/lib/db/tables/privacy";
import { staff } from "@/lib/db/tables/staff";
import { account, onboarding } from "@/lib/db/tables/customers";
import { auditEvent } from "@/lib/db/tables/audit";
import { UNOPENED } from "@/lib/text/provider-word";
import { positionRate, positionSum } from "@/lib/db/tables/position";
import { payee, transfer } from "@/lib/db/tables/transfers";
import { wallet, walletRequest } from "@/lib/db/tables/wallets";
import { webhookEvent } from "@/lib/db/tables/webhooks";
import { seal } from "@/lib/db/seal";
import { SEALED_COLUMNS, type SealedColumn } from "@/lib/db/sealed-columns";
import type { Db } from "@/lib/db/connection";
import { givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import { nothing, READS, RECORD_READS, rightInputOf, WRITES } from "@/test/registries/inputs";
import {
  boreal,
  type Callable,
  CPF,
  exportsOf,
  givenBoreal,
  isCallable,
  isRead,
  MARK,
} from "@/test/registries/tenants";

const reads = await exportsOf("queries", isRead);
const writes = await exportsOf("actions", isCallable);

let db: Db;
let staffId = "";
const asked: string[] = [];

const workAt = (tenant: string) =>
  vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId, roles: [...ROLES], tenant }));

async function stand(): Promise<void> {
  const [aurora] = givenEnv().tenants;
  givenEnv({ tenants: [aurora, { ...aurora, clientId: "boreal", name: "Boreal" }] });
  db = await givenStore();
  await givenService(({ url }) => asked.push(url));
  const bank = globalThis.retaguardaBanks?.get("aurora");
  if (bank !== undefined) globalThis.retaguardaBanks?.set("boreal", bank);
  staffId = await givenStaff(db, ...ROLES);
  await givenBoreal(db, staffId);
}

function arrive(): void {
  vi.spyOn(log, "warn").mockImplementation(() => undefined);
  asked.length = 0;
  vi.mocked(headers).mockResolvedValue(new Headers({ origin: "http://localhost:3000" }));
  workAt("aurora");
}

const TABLES = [
  caseworkFile,
  caseworkNote,
  approval,
  approvalComment,
  approvalPolicy,

  account,
  accountClosure,
  auditEvent,
  providerIntent,
  dossier,
  kycCase,
  kycCaseRules,
  kycDecision,
  kycStart,
  movementExport,
  onboarding,
  onboardingRequest,
  payee,
  positionRate,
  positionSum,
  reveal,
  staffInvitation,
  staffMembership,
  transfer,
  wallet,
  walletRequest,
  webhookEvent,
];
const readBoreal = () => Promise.all(TABLES.map((table) => db.select().from(table).where(eq(table.tenant, "boreal"))));

/** Everything a caller could notice; random and time-dependent parts become a constant. */
async function outcomeOf(run: Callable, given: readonly unknown[]): Promise<string> {
  const said = await run(...given).catch((error: unknown) => ({ ...Object(error), requestId: "" }));
  return (
    (JSON.stringify(said) ?? "nothing")
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "a time")
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "an id")
      .replaceAll(/"answeredInMs":\d+/g, '"answeredInMs":0')
      // What the person typed stands in the command that asks it again.
      .replaceAll(/"curl":"(?:[^"\\]|\\.)*"/g, '"curl":"a command"')
  );
}

describe("a person at one tenant, who reads", () => {
  beforeAll(stand);
  beforeEach(arrive);

  it("uses only the listed reads and writes", () => {
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
});

describe("a person at one tenant, who writes", () => {
  beforeEach(stand);
  beforeEach(arrive);

  it.each([...writes])("changes and learns nothing of another tenant's by %s", async (name, run) => {
    const write = WRITES[name];
    if (write === undefined || !("about" in write)) return;
    const { about } = write;
    const before = await readBoreal();
    const scope = `${staffId}:aurora`;
    const told = await outcomeOf(run, [about(boreal), scope]);
    expect(told).toBe(await outcomeOf(run, [about(nothing), scope]));
    expect(told).toMatch(write.asks === true ? /^\{"ok":true/ : /^\{"ok":false/);
    expect(await readBoreal()).toEqual(before);
  });

  it("never sees the name of somebody who works only at another tenant", async () => {
    const id = randomUUID();
    await db.insert(staff).values({ id, email: "rui@boreal.example", name: MARK, passwordHash: "none" });
    await db.insert(staffMembership).values({ staffId: id, tenant: "boreal", roles: ["admin"] });
    expect((await listCalls({ actor: id })).actorName).toBeNull();
    workAt("boreal");
    expect((await listCalls({ actor: id })).actorName).toBe(MARK);
  });
});

describe("a person whose proof is old", () => {
  beforeAll(stand);
  beforeEach(arrive);

  const proven = Object.keys(ACTIONS).filter((name) => ACTIONS[name]?.needsStepUp === true);

  it.each(proven)("asks for a new proof for %s, once the input is right", async (name) => {
    const session = sessionOf({ staffId, roles: [...ROLES], isProven: false });
    vi.mocked(getSession).mockResolvedValue(session);
    const refused = { ok: false, error: { kind: "forbidden", code: STEP_UP } };
    expect(await writes.get(name)?.(rightInputOf(name), scopeIdOf(session))).toMatchObject(refused);
  });
});

describe("a person at the tenant of those records", () => {
  beforeAll(stand);
  beforeEach(arrive);
  beforeEach(() => void workAt("boreal"));

  const stored = [...reads].filter(([name]) => Object.hasOwn(RECORD_READS, name));

  it.each(stored)("sees that record at its own tenant by %s", async (name, run) => {
    const ask = READS[name];
    if (typeof ask !== "function") return;
    expect(await outcomeOf(run, ask(boreal))).toMatch(new RegExp(`${MARK}|417|205\\.638`));
  });

  it.each([...reads])("sees no document in clear from %s, not even in the provider's text", async (name, run) => {
    const ask = READS[name];
    if (typeof ask !== "function") return;
    const told = await outcomeOf(run, ask(boreal));
    for (const clear of [CPF, formatDocument(CPF)]) expect(told).not.toContain(clear);
  });
});

/** The reads of Boreal's records that fail. */
async function failing(): Promise<string[]> {
  const failed: string[] = [];
  for (const [name, run] of reads) {
    const ask = READS[name];
    await run(...(typeof ask === "function" ? ask(boreal) : [])).catch(() => failed.push(name));
  }
  return failed.toSorted();
}

const readOf = async (name: string, given: unknown) => reads.get(name)?.(given);

describe("a sealed value that does not open", () => {
  /** The provider needs the value, or it is the requested one. */
  const NEEDED_BY: Partial<Record<SealedColumn, readonly string[]>> = {
    "account.document_sealed": ["accounts.getBalance", "accounts.getStatementView"],
    "casework_content.key_sealed": ["accounts.openAccountFile", "kyc.openCaseFile"],
  };

  beforeEach(stand);
  beforeEach(arrive);
  /** Read only for records in a later state. */
  beforeEach(async () => {
    workAt("boreal");
    const tenant = "boreal";
    const id = boreal.uuid;
    const at = new Date();
    await db.update(providerIntent).set({ state: "DONE" });
    await db.update(kycStart).set({ kycUUID: boreal.text });
    const subject = { vatNumber: CPF, name: MARK, birthDate: null, motherName: null };
    const member = sealSubject({ table: "kyc_start_member", row: [tenant, id, "0"] }, subject);
    await db.insert(kycStartMember).values({ tenant, intentId: id, position: 0, ownerType: "SOCIO", ...member });
    const textSealed = sealComment({ tenant, id }, MARK);
    await db.insert(approvalComment).values({ tenant, id, approvalId: id, staffId, textSealed, createdAt: at });
    const fields = seal("{}", { column: "draft.fields_sealed", row: [tenant, id] });
    await db.insert(draft).values({ tenant, id, staffId, form: "kyc-start-pf", fieldsSealed: fields });
  });

  /** A sealed dossier has emptied these, and a trigger keeps them empty. */
  const EMPTIED = ["dossier.frozen_sealed", "dossier.recheck_sealed"];

  /** Computed once, as the records are equal before each test. */
  let failingWhole: Promise<string[]> | undefined;

  it.each(Object.keys(SEALED_COLUMNS).filter((name) => !EMPTIED.includes(name)))(
    "fails only the reads that need the value in %s",
    async (name) => {
      failingWhole ??= failing();
      const before = await failingWhole;
      const [table = "", column = ""] = name.split(".");
      await db.execute(sql`update ${sql.identifier(table)} set ${sql.identifier(column)} = 'v2.00000000.AAAA'`);
      const needed = new Map(Object.entries(NEEDED_BY)).get(name) ?? [];
      expect((await failing()).filter((read) => !before.includes(read))).toEqual(
        needed.filter((read) => !before.includes(read)),
      );
    },
  );

  it("marks an unreadable value beside the rest of its case and account", async () => {
    const rotten = "v2.00000000.AAAA";
    await db.update(kycDecision).set({ reason: rotten, noteSealed: rotten });
    await db.update(caseworkNote).set({ textSealed: rotten });
    await db.update(kycStart).set({ documentSealed: rotten, subjectSealed: rotten });
    await db.update(account).set({ documentSealed: rotten });
    await db.update(webhookEvent).set({ bodySealed: rotten });
    expect(await readOf("kyc.getCase", boreal.text)).toMatchObject({
      decisions: [{ reason: UNOPENED, note: UNOPENED, decision: expect.any(String) }],
      casework: { notes: [{ text: UNOPENED, byName: expect.any(String) }] },
      start: { subject: { document: UNOPENED, name: UNOPENED }, members: [{ name: expect.stringMatching(/^B/) }] },
    });
    expect(await readOf("accounts.getAccount", boreal.uuid)).toMatchObject({ document: expect.stringContaining("*") });
    expect(await readOf("webhooks.getReceived", boreal.uuid)).toMatchObject({ fields: [{ value: UNOPENED }] });
    const balance = readOf("accounts.getBalance", boreal.uuid);
    await expect(balance).rejects.toMatchObject({ details: { code: "document-unopened" } });
  });
});
