import { randomUUID } from "node:crypto";
import { asc } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { accountEntry, accountReading } from "@/lib/db/tables/accounts";
import { liveEvent } from "@/lib/db/tables/live";
import type { Db } from "@/lib/db/connection";
import { civilDaysAgo, civilInstant } from "@/lib/text/time";
import { actorOf, givenEnv, givenService, givenStore } from "@/test/support/console";
import { openAccount } from "@/test/support/transfers";
import type { Harness } from "@/test/support/service/harness";
import { entriesOf } from "./export";
import { StatementFilter } from "./inputs";
import { counterpartOfEntry, noteMoved, textOfEntry } from "./kept-entries";
import { noteBalance } from "./records";
import { lookUp } from "./look-up";
import { readView } from "./search-statement";
import { readStatement } from "./statement";
import { entriesWatch } from "./watch";

const march = { from: "2026-03-01", to: "2026-03-31" };
const entry = {
  transactionId: "t",
  type: "PIX",
  amount: 10,
  date: "2026-03-09T12:00:00Z",
  description: "Venda",
  direction: "CREDIT",
};

const numbered = (nth: number) => ({ ...entry, transactionId: `n${nth}` });

let db: Db;
let service: Harness;
let ref = "";
let asked: Record<"accountId" | "documentNumber", string> = { accountId: "", documentNumber: "" };
/** What the provider answers for a page; null: what the service does. */
let answer: ((page: number, search: URLSearchParams) => readonly object[] | null) | null = null;
let pages = 1;
let periods: string[] = [];

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  answer = null;
  pages = 1;
  periods = [];
  service = await givenService(
    () => {},
    (serve) => (request) => {
      const { pathname, searchParams } = new URL(request.url);
      if (answer === null || !pathname.endsWith("/history")) return serve(request);
      periods.push(`${searchParams.get("initialDate")} ${searchParams.get("endDate")}`);
      const page = Number(searchParams.get("page") ?? 1);
      const transactions = answer(page, searchParams);
      if (transactions === null) return Response.json({ error: "down" }, { status: 500 });
      return Response.json({ status: 200, data: { transactions, page, totalPages: pages } });
    },
  );
  const held = await openAccount(service);
  const found = await lookUp(reader(), { query: held.onBoardingId });
  ref = "accountRef" in found ? found.accountRef : "";
  asked = { accountId: held.accountId, documentNumber: held.documentNumber };
});

const reader = () => actorOf("support", randomUUID(), "accounts:read");
const asking = (given: Record<string, unknown> = {}) => ({
  asked,
  object: `account:${ref}`,
  filter: StatementFilter.parse({ ...march, ...given }),
});
const tell = (...entries: readonly object[]) => {
  answer = () => entries;
};
async function readWhole(given: Record<string, unknown> = {}): Promise<void> {
  for await (const _ of entriesOf(reader(), asking(given)));
}
const rows = () => db.select().from(accountEntry).orderBy(asc(accountEntry.at), asc(accountEntry.amount));
const standing = async () => (await rows()).filter(({ droppedAt }) => droppedAt === null);
const readings = () => db.select().from(accountReading);

describe("entries of a statement", () => {
  it("tells open pages that it was read again, also where it says the same", async () => {
    tell(entry);
    await readWhole();
    await db.delete(liveEvent);
    await readWhole();
    expect(await db.select({ topic: liveEvent.topic }).from(liveEvent)).toEqual([{ topic: "movements" }]);
  });

  it("are kept when somebody reads it, their text and counterparty sealed", async () => {
    tell({ ...entry, counterparty: { name: "Ana Prado", documentNumber: "529.982.247-25" } });
    await readView(reader(), asking());
    const [row] = await rows();
    expect(row).toMatchObject({
      accountRef: ref,
      transactionId: "t",
      amount: "10.00",
      direction: "in",
      isBooked: true,
    });
    expect(JSON.stringify(row)).not.toMatch(/Venda|prado|52998224725/i);
    expect(row === undefined ? null : [textOfEntry(row), counterpartOfEntry(row)]).toEqual([
      "Venda",
      { name: "ana prado", document: "52998224725" },
    ]);
    expect(await readings()).toMatchObject([{ fromDay: march.from, until: new Date("2026-04-01T03:00:00Z") }]);
  });

  it("are one row however often and however spelt they are told", async () => {
    tell(entry, { ...entry, transactionId: "u", amount: 2 });
    await readWhole();
    tell({ ...entry, transactionId: "u", amount: "2.000" }, entry, {
      ...entry,
      transactionId: " t ",
      description: " VENDA",
      date: "2026-03-09T09:00:00-03:00",
    });
    await readWhole();
    expect((await standing()).map(({ transactionId, amount }) => [transactionId, amount])).toEqual([
      ["t", "10.00"],
      ["u", "2.00"],
    ]);
  });

  it("are two where two stand under one id, and as many as told without any", async () => {
    tell(entry, { ...entry, description: "Tarifa" }, { ...entry, transactionId: "" }, { ...entry, transactionId: "" });
    await readWhole();
    await readWhole();
    expect(await standing()).toHaveLength(4);
  });

  it("stand as they were told last: held, then confirmed on another day", async () => {
    tell({ ...entry, status: "HELD" });
    await readWhole();
    expect(await standing()).toMatchObject([{ isBooked: false }]);
    tell({ ...entry, status: "CONFIRMED", date: "2026-03-11T12:00:00Z" });
    await readWhole();
    expect(await standing()).toMatchObject([{ isBooked: true, at: new Date("2026-03-11T12:00:00Z") }]);
    expect(await rows()).toHaveLength(2);
  });

  it("are dropped by a whole reading alone that tells them no more", async () => {
    tell(entry, { ...entry, transactionId: "u" });
    await readWhole();
    tell(entry);
    await readStatement(reader(), asking());
    await readWhole({ pix: true });
    expect(await standing()).toHaveLength(2);
    tell(entry, { ...entry, amount: null });
    await readWhole();
    expect(await standing()).toHaveLength(2);
    expect(await readings()).toMatchObject([{ unread: 1 }]);
    tell(entry);
    await readWhole();
    expect((await standing()).map(({ transactionId }) => transactionId)).toEqual(["t"]);
  });

  it("are once each where pages overlap", async () => {
    pages = 2;
    answer = (page) => (page === 1 ? [1, 2, 3, 4] : [3, 4, 5, 6]).map(numbered);
    await readWhole();
    expect(await standing()).toHaveLength(6);
  });
});

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000);

