import { randomUUID } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { getLocale } from "next-intl/server";
import { Ofx } from "ofx-data-extractor";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { getSession } from "@/lib/auth/session";
import type { Role } from "@/lib/permission/permission";
import { sessionOf } from "@/test/support/auth";
import { account } from "@/lib/db/tables/customers";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import { openAccount } from "@/test/support/transfers";
import { type Account, statementOf as entriesOf, transfer } from "@/test/support/service/transfers";
import type { Harness } from "@/test/support/service/harness";
import { AppError } from "@/lib/errors/app-error";
import { provider } from "@/lib/provider/client";
import { textsOf } from "@/test/support/pdf";
import { formatBrl } from "@/lib/text/format";
import { civilDaysAgo } from "@/lib/text/time";
import { patientReader } from "./export";
import { lookUp } from "./look-up";
import { nameFile } from "./name-file";
import { type EntryQuery, StatementFilter } from "./inputs";
import { receiptFile, STATEMENT_FILE } from "./view";
import { exportReceipt, exportStatement, getReceipt } from "./queries";

const period = { from: "2026-03-01", to: "2026-03-31" };
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNQcGgAAAFkAOHHE8n2AAAAAElFTkSuQmCC";
const entry = {
  transactionId: "t",
  type: "PIX",
  amount: 10,
  date: "2026-03-09T12:00:00Z",
  description: "Venda",
  direction: "CREDIT",
};

let db: Db;
let service: Harness;
let held: Account;
let other: Account;
let ref = "";
let support = "";
/** Replaces the service's answer for a page of the statement. */
let answer: ((page: number) => unknown) | null = null;
let pages: number[] = [];

async function signIn(role: Role): Promise<string> {
  const staffId = await givenStaff(db, role);
  vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId, tenant: "aurora", roles: [role] }));
  return staffId;
}

beforeEach(async () => {
  vi.mocked(getLocale).mockResolvedValue("pt-BR");
  givenEnv();
  db = await givenStore();
  [answer, pages] = [null, []];
  service = await givenService(
    () => {},
    (serve) => (request) => {
      const { pathname, searchParams } = new URL(request.url);
      if (answer === null || !pathname.endsWith("/history")) return serve(request);
      const page = Number(searchParams.get("page") ?? 1);
      pages.push(page);
      return Response.json(answer(page));
    },
  );
  [held, other] = [await openAccount(service, 1000), await openAccount(service)];
  support = await signIn("support");
  const found = await lookUp(actorOf("support", support, "accounts:read"), { query: held.onBoardingId });
  ref = "accountRef" in found ? found.accountRef : "";
});

const told = (transactions: unknown[], page = 1, totalPages = 1) => ({
  status: 200,
  data: { transactions, page, totalPages },
});

async function bytesOf(format: "csv" | "ofx" | "pdf", given: Record<string, unknown> = {}): Promise<Buffer> {
  const { parts } = await exportStatement(ref, { ...period, ...given }, format);
  const all: Uint8Array[] = [];
  for await (const part of parts) all.push(typeof part === "string" ? Buffer.from(part) : part);
  return Buffer.concat(all);
}

const fileOf = async (format: "csv" | "ofx", given: Record<string, unknown> = {}): Promise<string> =>
  (await bytesOf(format, given)).toString(format === "csv" ? "utf8" : "latin1");

const fitids = async (given = {}) => (await fileOf("ofx", given)).match(/(?<=<FITID>)[^<]+/g);

async function fitidOf(change: Record<string, unknown>) {
  answer = () => told([{ ...entry, ...change }]);
  return fitids();
}

/** Each entry of an OFX file with its FITID. */
const namedIn = async (listed: readonly object[]) => {
  answer = () => told([...listed]);
  const file = await fileOf("ofx");
  return [
    ...file.matchAll(/<TRNTYPE>(\w+)[^]*?<DTPOSTED>(\d{8})[^]*?<TRNAMT>([^<]+)[^]*?<FITID>([^<]+)[^]*?<MEMO>([^<]+)/g),
  ]
    .map(([, ...cells]) => cells.join(" "))
    .toSorted();
};

const onRecord = () => db.select().from(auditEvent).where(eq(auditEvent.code, "statement.export"));

