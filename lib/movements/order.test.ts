import { randomUUID } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { getLocale } from "next-intl/server";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { lookUp } from "@/lib/accounts/look-up";
import { getSession } from "@/lib/auth/session";
import { maskDocument } from "@/lib/contract/document";
import { auditEvent } from "@/lib/db/tables/audit";
import { movementExport, movementSource } from "@/lib/db/tables/movements";
import { chainReading, walletBalance, walletLabel } from "@/lib/db/tables/wallets";
import type { Db } from "@/lib/db/connection";
import { remember } from "@/lib/db/watch-state";
import { readCsv } from "@/lib/text/csv";
import { AppError } from "@/lib/errors/app-error";
import { showBody } from "@/lib/text/shown-body";
import { civilDaysAgo } from "@/lib/text/time";
import { watchActor } from "@/lib/permission/grant";
import { refreshHistory } from "@/lib/wallets/history";
import { WalletWalk } from "@/lib/wallets/inputs";
import { sessionOf } from "@/test/support/auth";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import { ADDRESS, bytesOf, givenHistory, givenWallet, linesOf, startOf, sweepAll } from "@/test/support/movements";
import { unzip } from "@/test/support/zip";
import type { Harness } from "@/test/support/service/harness";
import { openAccount } from "@/test/support/transfers";
import type { MovementOrder } from "./inputs";
import { CSV_COLUMNS } from "./sources";
import { planMovementFile, startMovementFile, stopMovementFile } from "./order";
import { listMovementFiles, takeMovementFile } from "./queries";

const period = { from: "2026-03-01", to: "2026-03-31" };
const USDT = { tokenAddress: "0xdac1", asset: "USDT" };
let db: Db;
let service: Harness;
let staffId = "";
let refs: string[] = [];
let asked: string[] = [];
/** The provider's history of every chain, whichever page is requested. */
let chain: readonly object[] | null;

beforeEach(async () => {
  vi.mocked(getLocale).mockResolvedValue("en");
  givenEnv();
  db = await givenStore();
  [refs, asked, chain] = [[], [], null];
  service = await givenService(
    () => {},
    (serve) => async (request) => {
      const { pathname } = new URL(request.url);
      asked.push(pathname);
      return chain !== null && pathname.startsWith("/v1/crypto/") ? Response.json({ data: chain }) : serve(request);
    },
  );
  staffId = await givenStaff(db, "finance");
  vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId, tenant: "aurora", roles: ["finance"] }));
});

async function givenAccount(amount?: number): Promise<void> {
  const { accountId, onBoardingId } = await openAccount(service);
  const found = await lookUp(actorOf("finance", staffId, "accounts:read"), { query: onBoardingId });
  refs.push("accountRef" in found ? found.accountRef : "");
  if (amount !== undefined) await service.control("POST", `/sandbox/bank-accounts/${accountId}/credit`, { amount });
  asked = [];
}

const exporter = () => actorOf("finance", staffId, "statement:export");
const start = (order: Partial<MovementOrder> = {}) => startOf(exporter(), order);

const walletRows = (lines: string[]) => lines.filter((line) => line.startsWith('"wallet"'));
const totalsIn = (lines: string[]) => lines.filter((line) => line.startsWith("# total"));

const told = (nth: number) => ({
  chain: "TRON",
  hash: `h${nth}`,
  address: ADDRESS,
  blockNumber: nth,
  amount: "0.1",
  transactionSubtype: "incoming",
  counterAddress: "TXo",
  timestamp: Date.parse("2026-03-09T12:00:00Z") - nth,
});
const fifty = Array.from({ length: 50 }, (_, nth) => told(nth));

