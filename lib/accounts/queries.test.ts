import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { getSession } from "@/lib/auth/session";
import { sessionOf } from "@/test/support/auth";
import { completeCpf, maskDocument } from "@/lib/contract/document";
import { losslessNumber } from "@/lib/contract/json";
import { AccountRequested, OnboardingRecord } from "@/lib/contract/onboarding";
import { givenCase, givenStarted } from "@/test/support/kyc";
import { givenAccount, givenOnboarding } from "@/test/support/privacy";
import { account } from "@/lib/db/tables/customers";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { otherProvider } from "@/test/other-provider";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import { personRequest } from "@/test/support/service/accounts";
import type { Harness } from "@/test/support/service/harness";
import { lookUp } from "./look-up";
import {
  getAccount,
  getBalance,
  getRecord,
  getRelated,
  getStatementView,
  getUser,
  listRecentAccounts,
  type RecordField,
} from "./queries";

const CPF = completeCpf("417205638");
const march = { from: "2026-03-01", to: "2026-03-31" };

let db: Db;
let service: Harness;
let ref = "";
let asked: string[] = [];
/** Replaces the service's answer. */
let instead: (request: Request) => Response | null | Promise<Response | null> = () => null;

async function signIn(tenant = "aurora"): Promise<string> {
  const staffId = await givenStaff(db, "support");
  vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId, tenant, roles: ["support"] }));
  return staffId;
}

async function openAndFind(cpf: string, staffId: string): Promise<string> {
  const answer = await service.send("POST", "/v1/bank-accounts/create", { body: personRequest(cpf) });
  const id = AccountRequested.parse(answer.body).data.body.onBoardingId;
  await service.control("POST", `/sandbox/onboardings/${id}`, { status: "CONFIRMED" });
  const found = await lookUp(actorOf("support", staffId, "accounts:read"), { query: id });
  return "accountRef" in found ? found.accountRef : "";
}

async function credit(amount: string, type: "PIX" | "TED"): Promise<void> {
  const [row] = await db.select().from(account);
  const body = { amount: losslessNumber(amount), type, description: `Venda ${type}` };
  await service.control("POST", `/sandbox/bank-accounts/${row?.accountId}/credit`, body);
}

const named = (fields: RecordField[] = []) => fields.map(({ name, text }) => [name, text]);

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  asked = [];
  instead = () => null;
  service = await givenService(
    (request) => {
      asked.push(request.url);
    },
    (serve) => async (request) => (await instead(request)) ?? serve(request),
  );
  ref = await openAndFind(CPF, await signIn());
});