describe("a statement as CSV", () => {
  it("writes each matching entry with sign and decimal comma, formulas neutralised", async () => {
    answer = () =>
      told([
        { ...entry, amount: 1234.5, description: "=1+1;Venda" },
        { ...entry, direction: "DEBIT", amount: 7, type: "TED", status: "CONFIRMED" },
        { ...entry, direction: "?", amount: 3, type: "BOLETO", status: "EM_ANALISE" },
        { ...entry, type: "FEE", direction: "DEBIT" },
      ]);
    const [head, ...lines] = (await fileOf("csv", { max: "2.000,00", type: undefined })).split("\r\n");
    expect(head?.startsWith('\uFEFF"Data";"Hora"')).toBe(true);
    expect(lines).toEqual([
      `"09/03/2026";"09:00";"'=1+1;Venda";"PIX";"Entrada";1234,50;"não informada";"t";;`,
      `"09/03/2026";"09:00";"Venda";"TED";"Saída";-7,00;"Confirmada";"t";;`,
      `"09/03/2026";"09:00";"Venda";"BOLETO";"?";;"EM_ANALISE";"t";"3.00 ?";`,
      `"09/03/2026";"09:00";"Venda";"Tarifa";"Saída";-10,00;"não informada";"t";;`,
      `;;;;;;;;;"1 lançamento está sem valor aqui: não conseguimos ler ou o provedor não diz o sentido. Veja “Como veio do provedor”."`,
      "",
    ]);
    expect((await fileOf("csv", { direction: "out", search: "nada" })).split("\r\n")).toHaveLength(2);
  });

  it("audits the export before its first byte, without filter values", async () => {
    await exportStatement(ref, { ...period, search: "Aluguel da Ana", direction: "in", page: 7 }, "csv");
    expect(await onRecord()).toMatchObject([
      {
        object: `account:${ref}`,
        outcome: "DONE",
        detail: { what: "statement", format: "csv", ...period, filter: "direction,search" },
      },
    ]);
  });

  it("names the file in the reader's language, with account and days", async () => {
    const { fileName } = await exportStatement(ref, period, "csv");
    expect(fileName).toMatch(/^extrato-[\dX-]+-2026-03-01-2026-03-31-pt-BR\.csv$/);
  });

  it("limits a CSV statement to people with the permission", async () => {
    await signIn("approver");
    await expect(fileOf("csv")).rejects.toMatchObject({ kind: "forbidden" });
    await signIn("auditor");
    await expect(fileOf("csv")).resolves.toContain("Data");
  });

  it("breaks off rather than look complete when the provider repeats a page", async () => {
    answer = () => told([entry], 1, 3);
    await expect(fileOf("csv")).rejects.toMatchObject({ kind: "malformed" });
  });
});

const ledgerOf = async () => {
  const entries = await entriesOf(service, held);
  const of = (direction: "CREDIT" | "DEBIT") =>
    entries.filter((one) => one.direction === direction).reduce((sum, { amount }) => sum + Number(amount) * 100, 0);
  return { count: entries.length, in: of("CREDIT"), out: of("DEBIT") };
};

const reais = (cents: number) => formatBrl((cents / 100).toFixed(2), "pt-BR").replaceAll("\u00A0", " ");

/** The text that follows a label in the PDF. */
const after = (texts: readonly string[], label: string) => texts[texts.indexOf(label) + 1];

const printed = async (given: Record<string, unknown> = {}) => textsOf(await bytesOf("pdf", given));

it("flags an amount finer than a cent and keeps the provider's text", async () => {
  answer = () => told([{ ...entry, amount: "0.30000000000000004" }]);
  expect(await fileOf("csv")).toContain(
    ';0,30000000000000004;"não informada";"t";"0.30000000000000004 (como informado)";',
  );
  expect(await fileOf("ofx")).toMatch(/<MEMO>R\$ 0\.30000000000000004 \(como informado\): Venda/);
});

it("keeps ids searchable and writes zero without a sign", async () => {
  answer = () => told([{ ...entry, transactionId: "00012345678901234567", direction: "DEBIT", amount: 0 }]);
  const [, line] = (await fileOf("csv")).split("\r\n");
  expect(line).toMatch(/;0,00;"não informada";"00012345678901234567";;$/);
  expect(await fileOf("ofx")).toContain("<TRNAMT>0.00</TRNAMT>");
});