describe("wallets in a file", () => {
  it("reads wallets from the store without a call, with totals per asset", async () => {
    await givenAccount(10);
    await givenWallet({ id: "w", family: "EVM" });
    const out = { subtype: "outgoing", ...USDT };
    await givenHistory(
      "w",
      [
        { ...USDT, amount: "7.000000000000000001" },
        { ...out, amount: "2.5" },
      ],
      {
        network: "ETHEREUM",
      },
    );
    await givenHistory("w", [{ ...USDT, amount: "40" }], { network: "POLYGON" });
    await givenHistory("w", [], { network: "BSC" });
    const id = await start();
    await sweepAll();
    const lines = await linesOf(id);
    expect(asked).toHaveLength(1);
    expect(totalsIn(lines)).toEqual([
      "# total | BRL | count 1 | in 10.00 | out 0.00 | unsigned 0",
      "# total | USDT | count 2 | in 7.000000000000000001 | out 2.50 | unsigned 0 | network ETHEREUM | token 0xdac1",
      "# total | USDT | count 1 | in 40.00 | out 0.00 | unsigned 0 | network POLYGON | token 0xdac1",
    ]);
    expect(walletRows(lines)).toContain(
      '"wallet","w",,"0xAbC1","USDT","ETHEREUM","2026-03-09","2026-03-09T09:00:00-03:00","out",2.5,"yes","outgoing",,"h1","TXo",,"0xdac1",,,,,',
    );
    expect(lines.some((line) => line.startsWith("# not"))).toBe(false);
    expect(await listMovementFiles()).toMatchObject([
      { accounts: 1, read: 1, wallets: 3, walletsRead: 3, notWhole: { accounts: 0, wallets: 0 }, unread: [] },
    ]);
  });

  it("keeps an unnamed asset and another token of the same name apart", async () => {
    await givenWallet({ id: "w" });
    const fake = { asset: "USDT", tokenAddress: "0xfake", amount: "1000000" };
    await givenHistory("w", [{ ...USDT, amount: "7" }, fake, { amount: "3" }, { amount: "4" }]);
    const id = await start({ scope: "wallets" });
    await sweepAll();
    expect(totalsIn(await linesOf(id))).toEqual([
      "# total | USDT | count 1 | in 7.00 | out 0.00 | unsigned 0 | network TRON | token 0xdac1",
      "# total | USDT | count 1 | in 1000000.00 | out 0.00 | unsigned 0 | network TRON | token 0xfake",
      "# total |  | count 2 | in 7.00 | out 0.00 | unsigned 0 | network TRON | asset not told",
    ]);
  });

  it("names a network's only asset, and a probable one where no token is known", async () => {
    const asOf = new Date("2026-04-01T03:00:00Z");
    await givenWallet({ id: "b", family: "BTC", address: "bc1b" });
    await givenHistory("b", [{ amount: "2" }], { network: "BITCOIN" });
    await givenWallet({ id: "w" });
    await givenHistory("w", [{ amount: "3" }]);
    const coin = { address: ADDRESS, asset: "TRX", decimals: 6, balance: "3" };
    await db.insert(walletBalance).values({ tenant: "aurora", walletId: "w", network: "TRON", entries: [coin], asOf });
    const id = await start({ scope: "wallets" });
    await sweepAll();
    expect(totalsIn(await linesOf(id))).toEqual([
      "# total | BTC | count 1 | in 2.00 | out 0.00 | unsigned 0 | network BITCOIN | only asset of the network",
      "# total | TRX | count 1 | in 3.00 | out 0.00 | unsigned 0 | network TRON | probably TRX: no token known",
    ]);
  });

  it("uses the reader's separators, and names dropped movements beside the table", async () => {
    await givenWallet({ id: "w" });
    const droppedAt = new Date("2026-03-10T12:00:00Z");
    const gone = { ...USDT, amount: "8.5", hash: "gone", droppedAt };
    await givenHistory("w", [{ ...USDT, amount: "7.25" }, gone, { ...gone, hash: "late", isDated: false }]);
    const order = { ...period, format: "csv", scope: "wallets", names: "" } as const;
    const pt = randomUUID();
    const en = randomUUID();
    await startMovementFile(exporter(), { ...order, id: pt }, "pt-BR");
    await startMovementFile(exporter(), { ...order, id: en }, "en");
    await sweepAll();
    for (const [id, own] of [
      [pt, { delimiter: ";", point: "," }],
      [en, { delimiter: ",", point: "." }],
    ] as const) {
      const text = (await bytesOf(id)).toString("utf8");
      const { rows } = readCsv(text.slice(0, text.indexOf("\n%")));
      const [head, ...lines] = rows.map(({ cells }) => cells);
      expect(text).toContain(own.delimiter);
      expect(head).toEqual([...CSV_COLUMNS]);
      expect(new Set(lines.map(({ length }) => length))).toEqual(new Set([CSV_COLUMNS.length]));
      const noteAt = CSV_COLUMNS.indexOf("note");
      const notes = lines
        .filter((cells) => cells.every((cell, nth) => nth === noteAt || cell === ""))
        .map((cells) => cells[noteAt]);
      expect(lines.length - notes.length).toBe(1);
      expect(text).toContain(`"2026-03-09T09:00:00-03:00"${own.delimiter}"in"${own.delimiter}7${own.point}25`);
      expect(notes).toContain(
        `# dropped | wallet | w | TRON | gone | 8${own.point}5 USDT 0xdac1 incoming | 2026-03-09`,
      );
      expect(notes).toContain(`# dropped | wallet | w | TRON | late | 8${own.point}5 USDT 0xdac1 incoming | `.trim());
      expect(notes).toContain(
        `# total | USDT | count 1 | in 7${own.point}25 | out 0${own.point}00 | unsigned 0 | network TRON | token 0xdac1`,
      );
    }
  });

  it("omits dropped movements and sums only confirmed ones", async () => {
    await givenWallet({ id: "w" });
    const droppedAt = new Date("2026-03-10T12:00:00Z");
    await givenHistory("w", [
      { ...USDT, amount: "7" },
      { ...USDT, amount: "8", droppedAt },
      { ...USDT, amount: "9", isDated: false },
      { ...USDT, amount: "10", isDated: false, blockNumber: "7" },
      { ...USDT, amount: "11", status: "failed" },
    ]);
    const id = await start({ scope: "wallets" });
    await sweepAll();
    const lines = await linesOf(id);
    expect(totalsIn(lines)).toEqual([
      "# total | USDT | count 4 | in 7.00 | out 0.00 | unsigned 3 | network TRON | token 0xdac1",
    ]);
    const stood = walletRows(lines).map((line) =>
      /,(\d+),"(yes|no)","incoming",("\w+")?/.exec(line)?.slice(1).join(" "),
    );
    expect(new Set(stood)).toEqual(new Set(["7 yes ", '9 no "unconfirmed"', '10 no "undated"', '11 no "failed"']));
  });

  it("lists an address once when it has two ids", async () => {
    const address = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
    await givenWallet({ id: "a", family: "EVM", address });
    await givenWallet({ id: "b", family: "EVM", address: address.toLowerCase() });
    for (const network of ["ETHEREUM", "POLYGON", "BSC"] as const) {
      await givenHistory("a", [{ ...USDT, amount: "7" }], { network, isWhole: network !== "BSC" });
      await givenHistory("b", [{ ...USDT, amount: "7" }], { network });
    }
    const id = await start({ scope: "wallets" });
    await sweepAll();
    const lines = await linesOf(id);
    expect(totalsIn(lines).map((line) => line.slice(0, 34))).toEqual(
      Array(3).fill("# total | USDT | count 1 | in 7.00"),
    );
    expect(walletRows(lines)).toHaveLength(3);
    expect(lines.filter((line) => line.startsWith("# not"))).toEqual([]);
  });

  it("sums only movements with a known direction and amount", async () => {
    await givenWallet({ id: "w" });
    await givenHistory("w", [
      { ...USDT, amount: "7" },
      { ...USDT, subtype: "swept" },
      { ...USDT, amount: "1e3" },
      { ...USDT, amount: "-1" },
    ]);
    const id = await start({ scope: "wallets" });
    await sweepAll();
    const lines = await linesOf(id);
    expect(totalsIn(lines)).toEqual([
      "# total | USDT | count 4 | in 7.00 | out 0.00 | unsigned 3 | network TRON | token 0xdac1",
    ]);
    expect(walletRows(lines).filter((row) => row.includes('"1e3 incoming"'))).toHaveLength(1);
  });

  it("uses São Paulo days for wallets", async () => {
    await givenWallet({ id: "w" });
    const times = ["2026-03-01T02:59:59Z", "2026-03-01T03:00:00Z", "2026-04-01T02:59:59Z", "2026-04-01T03:00:00Z"];
    await givenHistory(
      "w",
      times.map((at) => ({ ...USDT, at: new Date(at) })),
    );
    const id = await start({ scope: "wallets" });
    await sweepAll();
    expect(walletRows(await linesOf(id)).map((row) => row.split(",")[6])).toEqual(['"2026-03-01"', '"2026-03-31"']);
  });

  it("lists wallets never read, and flags their network's sums", async () => {
    await givenWallet({ id: "w" });
    await givenHistory("w", [{ ...USDT, amount: "7" }]);
    await givenWallet({ id: "never", family: "TRON", address: "TNever" });
    await givenWallet({ id: "failed", family: "TRON", address: "TFailed" });
    const triedAt = new Date();
    await db.insert(chainReading).values({ tenant: "aurora", walletId: "failed", network: "TRON", triedAt });
    const id = await start({ scope: "wallets" });
    await sweepAll();
    const lines = await linesOf(id);
    expect(lines).toContain("# unread | 2");
    expect(lines).toContain("# not read | wallet | never | TRON / TNever | never-read");
    expect(lines).toContain("# not read | wallet | failed | TRON / TFailed | never-read");
    expect(totalsIn(lines)).toEqual([
      "# total | USDT | count 1 | in 7.00 | out 0.00 | unsigned 0 | network TRON | token 0xdac1 | not whole 2",
    ]);
    expect(await listMovementFiles()).toMatchObject([{ wallets: 3, walletsRead: 1 }]);
  });

  it("lists wallets that cannot be read by address", async () => {
    await givenAccount(10);
    await givenWallet({ id: "odd", family: "DOGE", address: "DOdd" });
    const unread = [{ hash: "f00d", shape: showBody({}) }];
    await remember(db, { tenant: "aurora", name: "wallets" }, WalletWalk.parse({ ...WalletWalk.parse({}), unread }));
    const id = await start();
    await sweepAll();
    const lines = await linesOf(id);
    expect(lines).toContain("# not read | wallet | odd | DOGE / DOdd | network-unknown");
    expect(lines).toContain("# not read | wallet | f00d | ? / f00d | wallet-unreadable");
  });

  it.each<[string, Partial<typeof chainReading.$inferInsert>]>([
    ["unfinished", { isWhole: false, nextPage: 3 }],
    ["entries-unread", { unread: 1 }],
    ["read-before-end", { asOf: new Date("2026-04-01T02:59:59Z") }],
  ])("flags a possibly incomplete history (%s) and its sums", async (why, read) => {
    await givenWallet({ id: "w" });
    await givenHistory("w", [{ ...USDT, amount: "7" }], read);
    const id = await start({ scope: "wallets" });
    await sweepAll();
    const lines = await linesOf(id);
    expect(lines.find((line) => line.startsWith("# not whole"))).toContain(`w | TRON / ${ADDRESS} | ${why}`);
    expect(totalsIn(lines)[0]).toMatch(/not whole 1$/);
    expect(await listMovementFiles()).toMatchObject([{ walletsRead: 1, notWhole: { accounts: 0, wallets: 1 } }]);
  });

  it.each<[string, readonly object[], string, string]>([
    ["repeats its first page", fifty, "count 50 | in 5.00", "unfinished"],
    ["tells what is not understood", [told(0), { moved: "yes" }], "count 1 | in 0.10", "entries-unread"],
  ])("flags the sums of a provider that %s, and names no asset", async (_, entries, sums, why) => {
    chain = entries;
    await givenWallet({ id: "w" });
    const place = { walletId: "w", address: ADDRESS, network: "TRON" } as const;
    await refreshHistory(watchActor("wallets", "aurora", "wallets:read"), place);
    const id = await start({ scope: "wallets" });
    await sweepAll();
    const lines = await linesOf(id);
    expect(totalsIn(lines)).toEqual([
      `# total |  | ${sums} | out 0.00 | unsigned 0 | network TRON | asset not told | not whole 1`,
    ]);
    expect(lines.find((line) => line.startsWith("# not whole"))).toContain(why);
  });

  it("says when a token's own history was not read to its end", async () => {
    await givenWallet({ id: "w" });
    await givenHistory("w", [{ ...USDT, amount: "7" }]);
    await givenHistory("w", [], { tokenAddress: "0xdac1", isWhole: false });
    const id = await start({ scope: "wallets" });
    await sweepAll();
    expect((await linesOf(id)).some((line) => line.startsWith("# not whole | wallet | w"))).toBe(true);
  });

  it("writes no OFX for wallets, and lists each in control.csv", async () => {
    await givenAccount(10);
    await givenWallet({ id: "w" });
    await givenHistory("w", [{ ...USDT, amount: "7" }]);
    const id = await start({ format: "ofx" });
    await sweepAll();
    const control = (await unzip(await bytesOf(id))).get("control.csv")?.toString();
    expect(control).toContain(`"# not read","wallet","w","TRON / ${ADDRESS}","ofx-has-no-wallets"`);
    expect(control).toContain('"# total","BRL","count 1","in 10.00","out 0.00","unsigned 0"\r\n');
    await expect(start({ format: "ofx", scope: "wallets" })).rejects.toMatchObject({ kind: "not-found" });
  });

  it("chooses wallets by address, id or label, without a call", async () => {
    await givenWallet({ id: "w" });
    await givenHistory("w", [USDT], { asOf: new Date("2026-03-20T12:00:00Z") });
    await givenWallet({ id: "named", family: "BTC", address: "bc1named" });
    const said = { label: "Tesouraria", setBy: staffId, setAt: new Date() };
    await db.insert(walletLabel).values({ tenant: "aurora", walletId: "named", ...said });
    await givenWallet({ id: "other", family: "BTC", address: "bc1other" });
    const names = `${ADDRESS.toLowerCase()}\ntesouraria`;
    const order = { ...period, format: "csv", scope: "chosen", names } as const;
    expect(await planMovementFile(exporter(), order)).toMatchObject({
      accounts: 0,
      wallets: 2,
      neverRead: 1,
      histories: [
        { label: "BITCOIN / bc1named", asOf: null },
        { label: `TRON / ${ADDRESS}`, asOf: "2026-03-20T12:00:00.000Z" },
      ],
      calls: 0,
      unknown: [],
    });
    expect(await planMovementFile(exporter(), { ...order, names: "other" })).toMatchObject({ wallets: 1 });
  });

  it("includes only the tenant's own wallets", async () => {
    await givenWallet({ id: "w" });
    await givenHistory("w", [{ ...USDT, amount: "7" }]);
    await givenWallet({ id: "w", tenant: "boreal" });
    await givenHistory("w", [{ ...USDT, amount: "9", tenant: "boreal" }], { tenant: "boreal", unread: 1 });
    await givenWallet({ id: "theirs", tenant: "boreal" });
    const id = await start({ scope: "wallets" });
    await sweepAll();
    const lines = await linesOf(id);
    expect(walletRows(lines)).toHaveLength(1);
    expect(lines).toContain("# sources | wallets | 1");
    expect(lines.some((line) => line.startsWith("# not"))).toBe(false);
  });

  it("excludes wallets for people who may not see them", async () => {
    await givenAccount(10);
    await givenWallet({ id: "w" });
    await givenHistory("w", [USDT]);
    const id = await start();
    const support = actorOf("support", staffId, "statement:export");
    const order = { ...period, format: "csv", names: "" } as const;
    expect(await planMovementFile(support, { ...order, scope: "all" })).toMatchObject({ accounts: 1, wallets: 0 });
    await expect(startMovementFile(support, { ...order, scope: "wallets", id: randomUUID() })).rejects.toMatchObject({
      kind: "not-found",
    });
    await expect(stopMovementFile(support, { id })).rejects.toMatchObject({ kind: "not-found" });
    const own = randomUUID();
    await startMovementFile(support, { ...order, scope: "all", id: own });
    await sweepAll();
    vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId, tenant: "aurora", roles: ["support"] }));
    expect(await listMovementFiles()).toMatchObject([{ id: own, state: "READY" }]);
    expect(await linesOf(own)).toContain("# sources | accounts | 1");
    await expect(takeMovementFile(id)).rejects.toMatchObject({ kind: "not-found" });
  });
});

