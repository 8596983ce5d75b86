import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { getSession } from "@/lib/auth/session";
import type { Role } from "@/lib/permission/permission";
import { givenCase, givenStarted } from "@/test/support/kyc";
import { auditEvent } from "@/lib/db/tables/audit";
import { lookupHash } from "@/lib/db/seal";
import { db as openDb, type Db } from "@/lib/db/connection";
import { lookUp } from "@/lib/accounts/look-up";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import { personRequest } from "@/test/support/service/accounts";
import { openAccount } from "@/test/support/transfers";
import { civilDay } from "@/lib/text/time";
import english from "@/messages/en.json";
import { exportTrail } from "@/lib/audit-trail/queries";
import { accessFile, exportAccesses, listCaseAccesses, listAccesses, listReasons } from "./queries";
import { clearRecordField } from "@/lib/accounts/records";
import { admitFile, revealOne as revealWith, USUAL_PER_HOUR } from "./reveal";
import { Revealing } from "./inputs";
import { reveal } from "@/lib/db/tables/privacy";
import { givenAccount, givenOnboarding } from "@/test/support/privacy";
import { recordAccess } from "@/lib/audit/access-log";

const CPF = "52998224725";
const whole = { field: "document", member: null, path: null } as const;
const why = { reason: "service", note: "Protocolo 8731, titular ao telefone" } as const;

let db: Db;
let ana = "";
let ref = "";

function signIn(staffId: string, changes: { roles?: Role[]; isProven?: boolean; tenant?: string } = {}): void {
  vi.mocked(getSession).mockResolvedValue({
    idHash: "h",
    ref: "r",
    staffId,
    name: "Ana Prado",
    email: "ana@aurora.example",
    roles: ["support"],
    tenant: "aurora",
    provenAt: new Date(),
    isProven: true,
    secondFactor: false,
    endsInMs: 60_000,
    mustEnrol: false,
    ...changes,
  });
}

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  ana = await givenStaff(db, "support");
  ref = await givenAccount(db, CPF);
  signIn(ana);
});

const person = () => actorOf("support", ana, "pii:reveal");
const revealOne = (actor: Parameters<typeof revealWith>[0], asked: Parameters<typeof revealWith>[1]) =>
  revealWith(actor, asked, clearRecordField);
const show = () => revealOne(person(), { kind: "account", id: ref, ...whole, ...why });
const onRecord = () => db.select().from(auditEvent).orderBy(auditEvent.seq);

const flags = async () => (await onRecord()).filter(({ code }) => code === "personal-data.unusual");

async function showMany(): Promise<void> {
  for (let n = 0; n < USUAL_PER_HOUR; n += 1) await show();
}