it.each(["529\u2011982\u2011247\u201125", "529.982.\n247-25", "５２９９８２２４７２５", "5\u200b2998224725"])(
  "masks a CPF written %j in each file",
  async (cpf) => {
    answer = () => told([{ ...entry, description: `Aluguel ${cpf}` }]);
    expect(await fileOf("csv")).toContain('"Aluguel ***.982.247-**"');
    expect(await fileOf("ofx")).toContain("<MEMO>Aluguel ***.982.247-**</MEMO>");
    expect((await printed()).join(" ")).toContain("Aluguel ***.982.247-**");
  },
);

const inMarch = (day: string) => `2026-03-${day}T12:00:00Z`;

function daysIn(texts: string[]): string {
  const from = texts.indexOf("Saldo por dia");
  return texts.slice(from + 5, texts.indexOf("Lançamentos", from)).join(" ");
}

describe("a statement as PDF", () => {
  it("prints the masked holder, the period, each entry and the ledger's totals", async () => {
    await transfer(service, [held, other], { amount: 150.75, fields: { description: "Aluguel" } });
    await transfer(service, [held, other], { amount: 0.1, fields: { description: `para ${other.documentNumber}` } });
    const texts = await printed();
    const ledger = await ledgerOf();
    expect(after(texts, "Entradas")).toBe(reais(ledger.in));
    expect(after(texts, "Saídas")).toBe(reais(ledger.out));
    expect(after(texts, "Lançamentos")).toBe(`${ledger.count}`);
    expect(texts).toEqual(
      expect.arrayContaining(["De 01/03/2026 a 31/03/2026", "A••• B••• S•••", "Aluguel", "−R$ 150,75", "R$ 1.000,00"]),
    );
    expect(texts.join("\n")).toMatch(/página 1 de 1/);
    expect(after(texts, "CPF ou CNPJ")).toMatch(/^\*\*\*\.\d{3}\.\d{3}-\*\*$/);
    for (const document of [held.documentNumber, other.documentNumber]) expect(texts.join()).not.toContain(document);
  });

  it("prints the opening and closing balance, or neither when unknown", async () => {
    await transfer(service, [held, other], { amount: 150.75 });
    const today = { to: civilDaysAgo(0) };
    const texts = await printed(today);
    expect(texts.slice(texts.indexOf("Lançamentos"), texts.lastIndexOf("Lançamentos")).join(" ")).toMatch(
      /Saldo no início de 01\/03\/2026 R\$ 0,00 Saldo em \d\d\/\d\d\/\d{4}, \d\d:\d\d:\d\d R\$ 849,25/,
    );
    expect((await printed({ ...today, direction: "out" })).join(" ")).not.toContain("Saldo");
    answer = () => told([entry, { amount: null }], 1, 3);
    expect((await printed(today)).join(" ")).not.toContain("Saldo");
  });

  it("prints the balance at the end of each day", async () => {
    const out = { ...entry, direction: "DEBIT", amount: 200 };
    const ofMarch = [
      { ...entry, transactionId: "3", date: inMarch("12"), amount: 25 },
      { ...out, transactionId: "2", date: inMarch("10") },
      { ...entry, transactionId: "1", date: inMarch("10"), amount: 1150 },
    ];
    answer = () => told(ofMarch);
    const moved = "10/03/2026 R$ 1.150,00 R$ 200,00 R$ 975,00 12/03/2026 R$ 25,00 R$ 0,00 R$ 1.000,00";
    expect(daysIn(await printed({ to: civilDaysAgo(0) }))).toBe(moved);
    pages = [];
    answer = () => told(pages.length === 1 ? ofMarch : [{ ...out, date: "2026-04-02T12:00:00Z" }]);
    const ended = await printed();
    expect(after(ended, "Saldo no fim de 31/03/2026")).toBe("R$ 1.200,00");
    expect(daysIn(ended)).toContain("R$ 1.175,00");
  });

  it("carries the company name and logo from the settings, and so does a receipt", async () => {
    const [aurora] = givenEnv().tenants;
    const logoFile = join(mkdtempSync(join(tmpdir(), "logo-")), "logo.png");
    writeFileSync(logoFile, Buffer.from(PIXEL, "base64"));
    const company = { name: "Aurora S.A.", cnpj: "11.444.777/0001-61", customerService: "0800 123 4567", logoFile };
    expect(await printed()).toContain("Aurora");
    givenEnv({ tenants: [{ ...aurora, company }] });
    const said = ["Aurora S.A.", "CNPJ 11.444.777/0001-61", "Atendimento ao cliente: 0800 123 4567"];
    const pdf = await bytesOf("pdf");
    expect(textsOf(pdf)).toEqual(expect.arrayContaining(said));
    expect(pdf.toString("latin1")).toContain("/Subtype /Image");
    await transfer(service, [held, other], { amount: 10 });
    const [sent] = await entriesOf(service, held);
    const { parts } = await exportReceipt(ref, { transaction: sent?.transactionId ?? "", direction: "DEBIT" });
    expect(textsOf((await parts.next()).value ?? Buffer.alloc(0))).toEqual(expect.arrayContaining(said));
  });

  it("prints the holder's initials, or the full name after a reason", async () => {
    expect(after(await printed(), "Titular")).toBe("A••• B••• S•••");
    const asking = { ref, file: STATEMENT_FILE, reason: "service", note: "Protocolo 8731" } as const;
    const { revealId } = await nameFile(actorOf("support", support, "statement:export"), asking);
    const { parts } = await exportStatement(ref, { ...period, names: revealId }, "pdf");
    const { value } = await parts.next();
    expect(after(textsOf(Buffer.from(value ?? "")), "Titular")).toBe("Ana Beatriz Souza");
  });

  it("prints the filters and sums only the filtered entries", async () => {
    await transfer(service, [held, other], { amount: 150.75 });
    const texts = await printed({ direction: "out", min: "100,00" });
    expect(after(texts, "Só o que corresponde a")).toBe("Saídas · Valor mínimo: R$ 100,00");
    expect([after(texts, "Entradas"), after(texts, "Saídas")]).toEqual(["R$ 0,00", "R$ 150,75"]);
  });

  it("translates known words, and prints unknown ones as the provider wrote them", async () => {
    answer = () =>
      told([
        { ...entry, type: "INTERNAL", status: "HELD" },
        { ...entry, type: "BOLETO", status: "EM_ANALISE" },
      ]);
    const texts = (await printed()).join(" ");
    expect(texts).toContain("Venda (Retida) Interna");
    expect(texts).toContain("Venda (EM_ANALISE) BOLETO");
    const narrowed = async (given: Record<string, string>) => after(await printed(given), "Só o que corresponde a");
    expect(await narrowed({ type: "FEE", status: "HELD" })).toBe("Tarifa · Situação: Retida");
    expect(await narrowed({ type: "BOLETO", status: "EM_ANALISE" })).toBe("BOLETO · Situação: EM_ANALISE");
  });

  it("omits sums when entries may be missing, and says so", async () => {
    answer = () => told([entry, { amount: null }], 1, 3);
    const texts = await printed();
    expect(texts.join(" ")).toContain("Não sabemos se o extrato está completo");
    expect(texts).not.toContain("Entradas");
    expect(texts.join(" ")).toContain("Não conseguimos ler este lançamento");
  });

  it("streams a long statement page by page, with sums at the end", async () => {
    answer = (page) =>
      told(
        Array.from({ length: 60 }, (_, n) => ({ ...entry, transactionId: `${page}-${n}`, amount: 1.01 })),
        page,
        5,
      );
    const { parts } = await exportStatement(ref, period, "pdf");
    const [first] = [await parts.next()];
    const all = [Buffer.from(first.value ?? "")];
    for await (const part of parts) all.push(Buffer.from(part));
    const texts = textsOf(Buffer.concat(all));
    expect(texts.filter((text) => text === "R$ 1,01")).toHaveLength(300);
    expect(texts.join(" ")).toContain("entradas e saídas estão no fim");
    expect(texts.slice(texts.indexOf("Resumo")).join(" ")).toContain("Entradas R$ 303,00");
  });
});

