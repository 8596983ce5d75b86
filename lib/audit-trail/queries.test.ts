import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Role } from "@/lib/permission/permission";
import { getSession } from "@/lib/auth/session";
import { sessionOf } from "@/test/support/auth";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { account, onboarding } from "@/lib/db/tables/customers";
import { transfer } from "@/lib/db/tables/transfers";
import { completeCpf } from "@/lib/contract/document";
import { sealDocument } from "@/lib/db/document";
import { givenIntentRows } from "@/test/support/claims";
import { civilDaysAgo } from "@/lib/text/time";
import { givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { countNew, exportTrail, getOversight, listOfIntent, listTrail } from "./queries";
import { record } from "@/lib/audit/record";
import { givenRows, tamper } from "@/test/support/audit";

const CPF = completeCpf("417205638");
const SENT = {
  tenant: "aurora",
  operation: "/v1/transfers",
  object: "account:7",
  isExclusive: false,
  bodyHash: "x",
  key: randomUUID(),
  state: "DONE",
  attempts: 1,
  mayHaveExecuted: true,
  owner: randomUUID(),
  sendingUntil: new Date(),
} as const;

let db: Db;
let auditor = "";
const workAs = (staffId: string, ...roles: Role[]) =>
  vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId, roles, tenant: "aurora" }));
const told = async (code: string) => (await db.select().from(auditEvent)).filter((row) => row.code === code);
const seqs = ({ rows }: { rows: { seq: number }[] }) => rows.map(({ seq }) => seq);

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  auditor = await givenStaff(db, "auditor");
  workAs(auditor, "auditor");
});

const about = (object: string) =>
  record(db, { tenant: "aurora", actor: auditor, code: "kyc.decide", outcome: "DONE", object });