describe("an account", () => {
  it("shows an account's holder masked and links to its onboarding", async () => {
    const view = await getAccount(ref);
    expect(view).toMatchObject({ ref, kind: "PF", document: "***.205.638-**", onboardingRef: expect.any(String) });
    expect(JSON.stringify(view)).not.toContain(CPF);
  });

  it.each([
    ["CLOSED", { word: "CLOSED", standing: "CLOSED" }],
    ["Ativa", { word: "Ativa", standing: "OPEN" }],
    ["EM_ANALISE", { word: "EM_ANALISE", standing: "UNKNOWN" }],
  ])("shows the account as %s whatever caused the provider's status", async (status, told) => {
    expect(await getRecord(ref)).toMatchObject({ standing: "OPEN" });
    instead = ({ url }) => (url.includes("getAccountInfo") ? Response.json({ data: { status } }) : null);
    expect(await getRecord(ref)).toMatchObject(told);
  });

  it("shows no account as active when the provider's record cannot be read", async () => {
    instead = ({ url }) => (url.includes("getAccountInfo") ? Response.json({ message: "no" }, { status: 422 }) : null);
    expect(await getRecord(ref)).toBeNull();
  });

  it("shows each holder field masked, and the documents sent at opening", async () => {
    const record = await getRecord(ref);
    const holder = record?.holder.map(({ name, text }) => [name, text]);
    expect(record?.name).toMatch(/^\S•••( \S•••)+$/);
    expect(holder).toEqual(
      expect.arrayContaining([
        ["fullName", record?.name],
        ["documentNumber", "***.205.638-**"],
        ["birthDate", expect.stringMatching(/^••• \d{4}$/)],
        ["email", expect.stringMatching(/^.•••@•••$/)],
        ["phoneNumber", expect.stringMatching(/^•••\d\d$/)],
        ["address", expect.stringMatching(/^••• · /)],
      ]),
    );
    expect(record?.documents.map(({ path }) => path).toSorted()).toEqual([
      "data.bankDocuments.documentBackLink",
      "data.bankDocuments.documentLink",
      "data.bankDocuments.selfieLink",
    ]);
    const { address, ...person } = personRequest(CPF).person;
    const secrets = [person.fullName, person.motherName, person.phoneNumber, person.email, CPF, address.street];
    const told = JSON.stringify(record);
    expect(secrets.filter((clear) => told.includes(clear))).toEqual([]);
  });

  it("shows each partner of a company separately", async () => {
    const owner = [
      { fullName: "Ana Prado", documentNumber: CPF },
      { fullName: "Rui Dias", email: "rui@example.com" },
    ];
    const company = { data: { businessName: "Prado e Dias Ltda", owner, ramo: "Padaria", apelidos: ["um", "dois"] } };
    instead = ({ url }) => (url.includes("getAccountInfo") ? Response.json(company) : null);
    const record = await getRecord(ref);
    expect(record?.name).toBe("P••• e••• D••• L•••");
    expect(record?.partners.map((fields) => fields.map(({ name, text }) => [name, text]))).toEqual([
      [
        ["fullName", "A••• P•••"],
        ["documentNumber", "***.205.638-**"],
      ],
      [
        ["fullName", "R••• D•••"],
        ["email", "r•••@•••"],
      ],
    ]);
    expect(record?.others.map(({ path, text }) => [path, text])).toEqual([
      ["data.ramo", "Padaria"],
      ["data.apelidos[0]", "um"],
      ["data.apelidos[1]", "dois"],
    ]);
  });

  it.each(["portuguese", "snake_case"] as const)(
    "shows the same account facts under the provider's %s names",
    async (names) => {
      const known = await getRecord(ref);
      const words = otherProvider(async (request) => service.app.request(request), {
        undocumented: { names, wrapping: "nested" },
      });
      instead = (request) => (request.url.includes("getAccountInfo") ? words(request) : null);
      const record = await getRecord(ref);
      expect(record).toMatchObject({ name: known?.name, standing: "OPEN" });
      expect(named(record?.holder)).toEqual(named(known?.holder));
      expect(record?.documents).toHaveLength(3);
    },
  );

  it.each(["userId", "id_usuario"])("stores the provider's user name %s when no transfer went out", async (name) => {
    await getRecord(ref);
    expect(await getUser(ref)).toBeNull();
    instead = ({ url }) => (url.includes("getAccountInfo") ? Response.json({ data: { [name]: "usr-1042" } }) : null);
    await getRecord(ref);
    instead = () => null;
    await getRecord(ref);
    expect(await getUser(ref)).toEqual({ userId: "usr-1042", typed: null });
    await signIn("boreal");
    expect(await getUser(ref)).toBeNull();
  });

  it.each([
    ["of the opening", { userId: "usr-2210" }],
    ["of its account", { account: { id_usuario: "usr-2210" } }],
  ])("stores the user's id from the opening answer in a field %s", async (_, more) => {
    instead = async (request) => {
      if (!request.url.includes("checkOnboarding")) return null;
      const answer = OnboardingRecord.parse(await (await service.app.request(request)).json());
      const { body } = answer.data;
      const said = { ...body, ...more, account: { ...body.account, ...("account" in more && more.account) } };
      return Response.json({ ...answer, data: { ...answer.data, body: said } });
    };
    const staffId = await signIn();
    await lookUp(actorOf("support", staffId, "accounts:read"), { query: CPF });
    expect(await getUser(ref)).toEqual({ userId: "usr-2210", typed: null });
  });

  it("finds no account for another tenant's, an unknown or an invalid reference", async () => {
    for (const odd of [randomUUID(), "-".repeat(36), CPF, ""]) expect(await getAccount(odd)).toBeNull();
    await signIn("boreal");
    expect(await getAccount(ref)).toBeNull();
    await expect(getBalance(ref)).rejects.toMatchObject({ kind: "not-found" });
  });
});