describe("what a file costs", () => {
  it("shows the cost before the start, with text that fits no account", async () => {
    await givenAccount();
    const order = { ...period, format: "csv", scope: "chosen", names: `${refs[0]}\nnobody` } as const;
    expect(await planMovementFile(exporter(), order)).toEqual({
      accounts: 1,
      wallets: 0,
      neverRead: 0,
      histories: [],
      calls: 2,
      minutes: 1,
      unknown: ["nobody"],
    });
    await expect(startMovementFile(exporter(), { ...order, id: randomUUID() })).rejects.toMatchObject({
      kind: "not-found",
    });
  });

  it("masks a typed CPF that fits nothing", async () => {
    const order = { ...period, format: "csv", scope: "chosen", names: "529.982.247-25" } as const;
    expect((await planMovementFile(exporter(), order)).unknown).toEqual([maskDocument("52998224725")]);
  });

  it("charges a file once when the button is pressed twice", async () => {
    await givenAccount();
    const again = { ...period, format: "csv", scope: "all", names: "", id: randomUUID() } as const;
    await startMovementFile(exporter(), again);
    await startMovementFile(exporter(), again);
    expect(await db.select().from(movementSource)).toHaveLength(1);
    expect((await db.select().from(auditEvent)).filter(({ code }) => code === "movements.start")).toHaveLength(1);
  });
});