describe("the record on the screen", () => {
  it("pages the audit in both directions and keeps the newest page full", async () => {
    await givenRows(db, 60);
    const filter = { code: "kyc.decide" } as const;
    const first = await listTrail(filter);
    expect([seqs(first)[0], first.rows.length, first.newer, first.older]).toEqual([60, 25, null, 36]);
    const second = await listTrail({ ...filter, before: 36 });
    expect([seqs(second)[0], seqs(second).at(-1), second.newer, second.older]).toEqual([35, 11, 35, 11]);
    const last = await listTrail({ ...filter, before: 11 });
    expect([seqs(last)[0], seqs(last).at(-1), last.older]).toEqual([10, 1, null]);
    expect(seqs(await listTrail({ ...filter, after: 10 }))).toEqual(seqs(second));
    expect(seqs(await listTrail({ ...filter, after: 35 }))).toEqual(seqs(first));
  });

  it("filters the audit by event, outcome, person, object, id, write and time", async () => {
    const intentId = randomUUID();
    const entry = { tenant: "aurora", actor: auditor, code: "kyc.decide", object: "kyc:case-7", intentId } as const;
    await record(db, { ...entry, outcome: "INTENT" });
    await record(db, { ...entry, outcome: "DONE" });
    await givenRows(db, 3);
    expect(seqs(await listTrail({ actor: auditor, code: "kyc.decide" }))).toEqual([2, 1]);
    expect(seqs(await listTrail({ outcome: "INTENT" }))).toEqual([1]);
    for (const search of ["kyc:case-7", "case-7", intentId]) expect(seqs(await listTrail({ search }))).toEqual([2, 1]);
    expect(seqs({ rows: await listOfIntent(intentId) })).toEqual([1, 2]);
    expect(seqs(await listTrail({ code: "kyc.decide", from: "2020-01-01T00:00" }))).toEqual([5, 4, 3, 2, 1]);
    expect(seqs(await listTrail({ code: "kyc.decide", to: "2020-01-01T00:00" }))).toEqual([]);
  });

  it("finds an audit row by the shortened id that the list shows", async () => {
    await about("kyc:3160543b-6d0e-4c1a-9f57-0f5cb9a3a1de");
    await about("kyc:3160543c-6d0e-4c1a-9f57-0f5cb9a3a1de");
    await about("account:3160543b-ffff-4c1a-9f57-0f5cb9a3a1de");
    expect(seqs(await listTrail({ search: "3160543B" }))).toEqual([3, 1]);
    expect(seqs(await listTrail({ search: "3160543b-6d0e" }))).toEqual([]);
  });

  it("finds audit rows by the provider's id of an account, onboarding or entry", async () => {
    const ref = randomUUID();
    const id = randomUUID();
    const intentId = randomUUID();
    const at = new Date();
    const known = { tenant: "aurora", accountId: "acc-7", branch: "1", number: "7", firstSeenAt: at };
    await db.insert(account).values({ ref, ...known, ...sealDocument({ table: "account", id: ref }, CPF) });
    const dates = { firstSeenAt: at, changedAt: at, checkedAt: at };
    const asked = { tenant: "aurora", onBoardingId: "onb-7", status: "PROCESSING", ...dates } as const;
    const sealed = sealDocument({ table: "onboarding", id }, CPF);
    await db.insert(onboarding).values({ id, ...asked, messages: [], ...sealed });
    await givenIntentRows(db, { ...SENT, id: intentId, actor: auditor, createdAt: at });
    const moved = { kind: "INTERNAL", accountId: "acc-7", amount: "1.00", isRepeat: false, fingerprint: "f" } as const;
    const done = { tenant: "aurora", intentId, transactionId: "tra-7", staffId: auditor, createdAt: at };
    await db.insert(transfer).values({ ...moved, ...done });
    await about(`account:${ref}`);
    await about(`onboarding:${id}`);
    await record(db, { tenant: "aurora", actor: auditor, code: "transfer.internal", outcome: "DONE", intentId });
    for (const [row, search] of ["acc-7", "onb-7", "tra-7"].entries())
      expect(seqs(await listTrail({ search }))).toEqual([row + 1]);
  });

  it("names the people in an audit row's details", async () => {
    const detail = { maker: auditor, authorisedBy: randomUUID(), bodyHash: "0:1" };
    await record(db, { tenant: "aurora", actor: "command", code: "approval.execute", outcome: "DONE", detail });
    const [row] = (await listTrail({ code: "approval.execute" })).rows;
    expect(row?.named).toEqual({ [auditor]: expect.any(String) });
    expect(row?.named[auditor]).not.toBe(auditor);
  });

  it("says who acted after the page opened, up to a hundred", async () => {
    await givenRows(db, 4);
    expect(await countNew({ code: "kyc.decide", after: 2 })).toEqual({ count: 2 });
    expect(await countNew({ code: "staff.add", after: 2 })).toEqual({ count: 0 });
    await givenRows(db, 120);
    expect(await countNew({ after: 1 })).toEqual({ count: 100 });
  });

  it("audits who reads the audit and by which filter, once in five minutes", async () => {
    for (const filter of [{}, {}, { code: "kyc.decide" as const }, { before: 9 }]) await listTrail(filter);
    expect((await told("audit.read")).map(({ actor, detail }) => [actor, detail])).toEqual([
      [auditor, { filter: "" }],
      [auditor, { filter: "code=kyc.decide" }],
    ]);
  });
});

const read = async (parts: AsyncGenerator<string>) => {
  let text = "";
  for await (const part of parts) text += part;
  return text;
};

const namesOf = async () => ({ "account:7": "0001 / 12345-6" });