async function shownOf(accountRef: string, given: Record<string, unknown>) {
  const { shown } = await getStatementView(accountRef, given);
  if (shown === null) throw new Error("it was searched");
  return shown;
}

const accesses = () => db.select().from(auditEvent).where(eq(auditEvent.code, "customer.view"));

describe("what this person looked at", () => {
  it.each([
    ["a balance", () => getBalance(ref)],
    ["a statement", () => getStatementView(ref, march)],
  ])("audits a look once when a person saw only %s", async (_, read) => {
    await read();
    await read();
    expect(await accesses()).toMatchObject([{ object: `account:${ref}`, outcome: "DONE" }]);
  });
});

describe("a balance", () => {
  it.each([
    ["a sum of doubles", "0.30000000000000004", "0.30000000000000004"],
    ["a text", '"1234.56"', "1234.56"],
    ["no number", '"1.234,56"', "1.234,56"],
    ["nothing", "null", ""],
  ])("keeps the provider's value when it is %s, and shows the blocked amount", async (_, wire, shown) => {
    instead = (request) =>
      request.url.includes("/balance")
        ? new Response(`{"status":"ENCERRADA","data":{"balance":${wire},"blockedBalance":7}}`)
        : null;
    expect(await getBalance(ref)).toMatchObject({
      balance: shown,
      blockedBalance: "7.00",
      status: "ENCERRADA",
      standing: "CLOSED",
    });
  });

  it("reads a balance despite a duplicate key elsewhere in the answer", async () => {
    instead = (request) =>
      request.url.includes("/balance")
        ? new Response('{"status":"OK","canal":"A","canal":"B","data":{"balance":10.5,"blockedBalance":7}}')
        : null;
    expect(await getBalance(ref)).toMatchObject({ balance: "10.50", blockedBalance: "7.00" });
  });

  it("reads a balance among unknown fields, with the account's status nested below", async () => {
    await credit("10.50", "PIX");
    instead = (request) =>
      request.url.includes("/balance")
        ? otherProvider(service.app.fetch, { balance: { standing: "ENCERRADA" } })(request)
        : null;
    expect(await getBalance(ref)).toMatchObject({ balance: "10.50", standing: "CLOSED", status: "ENCERRADA" });
  });

  it("shows the provider's balance to the cent", async () => {
    await credit("9007199254740.93", "PIX");
    expect(await getBalance(ref)).toMatchObject({ balance: "9007199254740.93", blockedBalance: "0.00", status: "" });
  });
});

describe("the page of an account", () => {
  const open = (filter: Record<string, unknown> = march) =>
    Promise.all([getAccount(ref), getRecord(ref), getBalance(ref), getStatementView(ref, filter)]);

  it.each([
    ["its first page", march, 50],
    ["its second page", { ...march, page: "2" }, 10],
    ["a search in it", { ...march, type: "PIX" }, 50],
  ])("needs three calls for an account page with sixty entries, and %s", async (_, filter, rows) => {
    for (let entry = 0; entry < 60; entry += 1) await credit("1.00", "PIX");
    asked = [];
    const [, , , { totals, shown, sifted }] = await open(filter);
    const paths = asked.map((url) => new URL(url).pathname.split("/").at(-1));
    expect(new Set(paths)).toEqual(new Set(["balance", "getAccountInfoNaturalPerson", "history"]));
    expect(paths).toHaveLength(3);
    expect([totals.count, totals.sums?.in]).toEqual([60, "60.00"]);
    expect((shown ?? sifted)?.rows).toHaveLength(rows);
    expect(shown?.totalPages ?? 2).toBe(2);
  });

  it("needs a fourth call when the provider gives no page count", async () => {
    const entry = { transactionId: "1", type: "PIX", amount: 1, date: "2026-03-09T12:00:00Z", direction: "CREDIT" };
    const pageOf = (url: URL) => (url.searchParams.get("page") === null ? [entry] : []);
    instead = (request) => {
      const url = new URL(request.url);
      if (!url.pathname.endsWith("/history")) return null;
      return Response.json({ data: { transactions: pageOf(url), page: Number(url.searchParams.get("page") ?? 1) } });
    };
    asked = [];
    const [, , , { totals }] = await open();
    expect([totals.count, totals.sums?.in, asked.length]).toEqual([1, "1.00", 4]);
  });

  it("opens an account page at most twenty times a minute for one person", async () => {
    for (let page = 0; page < 20; page += 1) await open();
    expect(asked.length).toBeGreaterThanOrEqual(60);
  });
});

