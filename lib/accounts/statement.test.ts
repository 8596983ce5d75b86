import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { type Manner, otherProvider } from "@/test/other-provider";
import { actorOf, givenEnv, givenService, givenStore } from "@/test/support/console";
import { openAccount } from "@/test/support/transfers";
import type { Harness } from "@/test/support/service/harness";
import type { Account } from "@/test/support/service/transfers";
import { entryDirection, StatementFilter } from "./inputs";
import { balancesByDay, openingOf, readTotals, sift, type Sifted, type Totals } from "./search-statement";
import { readStatement, type Statement } from "./statement";

const march = { from: "2026-03-01", to: "2026-03-31" };

let service: Harness;
let held: Account;
let manner: Manner = {};
/** Replaces the service's answer for a page of the statement. */
let answer: ((page: string | null) => unknown) | null = null;
let calls: (string | null)[] = [];

beforeEach(async () => {
  givenEnv();
  await givenStore();
  [manner, answer, calls] = [{}, null, []];
  service = await givenService(
    () => {},
    (serve) => (request) => {
      const url = new URL(request.url);
      if (!url.pathname.endsWith("/history")) return serve(request);
      calls.push(url.searchParams.get("page"));
      return answer === null
        ? otherProvider(serve, manner)(request)
        : Response.json(answer(url.searchParams.get("page")));
    },
  );
  held = await openAccount(service);
});

async function credit(entries: number): Promise<void> {
  for (let n = 1; n <= entries; n += 1) {
    await service.control("POST", `/sandbox/bank-accounts/${held.accountId}/credit`, { amount: n, type: "PIX" });
  }
}

const reader = () => actorOf("support", randomUUID(), "accounts:read");
const asking = (given: Record<string, unknown> = {}) => ({
  asked: { accountId: held.accountId, documentNumber: held.documentNumber },
  object: "account:1",
  filter: StatementFilter.parse({ ...march, ...given }),
});
const read = (given: Record<string, unknown> = {}) => readStatement(reader(), asking(given));

const numbered = (id: number) => ({
  transactionId: String(id),
  type: "PIX",
  amount: id,
  date: "2026-03-09T12:00:00Z",
  description: "",
  direction: "CREDIT",
});

/** Goes to the next page as long as there is one. */
async function readAll(): Promise<Statement[]> {
  const pages = [await read()];
  for (let last = pages[0]; last?.hasNext === true; last = pages.at(-1)) {
    const { first, after } = last.onward;
    pages.push(await read({ page: last.page + 1, ...(first !== null && { first }), after }));
  }
  return pages;
}

const amounts = (pages: readonly Statement[]) =>
  pages.flatMap(({ rows }) => rows.map((row) => ("amount" in row ? row.amount : "unread")));
const credited = (entries: number) => Array.from({ length: entries }, (_, n) => `${entries - n}.00`);

const entry = { transactionId: "t", type: "PIX", amount: 10, date: "2026-03-09", description: "", direction: "CREDIT" };
const statementOf = (transactions: unknown[], told: Record<string, unknown> = { page: 1, totalPages: 1 }) => ({
  status: 200,
  data: { transactions, ...told },
});