describe("one document in clear", () => {
  it("shows a document to one person, marked with their e-mail", async () => {
    expect(await show()).toMatchObject({ text: "529.982.247-25", shownTo: "ana@aurora.example" });
    const id = await givenOnboarding(db, "11222333000181");
    expect(await revealOne(person(), { kind: "onboarding", id, ...whole, ...why })).toMatchObject({
      text: "11.222.333/0001-81",
    });
  });

  it("reveals a case's document and identity one by one, from its start form", async () => {
    const kycUUID = await givenCase(db);
    await givenStarted(db, ana, { kycUUID, document: CPF });
    const ask = (field: "document" | "identity", member: number | null = null) =>
      revealOne(person(), { kind: "kyc", id: kycUUID, field, member, path: null, ...why });
    expect(await ask("document")).toMatchObject({ text: "529.982.247-25" });
    expect(await ask("identity")).toMatchObject({ text: "Maria dos Santos · 07/09/1984 · Josefa Lima" });
    await expect(ask("identity", 0)).rejects.toMatchObject({ kind: "not-found" });
    const elsewhere = { kind: "kyc", id: await givenCase(db), ...whole, ...why } as const;
    await expect(revealOne(person(), elsewhere)).rejects.toMatchObject({ kind: "not-found" });
    expect((await onRecord()).map(({ object, detail }) => [object, detail["field"]])).toEqual([
      [`kyc:${kycUUID}`, "document"],
      [`kyc:${kycUUID}`, "identity"],
    ]);
    expect(JSON.stringify(await onRecord())).not.toContain("Maria");
  });

  it("audits a reveal with its reason before showing it, without the document", async () => {
    await show();
    const trail = await onRecord();
    expect(trail).toMatchObject([
      {
        code: "personal-data.reveal",
        actor: ana,
        object: `account:${ref}`,
        outcome: "DONE",
        detail: { field: "document", reason: "service", note: lookupHash(why.note) },
      },
    ]);
    expect(JSON.stringify([trail, await db.select().from(reveal)])).not.toMatch(/529\.?982|8731/);
  });

  it("reads one account field fresh from the provider, and audits only its path", async () => {
    const service = await givenService();
    const opened = await openAccount(service);
    const found = await lookUp(actorOf("support", ana, "accounts:read"), { query: opened.onBoardingId });
    const id = "accountRef" in found ? found.accountRef : "";
    const ask = (path: string) =>
      revealOne(person(), { kind: "account", id, field: "information", member: null, path, ...why });
    expect(await ask("data.person.motherName")).toMatchObject({ text: "Maria Souza", link: null });
    expect(await ask("data.person.address")).toMatchObject({ text: expect.stringContaining(", ") });
    const selfie = personRequest(CPF).bankDocuments.selfieLink;
    expect(await ask("data.bankDocuments.selfieLink")).toMatchObject({ text: selfie, link: { href: selfie } });
    await expect(ask("data.person")).rejects.toMatchObject({ kind: "not-found" });
    const trail = (await onRecord()).filter(({ code }) => code === "personal-data.reveal");
    expect(trail.map(({ detail }) => detail["path"])).toEqual([
      "data.person.motherName",
      "data.person.address",
      "data.bankDocuments.selfieLink",
    ]);
    expect(JSON.stringify(await onRecord())).not.toContain("Maria Souza");
  });

  it("reuses the record's reason for ten minutes, and audits and counts each reveal", async () => {
    const again = (id = ref) => revealOne(person(), { kind: "account", id, ...whole, reason: null, note: null });
    await expect(again()).rejects.toMatchObject({ details: { code: "reveal-reason" } });
    await show();
    expect(await again()).toMatchObject({ text: "529.982.247-25" });
    const [first, second] = await onRecord();
    const told = { reason: "service", note: lookupHash(why.note) };
    expect(second).toMatchObject({ object: `account:${ref}`, detail: { ...told, under: first?.intentId } });
    expect(await db.$count(reveal)).toBe(2);
    await expect(again(await givenAccount(db, "11222333000181"))).rejects.toMatchObject({ kind: "forbidden" });
    const rui = actorOf("support", await givenStaff(db, "support"), "pii:reveal");
    const theirs = { kind: "account", id: ref, ...whole, reason: null, note: null } as const;
    await expect(revealOne(rui, theirs)).rejects.toMatchObject({ kind: "forbidden" });
    const isFirst = eq(reveal.id, first?.intentId ?? "");
    await db
      .update(reveal)
      .set({ createdAt: sql`${reveal.createdAt} - interval '10 minutes'` })
      .where(isFirst);
    await expect(again()).rejects.toMatchObject({ details: { code: "reveal-reason" } });
  });

  it("asks one reason for a field and for a file of one customer, and audits both", async () => {
    const object = `account:${ref}` as const;
    const named = (id = ana) =>
      admitFile(actorOf("support", id, "statement:export"), { object, file: "statement", reason: null, note: null });
    await expect(named()).rejects.toMatchObject({ kind: "forbidden", details: { code: "reveal-reason" } });
    const first = await admitFile(person(), { object, file: "letter", ...why });
    await named();
    await revealOne(person(), { kind: "account", id: ref, ...whole, reason: null, note: null });
    const told = { reason: "service", note: lookupHash(why.note) };
    expect((await onRecord()).map(({ code, detail }) => [code, detail])).toEqual([
      ["personal-data.file", { ...told, file: "letter" }],
      ["personal-data.file", { ...told, file: "statement", under: first }],
      ["personal-data.reveal", { ...told, field: "document", under: first }],
    ]);
    await expect(named(await givenStaff(db, "support"))).rejects.toMatchObject({ kind: "forbidden" });
    const isFirst = eq(reveal.id, first);
    await db
      .update(reveal)
      .set({ createdAt: sql`${reveal.createdAt} - interval '10 minutes'` })
      .where(isFirst);
    await expect(named()).rejects.toMatchObject({ details: { code: "reveal-reason" } });
  });

  it("requires a note with the reason, and a reason with the note", () => {
    const asked = { kind: "account", id: ref } as const;
    expect(Revealing.safeParse(asked).success).toBe(true);
    expect(Revealing.safeParse({ ...asked, reason: "service" }).success).toBe(false);
    expect(Revealing.safeParse({ ...asked, note: why.note }).success).toBe(false);
  });

  it("refuses a reveal that cannot be audited", async () => {
    await db.execute(sql`create function refuse_it() returns trigger language plpgsql as $$ begin
      raise exception 'no'; end $$`);
    await db.execute(
      sql`create trigger refuse_it before insert on audit_event for each row execute function refuse_it()`,
    );
    await expect(show()).rejects.toThrow(/./);
    await db.execute(sql`drop trigger refuse_it on audit_event`);
    await db.execute(sql`drop function refuse_it`);
    expect(await db.select().from(reveal)).toEqual([]);
  });

  it("refuses a reveal of another tenant's record or none", async () => {
    const theirs = await givenAccount(db, CPF, "boreal");
    for (const id of [theirs, randomUUID()]) {
      await expect(revealOne(person(), { kind: "account", id, ...whole, ...why })).rejects.toMatchObject({
        kind: "not-found",
      });
    }
    expect(await onRecord()).toEqual([]);
  });

  it.each([
    [{ note: "curto" }],
    [{ note: "         a         " }],
    [{ note: "x".repeat(501) }],
    [{ reason: "curiosity" }],
    [{ id: "52998224725" }],
    [{ field: "identity" }],
    [{ field: "information" }],
    [{ path: "data.email" }],
    [{ kind: "onboarding", field: "information", path: "data.email" }],
    [{ member: 0 }],
    [{ kind: "kyc", id: "" }],
    [{ kind: "kyc", member: 3 }],
    [{ kind: "wallet" }],
  ])("requires a reason and a field: %j", (changes) => {
    expect(Revealing.safeParse({ kind: "account", id: ref, ...why, ...changes }).success).toBe(false);
  });
});