it("waits when the call budget is spent and checks once a second", async () => {
  const waits: number[] = [];
  const read = patientReader(async (ms) => void waits.push(ms));
  const asking = {
    asked: { accountId: "1", documentNumber: "1" },
    object: "account:1",
    filter: StatementFilter.parse({}),
  };
  const actor = actorOf("support", await signIn("support"), "statement:export");
  let refusals = 2;
  vi.spyOn(provider, "get").mockImplementation(async () => {
    refusals -= 1;
    if (refusals >= 0) throw new AppError("rate-limited", { code: "budget-spent", retryAfterMs: 7_000 });
    throw new AppError("not-found");
  });
  await expect(read(actor, asking)).rejects.toMatchObject({ kind: "not-found" });
  expect(waits).toEqual([7_000, 7_000]);
  for (let page = 2; page <= 21; page += 1) await expect(read(actor, asking)).rejects.toThrow(AppError);
  expect(waits).toEqual([7_000, 7_000, 1_000]);
  vi.mocked(provider.get).mockRestore();
});

describe("a statement as OFX", () => {
  it("writes an OFX that a third-party reader parses, to the cent", async () => {
    await transfer(service, [held, other], { amount: 150.75, fields: { description: "Aluguel <março> & mais" } });
    await transfer(service, [held, other], { amount: 0.1 });
    const ofx = new Ofx(await fileOf("ofx"));
    const list = ofx.getBankTransferList();
    expect(list.map(({ TRNTYPE, TRNAMT, MEMO }) => [TRNTYPE, TRNAMT, MEMO])).toEqual([
      ["DEBIT", "-0.10", expect.any(String)],
      ["DEBIT", "-150.75", "Aluguel &lt;março&gt; &amp; mais"],
      ["CREDIT", "1000.00", expect.any(String)],
    ]);
    const [row] = await db.select().from(account).where(eq(account.ref, ref));
    const json = JSON.stringify(ofx.toJson());
    for (const said of ["BRL", row?.number ?? "?", row?.branch ?? "?", "849.15"]) expect(json).toContain(said);
    const ledger = (await entriesOf(service, held)).map(({ transactionId }) => transactionId);
    expect(list.map(({ FITID }) => FITID.slice(0, 36))).toEqual(ledger);
  });

  it("counts what is held in the ledger balance alone", async () => {
    const rich = await openAccount(service, 20_000);
    await transfer(service, [rich, other], { amount: 12_000 });
    const found = await lookUp(actorOf("support", support, "accounts:read"), { query: rich.onBoardingId });
    ref = "accountRef" in found ? found.accountRef : "";
    const amounts = (await fileOf("ofx")).matchAll(/<(LEDGERBAL|AVAILBAL)>\s*<BALAMT>([^<]+)/g);
    expect([...amounts].map(([, name, amount]) => [name, amount])).toEqual([
      ["LEDGERBAL", "20000.00"],
      ["AVAILBAL", "8000.00"],
    ]);
  });

  it("identifies an entry the same way in every file, and equal entries apart", async () => {
    answer = () =>
      told([entry, { ...entry, transactionId: "" }, { ...entry, transactionId: "" }, { ...entry, amount: 2 }]);
    const first = await fitids();
    expect(new Set(first).size).toBe(4);
    expect(await fitids({ from: "2026-03-05" })).toEqual(first);
  });

  it("writes only booked entries to an OFX file", async () => {
    answer = () =>
      told([
        { ...entry, status: "HELD" },
        { ...entry, status: "CONFIRMED", amount: 3 },
      ]);
    expect((await fileOf("ofx")).match(/(?<=<TRNAMT>)[^<]+/g)).toEqual(["3.00"]);
  });

  it.each([
    [
      "an entry that nobody knows the direction of",
      { ...entry, direction: "?" },
      "2026-03-09T12:00:00.000Z 10.00 ? Venda t",
    ],
    ["an entry that could not be read", { ...entry, amount: null }, "transactionId: t"],
    ["an entry without a day", { ...entry, date: "30 de fevereiro" }, "30 de fevereiro 10.00 CREDIT Venda t"],
    ["an entry of 30 February", { ...entry, date: "2026-02-30" }, "2026-02-30 10.00 CREDIT Venda t"],
  ])("lists %s at the file's end and includes all others", async (_, odd, name) => {
    answer = () => told([{ ...entry, transactionId: "u" }, odd, { ...entry, transactionId: "v" }]);
    const file = await fileOf("ofx");
    expect(file.match(/(?<=<FITID>)\w+/g)).toEqual(["u", "v"]);
    const [note = ""] = /(?<=<MKTGINFO>)[^<]+/.exec(file) ?? [];
    expect(note).toMatch(/^1 lançamento não está neste arquivo/);
    expect(note).toContain(name);
    expect(new Ofx(file).getBankTransferList()).toHaveLength(2);
  });

  it.each([
    ["2026-03-10T23:30:00-03", "20260310233000[-3:BRT]"],
    ["20260310T233000,5-0300", "20260310233000[-3:BRT]"],
    ["2026-03-11t02:30:00z", "20260310233000[-3:BRT]"],
    ["2026-03-10", "20260310120000[-3:BRT]"],
    ["2018-12-10T12:00:00", "20181210120000[-2:BRST]"],
    ["2018-12-10", "20181210120000[-2:BRST]"],
  ])("gives %s its date, time and that day's offset", async (date, posted) => {
    answer = () => told([{ ...entry, date }]);
    expect(await fileOf("ofx", { from: "2018-12-01" })).toContain(`<DTPOSTED>${posted}</DTPOSTED>`);
  });

  it("gives an entry one FITID by its id, day and amount", async () => {
    const first = await fitidOf({});
    for (const change of [
      { description: "Outra" },
      { type: "TED" },
      { amount: "10.000" },
      { transactionId: " t " },
      { date: "2026-03-09T23:00:00-03" },
      { date: "2026-03-09" },
      { status: "CONFIRMED" },
      { extra: 1 },
    ]) {
      expect(await fitidOf(change)).toEqual(first);
    }
    expect(await fitidOf({ transactionId: "T" })).not.toEqual(first);
  });

  it("gives two entries under one id two FITIDs in any order and period", async () => {
    const entries = [
      { ...entry, amount: 10 },
      { ...entry, amount: 11 },
      { ...entry, direction: "DEBIT" },
      { ...entry, description: "Tarifa" },
      { ...entry, date: "2026-03-07T09:00:00-03" },
      { ...entry, date: "2026-03-07T09:00:00-03", description: "Tarifa", type: "TED" },
    ];
    const all = await namedIn(entries);
    expect(new Set(all.map((line) => line.split(" ")[3])).size).toBe(entries.length);
    expect(await namedIn(entries.toReversed())).toEqual(all);
    const ofNinth = entries.filter(({ date }) => date === entry.date);
    expect(await namedIn(ofNinth)).toEqual(all.filter((line) => line.includes("20260309")));
  });

  it("identifies an entry without an id by time and amount, in any spelling", async () => {
    const first = await fitidOf({ transactionId: "" });
    expect(await fitidOf({ transactionId: "", date: "2026-03-09T09:00:00-03" })).toEqual(first);
    expect(await fitidOf({ transactionId: "", amount: "10.00" })).toEqual(first);
    expect(await fitidOf({ transactionId: "", amount: 11 })).not.toEqual(first);
  });

  it("keeps Windows-1252 characters and replaces others with similar ones", async () => {
    answer = () => told([{ ...entry, description: "“Café” – €5… ’Œ ‑ → 日\u200b" }]);
    const memo = (await bytesOf("ofx")).toString("latin1");
    expect(memo).toContain("<MEMO>\x93Caf\xe9\x94 \x96 \x805\x85 \x92\x8c - ? ?</MEMO>");
  });

  it("omits an unknown branch, and names an account without number by its id", async () => {
    await db.update(account).set({ branch: "", number: "" }).where(eq(account.ref, ref));
    const file = await fileOf("ofx");
    expect(file).not.toContain("<BRANCHID>");
    expect(file).toMatch(/<ACCTID>[^<]+</);
  });
});