describe("the record as a file", () => {
  it("exports every matching row and names the events", async () => {
    await givenRows(db, 2_100);
    const { fileName, parts } = await exportTrail({ code: "kyc.decide", before: 9 }, "csv");
    const lines = (await read(parts)).split("\r\n");
    expect(fileName).toMatch(/^audit-\d{4}-\d\d-\d\d-en\.csv$/);
    expect(lines).toHaveLength(2_102);
    expect(lines[0]).toBe(
      '\uFEFF"Row","Time (São Paulo)","Code","Event","Outcome","Who (id)","Who","About","Record","Justification","Operation","Detail","Chained hash"',
    );
    expect(lines[1]).toMatch(
      /^2100,"\d{4}-\d\d-\d\d [\d:.]{12}","kyc\.decide","KYC decision","Done","ana",,"kyc:2099","KYC",,,/,
    );
  });

  it("calls a record what people call it", async () => {
    await record(db, {
      tenant: "aurora",
      actor: "ana",
      code: "accounts.look-up",
      outcome: "DONE",
      object: "account:7",
    });
    const text = await read((await exportTrail({ code: "accounts.look-up" }, "csv", namesOf)).parts);
    expect(text).toContain('"account:7","Account 0001 / 12345-6"');
  });

  it("neutralises spreadsheet formulas in every row", async () => {
    await record(db, { tenant: "aurora", actor: "=1+1", code: "kyc.decide", outcome: "DONE", object: "@SUM(A1)" });
    const text = await read((await exportTrail({ code: "kyc.decide" }, "csv")).parts);
    expect(text).toContain(`,"'=1+1",`);
    expect(text).toContain(`,"'@SUM(A1)",`);
  });

  it("names hidden characters in the spreadsheet, and keeps them exact in JSON", async () => {
    const row = { tenant: "aurora", actor: "ana", code: "kyc.decide", outcome: "DONE", object: "kyc:\u202E1" } as const;
    await record(db, { ...row, detail: { status: "unknown:EM_\u202EANALISE" } });
    const text = await read((await exportTrail({ code: "kyc.decide" }, "csv")).parts);
    expect(text).toContain(`"kyc:[U+202E]1"`);
    expect(text).toContain(`{""status"":""EM_[U+202E]ANALISE""}`);
    const rows: unknown = JSON.parse(await read((await exportTrail({ code: "kyc.decide" }, "json")).parts));
    expect(rows).toMatchObject([{ object: "kyc:\u202E1", detail: { status: "unknown:EM_\u202EANALISE" } }]);
  });

  it("exports JSON, and an empty list for no rows", async () => {
    await givenRows(db, 2);
    const rows: unknown = JSON.parse(await read((await exportTrail({ code: "kyc.decide" }, "json")).parts));
    expect(rows).toMatchObject([
      { seq: 2, detail: { n: 1 } },
      { seq: 1, detail: { n: 0 } },
    ]);
    expect(JSON.parse(await read((await exportTrail({ code: "staff.add" }, "json")).parts))).toEqual([]);
  });

  it("audits an export before its first byte and limits it by permission", async () => {
    await exportTrail({ actor: "ana" }, "json");
    expect(await told("audit.export")).toMatchObject([
      { actor: auditor, detail: { format: "json", filter: "actor=ana" } },
    ]);
    workAs(await givenStaff(db, "support"), "support");
    await expect(exportTrail({}, "csv")).rejects.toMatchObject({ kind: "forbidden" });
    expect((await told("audit.export")).map(({ outcome }) => outcome)).toEqual(["DONE", "REFUSED"]);
  });
});

const reveal = (tenant = "aurora") =>
  record(db, { tenant, actor: auditor, code: "personal-data.reveal", outcome: "DONE" });
const signIn = (outcome: "DONE" | "REFUSED") =>
  record(db, { tenant: "aurora", actor: auditor, code: "session.open", outcome });
const startOf = (days: number) => `('${civilDaysAgo(days)}'::timestamp at time zone 'America/Sao_Paulo')`;

describe("the auditor's overview", () => {
  it("counts reveals and refused sign-ins per São Paulo day since the record began", async () => {
    await reveal();
    await signIn("REFUSED");
    await reveal();
    await reveal("boreal");
    await signIn("DONE");
    await signIn("REFUSED");
    await tamper(
      db,
      `update audit_event set at = ${startOf(3)} where seq = 1 and tenant = 'aurora'`,
      `update audit_event set at = ${startOf(2)} - interval '1 second' where seq = 2 and tenant = 'aurora'`,
      `update audit_event set at = ${startOf(2)} where seq = 3 and tenant = 'aurora'`,
    );
    expect((await getOversight()).days).toEqual([
      { day: civilDaysAgo(3), reveals: 1, refused: 1 },
      { day: civilDaysAgo(2), reveals: 1, refused: 0 },
      { day: civilDaysAgo(1), reveals: 0, refused: 0 },
      { day: civilDaysAgo(0), reveals: 0, refused: 1 },
    ]);
  });

  it("says how far the record goes, to auditors and administrators only", async () => {
    await givenRows(db, 3);
    expect((await getOversight()).state).toMatchObject({ last: 3, upTo: null, signed: null });
    workAs(auditor, "support", "compliance", "finance", "approver");
    await expect(getOversight()).rejects.toMatchObject({ kind: "forbidden" });
  });
});