describe("more documents than usual in an hour", () => {
  it("flags unusually many reveals once, and asks for a recent proof", async () => {
    await showMany();
    signIn(ana, { isProven: false });
    await expect(show()).rejects.toMatchObject({ kind: "forbidden", details: { code: "step-up" } });
    await expect(show()).rejects.toMatchObject({ kind: "forbidden" });
    expect(await flags()).toMatchObject([{ actor: ana, detail: { reveals: USUAL_PER_HOUR } }]);
    signIn(ana);
    expect(await show()).toMatchObject({ text: "529.982.247-25" });
    expect(await flags()).toHaveLength(1);
    expect(await db.$count(reveal)).toBe(USUAL_PER_HOUR + 1);
  });

  it("shows many documents at once after a recent proof of identity", async () => {
    await showMany();
    const proven = await getSession();
    vi.mocked(getSession).mockImplementation(async () => {
      const store = await openDb();
      await store.execute(sql`select 1`);
      return proven;
    });
    const shown = await Promise.all(Array.from({ length: 12 }, show));
    expect(shown).toHaveLength(12);
  });

  it("counts reveals per person and hour", async () => {
    await showMany();
    const rui = await givenStaff(db, "support");
    signIn(rui, { isProven: false });
    await revealOne(actorOf("support", rui, "pii:reveal"), { kind: "account", id: ref, ...whole, ...why });
    await db.update(reveal).set({ createdAt: sql`${reveal.createdAt} - interval '61 minutes'` });
    signIn(ana, { isProven: false });
    await show();
    expect(await flags()).toEqual([]);
  });

  it("limits reveals even when all are requested together", async () => {
    signIn(ana, { isProven: false });
    const shown = await Promise.allSettled(Array.from({ length: USUAL_PER_HOUR + 5 }, show));
    expect(shown.filter(({ status }) => status === "fulfilled")).toHaveLength(USUAL_PER_HOUR);
    expect(await flags()).toHaveLength(1);
  });
});