it("reads one page at a time and keeps no other in memory", async () => {
  answer = (page) =>
    told(
      Array.from({ length: 500 }, (_, n) => ({ ...entry, transactionId: `${page}-${n}` })),
      page,
      200,
    );
  const { parts } = await exportStatement(ref, period, "csv");
  for (const read of [[], [1], [1, 2]]) {
    await parts.next();
    expect(pages).toEqual(read);
  }
  await parts.return(undefined);
  expect(pages).toEqual([1, 2]);
});

const asked = async (direction: "CREDIT" | "DEBIT", description = "Aluguel") => {
  await transfer(service, [held, other], { amount: 12.5, fields: { description } });
  const [newest] = await entriesOf(service, held);
  return { transaction: newest?.transactionId ?? "", direction };
};

async function receiptTexts(given: EntryQuery, revealId: string | null = null): Promise<string[]> {
  const { parts } = await exportReceipt(ref, given, revealId);
  const { value } = await parts.next();
  return textsOf(Buffer.from(value ?? []));
}

describe("a receipt", () => {
  it("names payer and payee by initials, with masked documents", async () => {
    const receipt = await getReceipt(ref, await asked("DEBIT"));
    expect(receipt).toMatchObject({
      direction: "DEBIT",
      isBooked: true,
      amount: expect.stringMatching(/^12\.50?$/),
      description: "Aluguel",
      holder: { name: "A••• B••• S•••", document: expect.stringMatching(/^\*\*\*\.\d{3}\.\d{3}-\*\*$/) },
      counterparty: { name: "A••• B••• S•••", document: expect.stringMatching(/^\*\*\*\.\d{3}\.\d{3}-\*\*$/) },
    });
    for (const document of [held.documentNumber, other.documentNumber]) {
      expect(JSON.stringify(receipt)).not.toContain(document);
    }
  });

  it("shows a receipt's description with initials, or names after a reason", async () => {
    const given = await asked("DEBIT", "Aluguel de ANA BEATRIZ SOUZA");
    expect(await getReceipt(ref, given)).toMatchObject({ description: "Aluguel de A••• B••• S•••" });
    const named = { ref, file: receiptFile(given), reason: "service", note: "Protocolo 8731" } as const;
    const { revealId } = await nameFile(actorOf("support", support, "statement:export"), named);
    expect(after(await receiptTexts(given, revealId), "Descrição")).toBe("Aluguel de ANA BEATRIZ SOUZA");
  });

  it("exports a receipt as PDF for the holder and audits it before the first byte", async () => {
    const { parts, fileName } = await exportReceipt(ref, await asked("DEBIT"));
    expect(await onRecord()).toMatchObject([{ object: `account:${ref}`, detail: { what: "receipt", format: "pdf" } }]);
    const { value } = await parts.next();
    const pdf = Buffer.from(value ?? []);
    expect(pdf.toString("latin1", 0, 8)).toBe("%PDF-1.7");
    expect([after(textsOf(pdf), "Tipo"), after(textsOf(pdf), "Situação")]).toEqual(["Interna", "Confirmada"]);
    expect(fileName).toMatch(/^comprovante-[\w-]+\.pdf$/);
  });

  it("shows a receipt's names by initials, and in clear for a minute after a reason", async () => {
    const given = await asked("DEBIT");
    const named = { ref, file: receiptFile(given), reason: "service", note: "Protocolo 8731" } as const;
    expect(await receiptTexts(given)).toContain("A••• B••• S•••");
    expect(await receiptTexts(given)).not.toContain("Ana Beatriz Souza");
    const { revealId } = await nameFile(actorOf("support", support, "statement:export"), named);
    expect(await receiptTexts(given, revealId)).toContain("Ana Beatriz Souza");
    const noted = await db.select().from(auditEvent).where(eq(auditEvent.intentId, revealId));
    expect(noted).toMatchObject([{ code: "personal-data.file", object: `account:${ref}`, actor: support }]);

    const refusal = { kind: "forbidden", details: { code: "names-unasked" } };
    const another = await asked("DEBIT");
    await expect(exportReceipt(ref, another, revealId)).rejects.toMatchObject(refusal);
    await expect(exportStatement(ref, { ...period, names: revealId }, "pdf")).rejects.toMatchObject(refusal);
    for (const made of [randomUUID(), "yes", ""]) {
      await expect(exportReceipt(ref, given, made)).rejects.toMatchObject(refusal);
    }
    await signIn("support");
    await expect(exportReceipt(ref, given, revealId)).rejects.toMatchObject(refusal);
  });

  it("refuses a receipt of an unknown entry or another account's", async () => {
    const held10k = await openAccount(service, 20_000);
    await transfer(service, [held10k, other], { amount: 10_000 });
    await expect(getReceipt(ref, { transaction: "" })).rejects.toMatchObject({ kind: "not-found" });
    await expect(getReceipt(ref, { transaction: randomUUID() })).rejects.toMatchObject({ kind: "not-found" });
    const [row] = await entriesOf(service, held10k);
    await expect(getReceipt(ref, { transaction: row?.transactionId ?? "" })).rejects.toMatchObject({
      kind: "not-found",
    });
  });
});
