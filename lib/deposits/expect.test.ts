import * as fc from "fast-check";
import { getLocale } from "next-intl/server";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Db } from "@/lib/db/connection";
import { auditEvent } from "@/lib/db/tables/audit";
import { deposit } from "@/lib/db/tables/deposits";
import { chainMovement, wallet } from "@/lib/db/tables/wallets";
import { readCsv } from "@/lib/text/csv";
import { readTextFile } from "@/lib/text/text-file";
import { civilDaysAgo } from "@/lib/text/time";
import { sweepOnce } from "@/lib/watch/watch";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import { nameAddress } from "@/test/support/deposits";
import { expectOne, importExpected } from "./expect";
import { exportDepositList } from "./export-list";
import { handleOne, importHandling } from "./handle";
import { handlingVersion } from "./handled";
import { DepositFile, ExpectOrder } from "./inputs";
import { readDeposits } from "./list";
import { readDeposit } from "./record";
import { depositWatch } from "./watch";

const ADDRESS = `0x${"ab".repeat(20)}`;

let db: Db;
let staffId: string;
const writer = () => actorOf("finance", staffId, "wallets:label");
const reader = () => actorOf("finance", staffId, "wallets:read");

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  staffId = await givenStaff(db, "finance");
  vi.mocked(getLocale).mockResolvedValue("pt-BR");
});

const UNTOUCHED = handlingVersion({ ownerId: null, reason: null, note: null });

const order = (changes: object = {}) =>
  ExpectOrder.parse({ reference: "PED-1", amount: "1.234,50", asset: "", network: "", due: "", ...changes });

/** As a history that was read says. */
async function arrive(amount: string, changes: Partial<typeof chainMovement.$inferInsert> = {}) {
  const at = new Date(Date.now() - 3_600_000);
  const listed = { tenant: "aurora", id: "forward", family: "EVM", coin: "ETH", status: "ACTIVE", userId: null };
  const made = { ...listed, address: ADDRESS, isForwardPayment: true, createdAt: at, seenAt: at };
  await db.insert(wallet).values(made).onConflictDoNothing();
  const place = { tenant: "aurora", walletId: "forward", network: "ETHEREUM" as const, ordinal: 0 };
  const moved = { hash: `0x${amount}`, key: amount, subtype: "incoming", counterAddress: "0x9", amount, at };
  await db.insert(chainMovement).values({ ...place, ...moved, ...changes });
}

const keep = () => sweepOnce(depositWatch, "aurora");
const list = (filter: object = {}) => readDeposits(reader(), { view: "all", ...filter });
const classes = async () => (await list()).rows.map((row) => String(row.class)).toSorted();

describe("what is expected", () => {
  it("is kept once, sealed and on record, however often it is typed", async () => {
    await Promise.all(Array.from({ length: 4 }, () => expectOne(writer(), order())));
    await expectOne(writer(), order({ amount: "1234.50" }));
    const rows = await db.select().from(deposit);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain("PED-1");
    const codes = (await db.select().from(auditEvent)).map(({ code }) => code);
    expect(codes.filter((code) => code === "deposits.expect")).toHaveLength(1);
  });

  it("is fulfilled by what arrived before it was typed, and by what arrives later", async () => {
    await nameAddress(db, ADDRESS, "PED-1");
    await arrive("1234.5");
    await keep();
    await expectOne(writer(), order());
    expect(await classes()).toEqual(["arrived"]);
    await expectOne(writer(), order({ amount: "7" }));
    expect(await classes()).toEqual(["arrived", "expected"]);
    await arrive("7");
    await keep();
    expect(await classes()).toEqual(["arrived", "arrived"]);
  });

  it("is late from the day after its own", async () => {
    await expectOne(writer(), order({ due: civilDaysAgo(1) }));
    await expectOne(writer(), order({ due: civilDaysAgo(0), amount: "2" }));
    expect(await classes()).toEqual(["expected", "late"]);
    expect((await list({ view: "exceptions" })).rows).toHaveLength(1);
  });

  it("is read from any usual spelling of a file", async () => {
    const csv = [
      "referência;valor;ativo;rede;vencimento",
      "PED-1;1.234,50;USDT;ethereum;01/12/2026",
      "PED-2;0.5;;;2026-12-02",
      "PED-3;12 345,6;;;",
    ].join("\r\n");
    const { rows } = await importExpected(writer(), { csv });
    expect(rows.map(({ outcome }) => outcome)).toEqual(["saved", "saved", "saved"]);
    expect((await importExpected(writer(), { csv })).rows.map(({ outcome }) => outcome)).toEqual([
      "same",
      "same",
      "same",
    ]);
    expect((await db.select().from(deposit)).map(({ amount }) => amount).toSorted()).toEqual([
      "0.5",
      "1234.5",
      "12345.6",
    ]);
  });

  it("names each row of a file that cannot be read, and saves none", async () => {
    const csv = [
      "PED-1;10",
      ";10",
      "PED-2;dez",
      "PED-3;1.234",
      "PED-4;1;;MARS",
      "PED-5;1;;;31/02/2026",
      "PED-1;10",
      "x",
    ];
    const { rows } = await importExpected(writer(), { csv: csv.join("\n") });
    expect(rows.map(({ outcome }) => outcome)).toEqual([
      "held",
      "bad-reference",
      "bad-amount",
      "ambiguous-amount",
      "bad-network",
      "bad-day",
      "repeated",
      "bad-columns",
    ]);
    expect(await db.$count(deposit)).toBe(0);
  });
});