describe("who looked at a customer", () => {
  beforeEach(() => signIn(ana, { roles: ["auditor", "support"] }));

  it("lists the accesses to all records of a document, newest first, with reasons", async () => {
    const id = await givenOnboarding(db, CPF);
    await givenOnboarding(db, "11222333000181");
    await recordAccess(actorOf("support", ana, "onboarding:read"), `onboarding:${id}`);
    await show();
    for (const one of [{ kind: "account", id: ref } as const, { kind: "onboarding", id } as const]) {
      expect(await listAccesses(one)).toMatchObject([
        {
          code: "personal-data.reveal",
          byName: "Ana Prado",
          shown: { field: "document", path: null },
          reason: { choice: "service", note: why.note },
        },
        { code: "customer.view", byName: "Ana Prado", object: `onboarding:${id}`, shown: null, reason: null },
      ]);
    }
  });

  it("filters accesses by São Paulo days, and gives reasons by the audited ids", async () => {
    await show();
    const [row] = await onRecord();
    const today = civilDay(row?.at ?? new Date());
    const one = { kind: "account", id: ref } as const;
    for (const [period, rows] of [
      [{ seenFrom: today, seenTo: today }, 1],
      [{ seenFrom: "2999-01-01" }, 0],
      [{ seenTo: "2001-01-01" }, 0],
    ] as const)
      expect(await listAccesses(one, period)).toHaveLength(rows);
    expect(await exportAccesses(one, { seenTo: "2001-01-01" })).toEqual([]);
    const id = row?.intentId ?? "";
    expect(await listReasons([id, "none"])).toEqual({ [id]: { choice: "service", note: why.note } });
    signIn(ana, { roles: ["auditor"], tenant: "boreal" });
    expect(await listReasons([id])).toEqual({});
  });

  it("lists a case started here like the document's other records", async () => {
    const kycUUID = await givenCase(db);
    await givenStarted(db, ana, { kycUUID, document: CPF });
    await recordAccess(actorOf("support", ana, "kyc:read"), `kyc:${kycUUID}`);
    await show();
    const expected = [{ code: "personal-data.reveal" }, { code: "customer.view", object: `kyc:${kycUUID}` }];
    expect(await listAccesses({ kind: "kyc", id: kycUUID })).toMatchObject(expected);
    expect(await listAccesses({ kind: "account", id: ref })).toMatchObject(expected);
  });

  it("names no people of another tenant", async () => {
    const rui = await givenStaff(db, "admin");
    await recordAccess(actorOf("admin", rui, "accounts:read"), `account:${ref}`);
    await db.execute(sql`update staff_membership set tenant = 'boreal' where staff_id = ${rui}`);
    expect(await listAccesses({ kind: "account", id: ref })).toMatchObject([{ byName: null, by: rui }]);
  });

  it("lists no accesses for unknown and other tenants' records alike", async () => {
    for (const id of [await givenAccount(db, CPF, "boreal"), randomUUID(), "", "\u0000"]) {
      expect(await listAccesses({ kind: "account", id })).toBeNull();
    }
    expect(await listAccesses({ kind: "kyc", id: "none" })).toBeNull();
  });

  it("exports accesses only after an audit row", async () => {
    await show();
    expect(await exportAccesses({ kind: "account", id: ref })).toHaveLength(1);
    const trail = await onRecord();
    expect(trail.at(-1)).toMatchObject({ code: "personal-data.export", object: `account:${ref}`, detail: { rows: 1 } });
    await expect(exportAccesses({ kind: "account", id: randomUUID() })).rejects.toMatchObject({ kind: "not-found" });
  });

  it("exports records by familiar names, in the reader's format", async () => {
    await show();
    const one = { kind: "account", id: ref } as const;
    const { fileName, parts } = await accessFile(one, await exportAccesses(one), {
      [`account:${ref}`]: "0001 / 12345-6",
    });
    let text = "";
    for await (const part of parts) text += part;
    expect(fileName).toMatch(/^access-log-account-[\d-]{10}-en\.csv$/);
    expect(text).toContain(`"Account 0001 / 12345-6","CPF or CNPJ","${english.privacy.reasons.service}","${why.note}"`);
    expect(text).not.toContain(ref);
  });

  it("gives the justification in the file of the audit trail, too", async () => {
    await show();
    const { parts } = await exportTrail({ code: "personal-data.reveal" });
    let text = "";
    for await (const part of parts) text += part;
    expect(text).toContain(`"${english.privacy.reasons.service}: ${why.note}"`);
  });

  it("limits the access log to people with the permission", async () => {
    signIn(ana);
    await expect(listAccesses({ kind: "account", id: ref })).rejects.toMatchObject({ kind: "forbidden" });
    await expect(exportAccesses({ kind: "account", id: ref })).rejects.toMatchObject({ kind: "forbidden" });
    await expect(listCaseAccesses(await givenCase(db))).rejects.toMatchObject({ kind: "forbidden" });
  });

  it("shows case deciders only the looks at the case itself", async () => {
    const kycUUID = await givenCase(db);
    await givenStarted(db, ana, { kycUUID, document: CPF });
    await recordAccess(actorOf("support", ana, "kyc:read"), `kyc:${kycUUID}`);
    await recordAccess(actorOf("support", ana, "accounts:read"), `account:${ref}`);
    signIn(ana, { roles: ["compliance"] });
    expect(await listCaseAccesses(kycUUID)).toMatchObject([{ code: "customer.view", object: `kyc:${kycUUID}` }]);
    for (const id of ["none", "\u0000"]) expect(await listCaseAccesses(id)).toBeNull();
    await expect(listAccesses({ kind: "kyc", id: kycUUID })).rejects.toMatchObject({ kind: "forbidden" });
  });
});