describe("a statement", () => {
  it("shows the requested days of a statement, newest first", async () => {
    await credit("10.00", "TED");
    await service.advance(1000);
    await credit("0.05", "PIX");
    const { rows, page, totalPages } = await shownOf(ref, march);
    expect([page, totalPages]).toEqual([1, 1]);
    expect(rows).toMatchObject([
      { type: "PIX", amount: "0.05", direction: "CREDIT" },
      { type: "TED", amount: "10.00", direction: "CREDIT" },
    ]);
    expect((await shownOf(ref, { ...march, pix: "true" })).rows).toHaveLength(1);
    expect((await shownOf(ref, { from: "2026-02-01", to: "2026-02-28" })).rows).toEqual([]);
  });

  it("gives the screen the statement's times in ISO, however the provider writes them", async () => {
    const entry = { transactionId: "t", type: "PIX", amount: 10, description: "", direction: "CREDIT" };
    const dates = ["20260318T140300-03", "2026-03-18 23:30", "18/03/2026", "529.982.247-25"];
    const data = { transactions: dates.map((date) => ({ ...entry, date })), page: 1, totalPages: 1 };
    instead = ({ url }) => (url.includes("history") ? Response.json({ data }) : null);
    const told = ["2026-03-18T17:03:00.000Z", "2026-03-19T02:30:00.000Z", "18/03/2026", "***.982.247-**"];
    const iso = told.map((date) => ({ date }));
    expect((await shownOf(ref, march)).rows).toMatchObject(iso);
    expect((await getStatementView(ref, { ...march, min: "1" })).sifted?.rows).toMatchObject(iso);
  });

  it("reorders a reversed period, and falls back to thirty days on an invalid one", async () => {
    expect(await shownOf(ref, { from: march.to, to: march.from })).toMatchObject(march);
    const { from, to } = await shownOf(ref, { from: "31/02/2026", page: "x" });
    expect((Date.parse(to) - Date.parse(from)) / 86_400_000 + 1).toBe(30);
  });

  it("accepts a period typed in a form without a script", async () => {
    const [start, end] = [march.from, march.to].map((day) => day.split("-").toReversed().join("/"));
    expect(await shownOf(ref, { from: start, to: end })).toMatchObject(march);
  });
});

describe("the accounts viewed last", () => {
  it("lists what this person looked up or opened, newest first, each once", async () => {
    const staffId = await signIn();
    const other = await openAndFind(completeCpf("417205639"), staffId);
    await lookUp(actorOf("support", staffId, "accounts:read"), { query: CPF });
    await lookUp(actorOf("support", staffId, "accounts:read"), { query: completeCpf("417205639") });
    expect((await listRecentAccounts()).map((recent) => recent.ref)).toEqual([other, ref]);
    await getAccount(ref);
    expect((await listRecentAccounts()).map((recent) => recent.ref)).toEqual([ref, other]);
    await signIn();
    expect(await listRecentAccounts()).toEqual([]);
  });
});

it("lists other records of the holder's document, and cases matching its mask", async () => {
  const vatNumber = maskDocument(CPF);
  const staffId = await signIn();
  const sure = await givenCase(db, { vatNumber });
  const perhaps = await givenCase(db, { vatNumber });
  await givenStarted(db, staffId, { kycUUID: sure, document: CPF });
  await givenStarted(db, staffId, { kycUUID: await givenCase(db, { vatNumber }), document: "11144477735" });
  const other = await givenAccount(db, CPF);
  const onboarding = await givenOnboarding(db, CPF);
  await givenAccount(db, "11144477735");
  await givenAccount(db, CPF, "boreal");
  const related = await getRelated(ref);
  expect(related.cases.map(({ kycUUID, isSure }) => [kycUUID, isSure])).toEqual([
    [sure, true],
    [perhaps, false],
  ]);
  expect(related.accounts).toMatchObject([{ ref: other, isSure: true }]);
  expect(related.onboardings.map(({ id }) => id)).toContain(onboarding);
  expect(await getRelated("no-reference")).toEqual({ cases: [], onboardings: [], accounts: [] });
});