describe("the watch of entries", () => {
  const today = civilDaysAgo(0);

  it("reads what was never read, then what is older, and then rests for the day", async () => {
    tell();
    await entriesWatch.sweep("aurora");
    expect(periods).toEqual([`${civilDaysAgo(30)} ${today}`]);
    await entriesWatch.sweep("aurora");
    expect(periods.slice(1)).toEqual([`${civilDaysAgo(365)} ${civilDaysAgo(31)}`]);
    await entriesWatch.sweep("aurora");
    expect(periods).toHaveLength(2);
    expect(await readings()).toMatchObject([{ accountRef: ref, fromDay: civilDaysAgo(365), failures: 0 }]);
  });

  it("reads an account again once an event names it", async () => {
    tell();
    await entriesWatch.sweep("aurora");
    await noteMoved(db, "aurora", ref);
    tell({ ...entry, date: new Date().toISOString() });
    await entriesWatch.sweep("aurora");
    expect(await standing()).toHaveLength(1);
    expect(periods).toHaveLength(2);
  });

  it("reads an account again once its balance is another", async () => {
    tell();
    await entriesWatch.sweep("aurora");
    await entriesWatch.sweep("aurora");
    const read = { blockedBalance: "0.00", status: "" };
    await noteBalance("aurora", ref, { ...read, balance: "10.00", asOf: inSeconds(1) });
    await noteBalance("aurora", ref, { ...read, balance: "10.0", asOf: inSeconds(2) });
    await entriesWatch.sweep("aurora");
    expect(periods).toHaveLength(2);
    await noteBalance("aurora", ref, { ...read, balance: "7.50", asOf: inSeconds(3) });
    await entriesWatch.sweep("aurora");
    expect(periods).toHaveLength(3);
    await noteBalance("aurora", ref, { ...read, balance: "9.99", asOf: inSeconds(1) });
    await entriesWatch.sweep("aurora");
    expect(periods).toHaveLength(3);
  });

  it("goes on with yesterday's and some days before, where it was read until then", async () => {
    const until = new Date(Date.now() - 2 * 24 * 60 * 60 * 1000);
    await db.insert(accountReading).values({ tenant: "aurora", accountRef: ref, fromDay: "2020-01-01", until });
    tell();
    await entriesWatch.sweep("aurora");
    expect(await readings()).toMatchObject([{ fromDay: "2020-01-01" }]);
    expect(periods[0]?.endsWith(today)).toBe(true);
  });

  it("reads today of an account whose statement was read to the end of yesterday", async () => {
    const until = civilInstant(`${today}T00:00:00`);
    await db.insert(accountReading).values({ tenant: "aurora", accountRef: ref, fromDay: civilDaysAgo(30), until });
    tell();
    await entriesWatch.sweep("aurora");
    expect(periods).toHaveLength(1);
    expect(periods[0]?.endsWith(today)).toBe(true);
    expect((await readings())[0]?.until?.getTime()).toBeGreaterThan(until.getTime());
  });

  it("says why a statement could not be read, and gives it a pause", async () => {
    answer = () => null;
    await expect(entriesWatch.sweep("aurora")).rejects.toMatchObject({ kind: "unavailable" });
    expect(await readings()).toMatchObject([{ until: null, failures: 1, why: expect.any(String) }]);
    await entriesWatch.sweep("aurora");
    expect(await readings()).toMatchObject([{ failures: 1 }]);
  });
});