describe("the list of deposits", () => {
  it("sums what arrived apart from what is unconfirmed, and leaves out what is dropped", async () => {
    await nameAddress(db, ADDRESS, "PED-1");
    const usdt = { tokenAddress: "0xc", asset: "USDT" };
    await arrive("10", usdt);
    await arrive("5", { ...usdt, isDated: false });
    await arrive("3", { ...usdt, droppedAt: new Date() });
    await keep();
    const { rows, sums, counts } = await list();
    expect(rows.map(({ amount }) => amount).toSorted()).toEqual(["10", "5"]);
    expect(sums).toMatchObject([{ asset: "USDT", arrived: "10.00", open: "5.00", expected: "0.00" }]);
    expect(counts).toMatchObject({ all: 2, arrived: 2, exceptions: 0 });
  });

  it("sums an expected symbol apart from each token that may meet it", async () => {
    await nameAddress(db, ADDRESS, "PED-1");
    const tokenAddress = `0x${"c0".repeat(20)}`;
    await arrive("1000.5", { tokenAddress, asset: "USDT" });
    const expected = [{ asset: "USDT", network: "ETHEREUM" }, { asset: tokenAddress, network: "ETHEREUM" }, {}];
    for (const [nth, one] of expected.entries()) {
      await expectOne(writer(), order({ reference: "PED-2", amount: `250${nth}.25`.replace(".", ","), ...one }));
    }
    await expectOne(writer(), order({ reference: "PED-2", amount: "3", asset: "eth", network: "ETHEREUM" }));
    await keep();
    const { sums } = await list();
    expect(sums).toMatchObject([
      { isAny: false, asset: "ETH", expected: "3.00" },
      { isAny: false, asset: "USDT", token: tokenAddress, arrived: "1000.50", expected: "2501.25" },
      { isAny: true, asset: "USDT", token: null, network: "ETHEREUM", arrived: "0.00", expected: "2500.25" },
      { isAny: true, asset: null, network: null, expected: "2502.25" },
    ]);
    const { parts } = await exportDepositList(reader(), { view: "all" });
    const written: string[] = [];
    for await (const part of parts) written.push(part);
    const notes = readCsv(written.join("")).rows.flatMap(({ cells }) => cells.at(-1) ?? []);
    expect(notes).toContain(`USDT ${tokenAddress} ETHEREUM: 1000,50 recebido, 0,00 não confirmado, 2501,25 esperado`);
    expect(notes).toContain("qualquer token chamado USDT ETHEREUM: 2500,25 esperado");
    expect(notes).toContain("qualquer ativo Qualquer rede: 2502,25 esperado");
  });

  it("finds a deposit by reference, address, hash and id, and by its owner", async () => {
    await nameAddress(db, ADDRESS, "PED-1");
    await arrive("10", { hash: "0xABCDEF" });
    await arrive("11", { hash: "0x11" });
    await keep();
    const found = async (filter: object) => (await list(filter)).rows.length;
    const [first] = (await list({ search: "abcdef" })).rows;
    expect(first?.amount).toBe("10");
    expect(await found({ search: "PED-1" })).toBe(2);
    expect(await found({ search: ADDRESS.toUpperCase().replace("0X", "0x") })).toBe(2);
    expect(await found({ search: first?.id })).toBe(1);
    await handleOne(writer(), { id: first?.id ?? "", owner: "me", reason: null, note: null, seen: UNTOUCHED });
    expect(await found({ owner: "me" })).toBe(1);
    expect(await found({ owner: "nobody" })).toBe(1);
  });

  it("takes reasons and notes back by its own file, whole or not at all", async () => {
    await arrive("10");
    await arrive("11");
    await keep();
    const { parts } = await exportDepositList(reader(), { view: "exceptions" });
    const written: string[] = [];
    for await (const part of parts) written.push(part);
    const [head, ...lines] = readCsv(written.join("")).rows;
    const placeOf = (name: string) => head?.cells.indexOf(name) ?? -1;
    const filled = (reason: string) =>
      lines
        .filter(({ cells }) => cells[0] !== "")
        .map(({ cells }) => cells.with(placeOf("Motivo"), reason).with(placeOf("Observação"), "visto").join(";"));
    const file = (rows: string[]) => ({ csv: [head?.cells.join(";"), ...rows].join("\n") });
    const broken = await importHandling(
      writer(),
      file([...filled("Devolvido").slice(0, 1), ...filled("nada").slice(1)]),
    );
    expect(broken.rows.map(({ outcome }) => outcome)).toEqual(["held", "bad-reason"]);
    expect((await list()).rows.map(({ reason }) => reason)).toEqual([null, null]);
    const { rows } = await importHandling(writer(), file(filled("Devolvido")));
    expect(rows.map(({ outcome }) => outcome)).toEqual(["saved", "saved"]);
    const [one] = (await list()).rows;
    expect(one).toMatchObject({ reason: "refunded", note: "visto" });
    expect(JSON.stringify(await db.select().from(deposit))).not.toContain("visto");
  });

  it("says step by step where a deposit was seen and when", async () => {
    await nameAddress(db, ADDRESS, "PED-1");
    await arrive("10", { hash: "0x77" });
    await keep();
    await expectOne(writer(), order({ amount: "10" }));
    const [row] = (await list()).rows;
    const record = await readDeposit(reader(), row?.id ?? "");
    expect(record?.trace.map(({ kind, isSeen, source }) => [kind, isSeen, source])).toEqual([
      ["reference", true, "here"],
      ["address", true, "here"],
      ["hash", true, "chain"],
      ["sweep", false, "master"],
      ["event", false, "event"],
      ["matched", true, "typed"],
    ]);
    expect(await readDeposit(actorOf("finance", staffId, "wallets:read", "boreal"), row?.id ?? "")).toBeNull();
  });

  it("shows each row once over its pages, forth and back", async () => {
    for (let nth = 1; nth <= 30; nth += 1)
      await arrive(String(nth), { at: new Date(Date.now() - (nth >> 1) * 60_000) });
    await keep();
    const first = await list();
    const second = await list({ before: first.older });
    const back = await list({ after: second.newer });
    expect(new Set([...first.rows, ...second.rows].map(({ id }) => id)).size).toBe(30);
    expect(back.rows.map(({ id }) => id)).toEqual(first.rows.map(({ id }) => id));
  });
});