const tenPeriods = Array.from({ length: 10 }, (_, nth) => ({ to: `2026-03-${10 + nth}` }));
const ORDER = { ...period, format: "csv", scope: "all", names: "" } as const;
const code = (expected: string) => ({ details: { code: expected } });

async function codesOf(orders: readonly Promise<unknown>[]): Promise<(string | undefined)[]> {
  const answers = await Promise.allSettled(orders);
  return answers.map((answer) => {
    if (answer.status === "fulfilled") return "started";
    const { reason }: { reason: unknown } = answer;
    return reason instanceof AppError ? reason.details.code : "broken";
  });
}

const times = (codes: readonly unknown[], wanted: string) => codes.filter((one) => one === wanted).length;

describe("how many files are open at once", () => {
  it("starts two of ten that one person orders together", async () => {
    await givenAccount();
    const codes = await codesOf(tenPeriods.map((order) => start(order)));
    expect([times(codes, "started"), times(codes, "movement-files-own")]).toEqual([2, 8]);
    expect(await db.$count(movementExport)).toBe(2);
    await sweepAll();
    await start({ to: "2026-03-30" });
  });

  it("starts ten of fourteen that seven people order together", async () => {
    await givenAccount();
    const people = await Promise.all(Array.from({ length: 7 }, () => givenStaff(db, "finance")));
    const orders = people.flatMap((id, nth) =>
      [nth, nth + 7].map((day) =>
        startOf(actorOf("finance", id, "statement:export"), { to: `2026-03-${String(day + 1).padStart(2, "0")}` }),
      ),
    );
    const codes = await codesOf(orders);
    expect([times(codes, "started"), times(codes, "movement-files-all")]).toEqual([10, 4]);
    expect(await db.$count(movementExport)).toBe(10);
  });

  it("counts no stopped file as open", async () => {
    await givenAccount();
    const first = await start({ to: "2026-03-10" });
    await start({ to: "2026-03-11" });
    await expect(start({ to: "2026-03-12" })).rejects.toMatchObject(code("movement-files-own"));
    await stopMovementFile(exporter(), { id: first });
    await start({ to: "2026-03-12" });
  });
});