describe("the pages of a statement", () => {
  it.each<[string, Manner]>([
    ["counts from 1", { history: { firstPage: 1, pageSize: 4 } }],
    ["counts from 0", { history: { firstPage: 0, pageSize: 4 } }],
    ["gives everything at once", { history: { paging: "everything" } }],
  ])("reads every entry once when the provider %s", async (_, its) => {
    manner = its;
    await credit(10);
    const pages = await readAll();
    expect(amounts(pages)).toEqual(credited(10));
    expect(pages.flatMap(({ doubts }) => doubts)).toEqual([]);
    expect(pages.map(({ page }) => page)).toEqual(pages.map((_page, n) => n + 1));
  });

  it("opens a statement's second page from its URL", async () => {
    manner = { history: { firstPage: 0, pageSize: 4 } };
    await credit(10);
    expect(amounts([await read({ page: 2 })])).toEqual(["6.00", "5.00", "4.00", "3.00"]);
    expect(calls).toEqual([null, "1"]);
  });

  it("reads a statement from page 1 when the provider counts from 1", async () => {
    answer = (page) => {
      const nth = Number(page ?? 0);
      return statementOf([{ ...entry, transactionId: `${nth}` }], { page: nth + 1, totalPages: 3 });
    };
    const pages = await readAll();
    expect(pages.map(({ rows }) => rows)).toMatchObject([
      [{ transactionId: "0" }],
      [{ transactionId: "1" }],
      [{ transactionId: "2" }],
    ]);
  });

  it.each(["first-page", "echoed"] as const)(
    "ends a statement with a warning when the provider repeats a page (%s)",
    async (paging) => {
      manner = { history: { paging, pageSize: 4 } };
      await credit(10);
      const pages = await readAll();
      expect(pages.map(({ doubts, hasNext }) => [doubts, hasNext])).toEqual([
        [[], true],
        [["repeated"], false],
      ]);
    },
  );

  it("recognises a statement's first page when it returns behind a new entry", async () => {
    answer = () => {
      const newest = calls.length === 1 ? 10 : 11;
      const transactions = Array.from({ length: 10 }, (_, nth) => numbered(newest - nth));
      return { status: "CONFIRMED", data: { transactions } };
    };
    const pages = await readAll();
    expect(pages.map(({ doubts }) => doubts.includes("repeated"))).toEqual([false, true]);
  });

  it.each(["217", "5"])("shows the last page for page %s, beyond the provider's count", async (page) => {
    manner = { history: { pageSize: 4, beyond: "last-page" } };
    await credit(10);
    const shown = await read({ page });
    expect([amounts([shown]), shown.page, shown.totalPages, shown.hasNext]).toEqual([["2.00", "1.00"], 3, 3, false]);
    manner = { history: { pageSize: 4 } };
    expect(await read({ page })).toMatchObject({
      page: 3,
      totalPages: 3,
      rows: [{ amount: "2.00" }, { amount: "1.00" }],
    });
  });

  it("ends a statement when a provider without a total repeats its last page", async () => {
    manner = { history: { pageSize: 4, beyond: "last-page", totals: "untold" } };
    await credit(10);
    const pages = await readAll();
    expect(pages.map(({ page, hasNext }) => [page, hasNext])).toEqual([
      [1, true],
      [2, true],
      [3, true],
      [3, false],
    ]);
    expect(pages.at(-1)).toMatchObject({ totalPages: 3, doubts: [], rows: [{ amount: "2.00" }, { amount: "1.00" }] });
    expect((await readTotals(reader(), asking())).count).toBe(10);
    expect((await sift(reader(), asking())).rows).toHaveLength(10);
  });

  it("reads a statement without a count to an empty page, and flags the doubt", async () => {
    answer = (page) => statementOf(Number(page ?? 1) > 2 ? [] : [{ ...entry, transactionId: page }], {});
    const pages = await readAll();
    expect(pages.map(({ rows, totalPages }) => [rows.length, totalPages])).toEqual([
      [1, null],
      [1, null],
      [0, null],
    ]);
    expect(pages[0]?.doubts).toEqual(["first-page", "total"]);
  });
});

/** How the first of these entries is read. */
async function only(changes: Record<string, unknown>, ...others: unknown[]) {
  answer = () => statementOf([{ ...entry, ...changes }, ...others]);
  return (await read()).rows[0];
}

describe("the direction of an entry", () => {
  it.each(["IN", "Entrada", "CRÉDITO", "c", "cash-in", "CashIn", "cash_in"])("reads %s as a credit", (word) =>
    expect(entryDirection(word)).toBe("CREDIT"),
  );
  it.each(["OUT", "SAÍDA", "Saida", "débito", "D", "cash-out"])("reads %s as a debit", (word) =>
    expect(entryDirection(word)).toBe("DEBIT"),
  );
  it.each(["", "ESTORNO", "+", "7"])("does not guess an entry's direction from %j", (word) =>
    expect(entryDirection(word)).toBeNull(),
  );

  it("takes an entry's direction from its sign when there is no word", async () => {
    expect(await only({ amount: -10, direction: null })).toMatchObject({ direction: "DEBIT", amount: "-10.00" });
    const debit = { ...entry, amount: -1, direction: undefined };
    expect(await only({ direction: undefined }, debit)).toMatchObject({ direction: "CREDIT" });
  });

  it("keeps an unknown word for the direction beside the sign", async () => {
    const row = await only({ amount: -10, direction: "ESTORNO" });
    expect(row).toMatchObject({ direction: "DEBIT", unheardWord: "ESTORNO" });
    expect(await only({ direction: "ESTORNO" })).toMatchObject({ direction: null, directionWord: "ESTORNO" });
    expect(await only({ amount: -10, direction: "SAIDA" })).toMatchObject({ direction: "DEBIT", unheardWord: "" });
  });

  it("calls the direction unknown without a word or a sign", async () => {
    expect(await only({ direction: undefined })).toMatchObject({ direction: null, directionWord: "" });
    expect(await only({ direction: "ESTORNO" })).toMatchObject({ direction: null, directionWord: "ESTORNO" });
  });

  it("shows word and sign of a direction that contradict each other", async () => {
    expect(await only({ amount: -10, direction: "ENTRADA" })).toMatchObject({
      direction: null,
      directionWord: "ENTRADA",
      isContradicted: true,
      amount: "-10.00",
    });
    expect(await only({ amount: -10, direction: "SAIDA" })).toMatchObject({
      direction: "DEBIT",
      isContradicted: false,
    });
  });
});