type Row = { reference: string; whole: number; cents: number; asset: string; network: string; day: number };

const typedRow: fc.Arbitrary<Row> = fc.record({
  reference: fc
    .constantFrom("PED", "Pedido ação", "INV/2", "ordem é")
    .chain((word) => fc.integer({ min: 1, max: 9_999 }).map((nth) => `${word}-${nth}`)),
  whole: fc.integer({ min: 0, max: 9_999_999 }),
  cents: fc.integer({ min: 1, max: 99 }),
  asset: fc.constantFrom("", "USDT", "usdc"),
  network: fc.constantFrom("", "ethereum", "Tron", " POLYGON "),
  day: fc.integer({ min: 1, max: 28 }),
});

const grouped = (whole: number, by: string) => String(whole).replaceAll(/(?<=\d)(?=(?:\d{3})+$)/g, by);

const SPELLINGS: readonly ((row: Row) => string)[] = [
  ({ whole, cents }) => `${whole}.${String(cents).padStart(2, "0")}`,
  ({ whole, cents }) => `${whole},${String(cents).padStart(2, "0")}`,
  ({ whole, cents }) => `${grouped(whole, ".")},${String(cents).padStart(2, "0")}`,
  ({ whole, cents }) => `${grouped(whole, ",")}.${String(cents).padStart(2, "0")}`,
  ({ whole, cents }) => `${grouped(whole, "\u00a0")},${String(cents).padStart(2, "0")}`,
];

const DAYS: readonly ((day: number) => string)[] = [
  (day) => `${String(day).padStart(2, "0")}/12/2026`,
  (day) => `${day}/12/2026`,
  (day) => `2026-12-${String(day).padStart(2, "0")}`,
  (day) => `2026-12-${String(day).padStart(2, "0")} 00:00:00`,
  (day) => `${day} dez 2026`,
];