describe("an equal order", () => {
  it("creates one file for ten concurrent requests by anybody", async () => {
    await givenAccount();
    const people = await Promise.all(Array.from({ length: 10 }, () => givenStaff(db, "finance")));
    const ids = await Promise.all(people.map((id) => startOf(actorOf("finance", id, "statement:export"), {})));
    expect(new Set(ids).size).toBe(1);
    expect(await db.$count(movementExport)).toBe(1);
  });

  it("returns the finished file of an equal order and says so", async () => {
    await givenAccount(10);
    const id = await start();
    await sweepAll();
    asked = [];
    const again = { ...ORDER, id: randomUUID() };
    expect(await startMovementFile(exporter(), again)).toEqual({ id, isThere: true });
    expect(await startMovementFile(exporter(), again)).toEqual({ id, isThere: true });
    await sweepAll();
    expect(asked).toEqual([]);
  });

  it("reads again when the file is partial, lacks a source or is a day old", async () => {
    await givenAccount(10);
    const first = await start();
    await sweepAll();
    await givenAccount(10);
    const second = await start();
    expect(second).not.toBe(first);
    await sweepAll();
    const stale = sql`clock_timestamp() - interval '25 hours'`;
    await db.update(movementExport).set({ finishedAt: stale }).where(eq(movementExport.id, second));
    const third = await start();
    expect(third).not.toBe(second);
    await sweepAll();
    const lacking = and(eq(movementSource.exportId, third), eq(movementSource.position, 1));
    await db.update(movementSource).set({ state: "UNREAD", why: "unavailable" }).where(lacking);
    expect(await start()).not.toBe(third);
  });

  it("reads again when the period was not over", async () => {
    await givenAccount(10);
    const today = civilDaysAgo(0);
    const first = await start({ from: today, to: today });
    await sweepAll();
    expect(await start({ from: today, to: today })).not.toBe(first);
  });
});

describe("the id of a file", () => {
  it("keeps a file's id for one person's order, and refuses any other", async () => {
    await givenAccount();
    const id = randomUUID();
    await startMovementFile(exporter(), { ...ORDER, id });
    await expect(startMovementFile(exporter(), { ...ORDER, to: "2026-03-30", id })).rejects.toMatchObject(
      code("intent-reused"),
    );
    const other = actorOf("finance", await givenStaff(db, "finance"), "statement:export");
    await expect(startMovementFile(other, { ...ORDER, id })).rejects.toMatchObject(code("intent-reused"));
  });

  it("creates one file for ten concurrent presses", async () => {
    await givenAccount();
    const id = randomUUID();
    await Promise.all(tenPeriods.map(() => startMovementFile(exporter(), { ...ORDER, id })));
    expect(await db.select({ id: movementExport.id }).from(movementExport)).toEqual([{ id }]);
  });
});