describe("an entry that is written otherwise", () => {
  it("keeps every digit of an amount that the provider wrote", async () => {
    answer = () =>
      statementOf([
        { ...entry, amount: 0.1 + 0.2 },
        { ...entry, amount: "1234.56" },
      ]);
    expect((await read()).rows).toMatchObject([{ amount: "0.30000000000000004" }, { amount: "1234.56" }]);
  });

  it("shows each field of one entry, with documents masked", async () => {
    const odd = { amount: null, quem: "529.982.247-25" };
    answer = () => statementOf([entry, odd, "text", { amount: 3 }]);
    expect((await read()).rows).toMatchObject([
      { amount: "10.00" },
      {
        fields: [
          { path: "amount", value: "null" },
          { path: "quem", value: "***.982.247-**" },
        ],
      },
      { fields: [{ path: "", value: "text" }] },
      { amount: "3.00", transactionId: "", direction: null },
    ]);
  });
});

/** Pages of that many entries, newest first, one amount each. */
function paged(pages: number, perPage: number, of: (nth: number) => Record<string, unknown> = () => ({})): void {
  answer = (page) => {
    const nth = Number(page ?? 1);
    const transactions = Array.from({ length: perPage }, (_, at) => {
      const n = (nth - 1) * perPage + at;
      return { ...entry, transactionId: `t${n}`, ...of(n) };
    });
    return statementOf(transactions, { page: nth, totalPages: pages });
  };
}

/** Continues a search to its end. */
async function siftAll(given: Record<string, unknown>): Promise<Sifted[]> {
  const found = [await sift(reader(), asking(given))];
  for (let last = found[0]; last !== undefined && last.next !== null; last = found.at(-1)) {
    found.push(await sift(reader(), asking({ ...given, ...last.next })));
  }
  return found;
}
const ids = (found: readonly Sifted[]) =>
  found.flatMap(({ rows }) => rows.map((row) => ("transactionId" in row ? row.transactionId : "unread")));

describe("what is looked for in a statement", () => {
  it.each<[Record<string, unknown>, string[]]>([
    [{ direction: "in" }, ["salary", "refund"]],
    [{ direction: "out" }, ["rent", "fee"]],
    [{ type: "ted" }, ["salary"]],
    [{ type: "ESTORNO" }, ["refund"]],
    [{ min: "10,00" }, ["salary", "rent"]],
    [{ min: "0.51", max: "1.500,00" }, ["rent", "refund"]],
    [{ search: "ALUGUÉL" }, ["rent"]],
    [{ search: "salar" }, ["salary"]],
    [{ status: "devolvido" }, ["refund"]],
    [{ search: "529.982.247-25" }, ["salary", "rent", "fee", "refund"]],
  ])("finds entries that match %j", async (given, found) => {
    answer = () =>
      statementOf([
        { ...entry, transactionId: "salary", type: "TED", amount: 5000 },
        { ...entry, transactionId: "rent", direction: "DEBIT", amount: 1500, description: "Aluguel de março" },
        { ...entry, transactionId: "fee", type: "FEE", direction: "DEBIT", amount: 0.5 },
        { ...entry, transactionId: "refund", type: "ESTORNO", amount: 1.25, status: "DEVOLVIDO" },
      ]);
    expect(ids([await sift(reader(), asking(given))])).toEqual(found);
  });

  it("shows fifty entries at a time, every one once", async () => {
    paged(3, 70, (n) => ({ direction: n % 10 === 0 ? "DEBIT" : "CREDIT" }));
    const found = await siftAll({ direction: "in" });
    expect(found.map(({ rows }) => rows.length)).toEqual([50, 50, 50, 39]);
    expect(new Set(ids(found)).size).toBe(189);
    expect(found.at(-1)).toMatchObject({ next: null, reached: null });
  });

  it("stops after a bounded search and says how far it got", async () => {
    paged(6, 10, (n) => ({ description: n === 55 ? "Agulha" : "Palha", date: `2026-03-${30 - Math.floor(n / 10)}` }));
    const [first, second, ...others] = await siftAll({ search: "agulha" });
    expect(first).toMatchObject({ rows: [], searched: 40, reached: "2026-03-27" });
    expect(second).toMatchObject({ rows: [{ transactionId: "t55" }], searched: 20, next: null });
    expect(others).toEqual([]);
  });

  it("always shows entries that could not be read", async () => {
    answer = () => statementOf([{ amount: null }, entry]);
    expect((await sift(reader(), asking({ direction: "out" }))).rows).toMatchObject([{ fields: expect.any(Array) }]);
  });
});