const civilDayOf = (day: number) => new Date(Date.UTC(2026, 11, day)).toISOString().slice(0, 10);

const WINDOWS_1252: Readonly<Record<string, number>> = { "\u00a0": 0xa0, ç: 0xe7, ã: 0xe3, é: 0xe9 };
const utf16 = (text: string) => Uint8Array.from(Buffer.from(text, "utf16le"));

const ENCODINGS: readonly ((text: string) => Uint8Array)[] = [
  (text) => new TextEncoder().encode(text),
  (text) => new TextEncoder().encode(`\ufeff${text.normalize("NFD")}`),
  (text) => utf16(`\ufeff${text}`),
  (text) => utf16(`\ufeff${text}`).map((_, at, bytes) => bytes[at ^ 1] ?? 0),
  (text) => Uint8Array.from(text, (sign) => WINDOWS_1252[sign] ?? sign.charCodeAt(0)),
];

describe("a file of what is expected", () => {
  it("is read in every usual spelling", async () => {
    const how = fc.record({
      delimiter: fc.constantFrom(";", ",", "\t", "|"),
      end: fc.constantFrom("\n", "\r\n", "\r"),
      head: fc.constantFrom("", "sep", "referência", "Reference"),
      encode: fc.constantFrom(...ENCODINGS),
      amount: fc.constantFrom(...SPELLINGS),
      day: fc.constantFrom(...DAYS),
    });
    const rows = fc.uniqueArray(typedRow, { minLength: 1, maxLength: 4, selector: ({ reference }) => reference });
    await fc.assert(
      fc.asyncProperty(rows, how, async (given, { delimiter, end, head, encode, amount, day }) => {
        await db.delete(deposit);
        const cell = (text: string) => (text.includes(delimiter) ? `"${text}"` : text);
        const lines = given.map((row) =>
          [row.reference, amount(row), row.asset, row.network, day(row.day)].map(cell).join(delimiter),
        );
        const first = head === "sep" ? `sep=${delimiter}` : [head, "b", "c", "d", "e"].join(delimiter);
        const csv = readTextFile(encode([...(head === "" ? [] : [first]), ...lines, ""].join(end)));
        const read = await importExpected(writer(), DepositFile.parse({ csv }));
        expect(read.rows.map(({ outcome }) => outcome)).toEqual(given.map(() => "saved"));
        const kept = (await list({ view: "expected" })).rows.map(({ reference, amount: coins, network, dueAt }) =>
          [reference, Number(coins), network ?? "", dueAt?.slice(0, 10)].join(),
        );
        const wanted = given.map(({ reference, whole, cents, network, day: due }) =>
          [
            reference,
            Number(`${whole}.${String(cents).padStart(2, "0")}`),
            network.trim().toUpperCase(),
            civilDayOf(due + 1),
          ].join(),
        );
        expect(kept.toSorted()).toEqual(wanted.toSorted());
      }),
      { numRuns: 60 },
    );
  });

  it("takes a reference that looks the same for the same", async () => {
    const csv = ["PED\u200b-1;10", "PED-1\u00a0;10,0", "ＰＥＤ-2;10", "Pedido\u00a0é;1", "Pedido e\u0301;1,00"].join(
      "\n",
    );
    const { rows } = await importExpected(writer(), { csv });
    expect(rows.map(({ outcome }) => outcome)).toEqual(["held", "repeated", "held", "held", "repeated"]);
  });

  it.each(["", " \n\r\n", "referência;valor\n", "sep=;\n"])("says that %j has no rows", async (csv) => {
    await expect(importExpected(writer(), { csv })).rejects.toMatchObject({
      details: { issues: [{ path: ["csv"], params: { code: "no-rows" } }] },
    });
  });
});

describe("the rows of one file", () => {
  it("are each shown once over the pages", async () => {
    const csv = Array.from({ length: 60 }, (_, nth) => `PED-${nth};${nth + 1}`).join("\n");
    await importExpected(writer(), { csv });
    const first = await list();
    const second = await list({ before: first.older });
    const third = await list({ before: second.older });
    expect(new Set([first, second, third].flatMap(({ rows }) => rows.map(({ id }) => id))).size).toBe(60);
  });
});

describe("a provider that answers nothing", () => {
  it("still keeps what was told", async () => {
    await givenService(
      () => {},
      () => () => new Response(null, { status: 503 }),
    );
    await arrive("10");
    await keep();
    expect(await classes()).toEqual(["unattributed"]);
  });
});