describe("what came in and went out", () => {
  it("adds up entries exactly, per period and per São Paulo day", async () => {
    answer = () =>
      statementOf([
        { ...entry, amount: "0.10", date: "2026-03-10T01:00:00Z" },
        { ...entry, amount: "9007199254740993.20", date: "2026-03-09T12:00:00-03:00" },
        { ...entry, amount: 7, direction: "DEBIT", date: "2026-03-10" },
      ]);
    expect(await readTotals(reader(), asking())).toEqual({
      sums: { in: "9007199254740993.30", out: "7.00" },
      gap: null,
      days: { "2026-03-09": { in: "9007199254740993.30", out: "0.00" }, "2026-03-10": { in: "0.00", out: "7.00" } },
      count: 3,
      left: 0,
      unwritable: 0,
      isClear: true,
      statuses: [],
    });
  });

  it("excludes unbooked, undirected and unreadable entries, and counts them", async () => {
    answer = () =>
      statementOf([
        { ...entry, status: "CONFIRMED" },
        { ...entry, status: "HELD" },
        { ...entry, direction: "?" },
        { amount: null },
      ]);
    expect(await readTotals(reader(), asking())).toMatchObject({
      sums: { in: "10.00", out: "0.00" },
      count: 4,
      left: 3,
      statuses: ["CONFIRMED", "HELD"],
    });
  });

  it("adds up only matching entries, and nothing of a partly read period", async () => {
    paged(2, 3, (n) => ({ type: n === 0 ? "TED" : "PIX" }));
    expect(await readTotals(reader(), asking({ type: "TED", page: 2 }))).toMatchObject({
      sums: { in: "10.00" },
      count: 1,
    });
    paged(5, 3);
    expect(await readTotals(reader(), asking())).toMatchObject({ sums: null, gap: "long", days: {} });
    answer = () => statementOf([entry], { page: 1, totalPages: 3 });
    expect(await readTotals(reader(), asking())).toMatchObject({ sums: null, gap: "doubt" });
  });
});

describe("what an account held when a period began", () => {
  const filter = StatementFilter.parse({});
  const sums = { in: "10.00", out: "2.50" };
  const totals: Totals = { sums, gap: null, days: {}, count: 2, left: 0, unwritable: 0, isClear: true, statuses: [] };
  const holds = { balance: "107.50", blockedBalance: "0.00" };
  const opening = { balance: "100.00", unexplained: null, blocked: "none" } as const;
  const before = { filter, openedAt: "2020-01-01T12:00:00Z" };

  it("counts the opening balance back from the current one", () => {
    expect(openingOf(holds, totals, before)).toEqual(opening);
    expect(openingOf(holds, totals, { filter, openedAt: null })).toEqual(opening);
  });

  it("carries the opening balance through each day's credits and debits", () => {
    const days = { "2026-03-10": { in: "0.00", out: "110.00" }, "2026-03-02": { in: "5.10", out: "1.05" } };
    expect(balancesByDay(opening, { days })).toEqual({ "2026-03-02": "104.05", "2026-03-10": "-5.95" });
  });

  it("starts at zero if the account opened in the period, and flags an excess", () => {
    const openedAt = new Date().toISOString();
    expect(openingOf(holds, totals, { filter, openedAt })).toEqual({ ...opening, unexplained: "100.00" });
    expect(openingOf({ ...holds, balance: "7.50" }, totals, { filter, openedAt })).toEqual({
      balance: "0.00",
      unexplained: null,
      blocked: "none",
    });
  });

  it.each([
    ["leaves out", "5.00", "apart"],
    ["holds", "7.50", "within"],
  ])("says that the balance of a new account %s the blocked amount", (_, balance, blocked) => {
    const openedAt = new Date().toISOString();
    const told = openingOf({ balance, blockedBalance: "2.50" }, totals, { filter, openedAt });
    expect(told).toEqual({ balance: "0.00", unexplained: null, blocked });
  });

  it("assumes that the blocked amount is outside the balance when unknown", () => {
    const told = openingOf({ ...holds, blockedBalance: "1.00" }, totals, before);
    expect(told).toEqual({ balance: "101.00", unexplained: null, blocked: "assumed" });
  });

  it.each([
    ["a period that has ended", holds, totals, StatementFilter.parse({ from: "2026-01-01", to: "2026-01-31" })],
    ["a part of the entries", holds, totals, StatementFilter.parse({ direction: "in" })],
    ["PIX alone", holds, totals, StatementFilter.parse({ pix: true })],
    ["a period that was not read to its end", holds, { ...totals, sums: null }, filter],
    ["entries of which one could not be read", holds, { ...totals, isClear: false }, filter],
    ["a balance that is no amount", { ...holds, balance: "n/d" }, totals, filter],
  ])("gives no opening balance for %s", (_, holding, counted, of) => {
    expect(openingOf(holding, counted, { filter: of, openedAt: null })).toBeNull();
  });
});
