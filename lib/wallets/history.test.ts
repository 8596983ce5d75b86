import { eq } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { getLocale } from "next-intl/server";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { watchActor } from "@/lib/permission/grant";
import { WalletCreated } from "@/lib/contract/crypto";
import type { Db } from "@/lib/db/connection";
import { readCsv } from "@/lib/text/csv";
import { sweepOnce } from "@/lib/watch/watch";
import { actorOf, givenEnv, givenStore, givenService } from "@/test/support/console";
import { ETHEREUM_USDT } from "@/test/support/service/crypto";
import { allowancesFor } from "@/lib/provider/allowance";
import { WireError } from "@/lib/provider/wire-http";
import type { Harness } from "@/test/support/service/harness";
import { asDocumented } from "@/test/support/wallets";
import { attribute } from "./attribute";
import { derivedFee } from "./movements";
import { historiesDue, glanceAtHistory, type Glance, refreshHistory } from "./history";
import type { ToldMovement } from "./walk-history";
import { exportHistoryOf, readWalletHistory } from "./history-list";
import { refreshBalance, saveWallets, type WalletNetwork } from "./records";
import { chainMovement, chainReading, wallet, walletBalance, walletLabel } from "@/lib/db/tables/wallets";
import { walletWatch } from "./watch";

let db: Db;
let service: Harness;
/** Replaces the service's history. */
let history: ((url: URL) => readonly object[]) | null;

beforeEach(async () => {
  givenEnv();
  history = null;
  db = await givenStore();
  service = await givenService(
    () => {},
    (serve) => async (request) => {
      const url = new URL(request.url);
      if (history === null || !url.pathname.endsWith("/history")) return asDocumented(request, await serve(request));
      return Response.json({ message: "", data: history(url) });
    },
  );
});

const watcher = () => watchActor("wallets", "aurora", "wallets:read");

async function open(network = "EVM") {
  const { body } = await service.send("POST", "/v1/crypto/wallets", { body: { network } });
  return WalletCreated.parse(body).data;
}

const deposit = (address: string, amount: string, tokenAddress?: string) =>
  service.control("POST", "/sandbox/crypto/deposits", {
    network: "ETHEREUM",
    address,
    amount,
    ...(tokenAddress !== undefined && { tokenAddress }),
  });

const stored = async () =>
  (await db.select().from(chainMovement)).map(({ amount, asset, subtype }) => ({ amount, asset, subtype }));

describe("the chain history of a wallet", () => {
  it("names a movement's asset only for a known token", async () => {
    const { walletId, address } = await open();
    await deposit(address, "1.5");
    await deposit(address, "7", ETHEREUM_USDT);
    await sweepOnce(walletWatch, "aurora");
    expect((await stored()).toSorted((one, other) => one.amount.localeCompare(other.amount))).toEqual([
      { amount: "1.5", asset: null, subtype: "incoming" },
      { amount: "7", asset: "USDT", subtype: "incoming" },
    ]);
    expect((await db.select().from(chainReading)).every(({ isWhole }) => isWhole)).toBe(true);
    expect(walletId).not.toBe("");
  });

  it("stores each movement once, however often it is read", async () => {
    const { walletId, address } = await open();
    await deposit(address, "1.5");
    await deposit(address, "7", ETHEREUM_USDT);
    await sweepOnce(walletWatch, "aurora");
    const one = { walletId, address, network: "ETHEREUM" as const };
    await Promise.all([refreshHistory(watcher(), one), refreshHistory(watcher(), one)]);
    expect(await stored()).toHaveLength(2);
  });

  it("names a movement's asset later, once the token is known", async () => {
    const { walletId, address } = await open();
    await deposit(address, "7", ETHEREUM_USDT);
    await sweepOnce(walletWatch, "aurora");
    await db.delete(chainMovement);
    await db.delete(chainReading);
    await db.update(walletBalance).set({ entries: [] });
    const one = { walletId, address, network: "ETHEREUM" as const };
    await refreshHistory(watcher(), one);
    expect(await stored()).toMatchObject([{ amount: "7", asset: null }]);
    await refreshBalance(watcher(), one);
    await refreshHistory(watcher(), one);
    expect(await stored()).toMatchObject([{ amount: "7", asset: "USDT" }]);
  });

  it("shows the counterparty by its label, and finds a movement by its hash", async () => {
    const own = await open();
    const other = await open();
    await sweepOnce(walletWatch, "aurora");
    const at = new Date();
    const labelled = { label: "Tesouraria", use: "own" as const, setBy: randomUUID(), setAt: at };
    await db.insert(walletLabel).values({ tenant: "aurora", walletId: other.walletId, ...labelled });
    const moved = { key: "k", ordinal: 0, subtype: "incoming", amount: "2", at, hash: "0xabc123" };
    await db.insert(chainMovement).values({
      tenant: "aurora",
      walletId: own.walletId,
      network: "ETHEREUM",
      ...moved,
      counterAddress: other.address.toUpperCase(),
    });
    const actor = actorOf("finance", randomUUID(), "wallets:read");
    const found = await readWalletHistory(actor, own.walletId, { search: "ABC123" });
    expect(found?.rows).toMatchObject([
      { direction: "in", counterparty: { walletId: other.walletId, label: "Tesouraria", use: "own" } },
    ]);
    expect((await readWalletHistory(actor, own.walletId, { search: "zzz" }))?.total).toBe(0);
    expect(await readWalletHistory(actor, "nobody")).toBeNull();
  });

  it.each([
    ["en", "Dropped, not in the table: 1.5 · 0xgone · 09 Mar 2026"],
    ["pt-BR", "Descartada, fora da tabela: 1,5 · 0xgone · 09/03/2026"],
  ] as const)("names dropped movements beside the table (%s)", async (locale, note) => {
    vi.mocked(getLocale).mockResolvedValue(locale);
    const { walletId } = await open();
    await sweepOnce(walletWatch, "aurora");
    const at = new Date("2026-03-09T12:00:00Z");
    const moved = { ordinal: 0, subtype: "incoming", amount: "1.5", at, counterAddress: "0xb" };
    const place = { tenant: "aurora", walletId, network: "ETHEREUM" as const };
    await db.insert(chainMovement).values([
      { ...place, ...moved, key: "a", hash: "0xstays" },
      { ...place, ...moved, key: "b", hash: "0xgone", droppedAt: at },
    ]);
    const { parts } = await exportHistoryOf(actorOf("finance", randomUUID(), "wallets:read"), walletId);
    let text = "";
    for await (const part of parts) text += part;
    const [head = [], ...rows] = readCsv(text).rows.map(({ cells }) => cells);
    expect(rows.filter((cells) => cells.includes("0xgone"))).toEqual([]);
    expect(rows.find((cells) => cells.includes("0xstays"))?.[3]).toBe(locale === "en" ? "1.5" : "1,5");
    expect(rows.map((cells) => cells[head.length - 1])).toContain(note);
  });

  it("says in the file that a network is not read to its end", async () => {
    const { walletId, address } = await open();
    await deposit(address, "1.5");
    await sweepOnce(walletWatch, "aurora");
    const actor = actorOf("finance", randomUUID(), "wallets:read");
    const linesOf = async () => {
      const { parts } = await exportHistoryOf(actor, walletId);
      let text = "";
      for await (const part of parts) text += part;
      return text.trim().split("\r\n");
    };
    await db.update(chainReading).set({ isWhole: true });
    const before = await linesOf();
    await db.update(chainReading).set({ isWhole: false }).where(eq(chainReading.network, "ETHEREUM"));
    expect(await linesOf()).toHaveLength(before.length + 1);
  });
});

const keep = async (id: string, use: "own" | null, triedAt: Date | null, movedAt: Date | null) => {
  const at = new Date(0);
  const coin = { address: id, family: "BTC", coin: "BTC", status: "ACTIVE", isForwardPayment: false };
  await db.insert(wallet).values({ tenant: "aurora", id, ...coin, createdAt: at, seenAt: at });
  const one = { tenant: "aurora", walletId: id, network: "BITCOIN" as const };
  await db.insert(walletBalance).values({ ...one, entries: [], asOf: at, triedAt: at, movedAt });
  if (triedAt !== null) await db.insert(chainReading).values({ ...one, asOf: triedAt, triedAt, isWhole: true });
  if (use !== null) {
    await db.insert(walletLabel).values({ tenant: "aurora", walletId: id, use, setBy: randomUUID(), setAt: at });
  }
};
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

const dueNetworks = async () => (await historiesDue(db, "aurora")).map(({ network }) => network);
const due = async () => (await historiesDue(db, "aurora")).map(({ walletId }) => walletId);

/** Returns these entries page by page, as another provider may. */
function givenPages(pageOf: (page: number, size: number, call: number) => readonly object[]): {
  readonly calls: number;
} {
  const counted = { calls: 0 };
  history = (url) => {
    counted.calls += 1;
    const page = Number(url.searchParams.get("page"));
    const size = Number(url.searchParams.get("pageSize"));
    return pageOf(page, size, counted.calls);
  };
  return counted;
}

const entry = (nth: number, changes: object = {}) => ({
  chain: "ETHEREUM",
  hash: `0x${String(nth).padStart(8, "0")}`,
  address: "0xmine",
  blockNumber: nth,
  amount: "1",
  transactionSubtype: "incoming",
  counterAddress: "0xother",
  timestamp: 1_700_000_000_000 + nth,
  ...changes,
});

const pageOf = (entries: readonly object[], page: number, size: number) =>
  entries.slice(page * size, (page + 1) * size);
const entriesOf = (count: number, from = 0) => Array.from({ length: count }, (_, nth) => entry(from + nth));

async function givenWallet(): Promise<WalletNetwork> {
  const at = new Date(0);
  const coin = { address: "0xmine", family: "EVM", coin: "ETH", status: "ACTIVE", isForwardPayment: false };
  await db.insert(wallet).values({ tenant: "aurora", id: "w", ...coin, createdAt: at, seenAt: at });
  return { walletId: "w", address: "0xmine", network: "ETHEREUM" };
}

const hashes = async () => (await db.select().from(chainMovement)).map(({ hash }) => hash).toSorted();
const readingOf = async () => (await db.select().from(chainReading))[0];

describe("the history of another provider", () => {
  it("stores a movement once when it shifts to the next page", async () => {
    const one = await givenWallet();
    const entries = entriesOf(120).toReversed();
    givenPages((page, size, call) => pageOf(call === 1 ? entries.slice(2) : entries, page, size));
    await refreshHistory(watcher(), one);
    expect(await hashes()).toEqual(entriesOf(120).map(({ hash }) => hash));
  });

  it("stores both of two equal movements across a page boundary", async () => {
    const one = await givenWallet();
    const entries = [...entriesOf(49, 100).toReversed(), entry(50), entry(50), ...entriesOf(10).toReversed()];
    givenPages((page, size) => pageOf(entries, page, size));
    await refreshHistory(watcher(), one);
    await refreshHistory(watcher(), one);
    expect((await hashes()).filter((hash) => hash === entry(50).hash)).toHaveLength(2);
    expect(await hashes()).toHaveLength(61);
  });

  it("resumes a history where it stopped and misses no new movement", async () => {
    const one = await givenWallet();
    let entries = entriesOf(700).toReversed();
    givenPages((page, size) => pageOf(entries, page, size));
    await refreshHistory(watcher(), one);
    expect(await readingOf()).toMatchObject({ isWhole: false });
    entries = entriesOf(760).toReversed();
    await refreshHistory(watcher(), one);
    await refreshHistory(watcher(), one);
    await refreshHistory(watcher(), one);
    expect(await readingOf()).toMatchObject({ isWhole: true });
    expect(await hashes()).toEqual(entriesOf(760).map(({ hash }) => hash));
  });

  it("follows a history with the oldest first", async () => {
    const one = await givenWallet();
    let entries = entriesOf(210);
    const told = givenPages((page, size) => pageOf(entries, page, size));
    await refreshHistory(watcher(), one);
    entries = entriesOf(260);
    const before = told.calls;
    await refreshHistory(watcher(), one);
    expect(await hashes()).toEqual(entriesOf(260).map(({ hash }) => hash));
    expect(told.calls - before).toBeLessThanOrEqual(4);
  });

  it("names no asset when the provider ignores the requested token", async () => {
    const one = await givenWallet();
    const token = { address: "0xmine", asset: "USDT", decimals: 6, balance: "1", tokenAddress: "0xt" };
    const native = { address: "0xmine", asset: "ETH", decimals: 18, balance: "2", type: "native" };
    const read = { tenant: "aurora", walletId: "w", network: "ETHEREUM", asOf: new Date() } as const;
    await db.insert(walletBalance).values({ ...read, entries: [native, token] });
    const entries = entriesOf(3).toReversed();
    givenPages((page, size) => pageOf(entries, page, size));
    for (let nth = 0; nth < 2; nth += 1) await refreshHistory(watcher(), one);
    expect((await stored()).map(({ asset }) => asset)).toEqual([null, null, null]);
  });

  it("calls no history complete after a full last page", async () => {
    const one = await givenWallet();
    givenPages((_, size) => entriesOf(120).toReversed().slice(0, size));
    await refreshHistory(watcher(), one);
    expect(await readingOf()).toMatchObject({ isWhole: false, nextPage: 0 });
    expect(await dueNetworks()).toEqual(["BSC", "POLYGON"]);
  });

  it("counts unreadable entries, on later pages too", async () => {
    const one = await givenWallet();
    let entries: object[] = [...entriesOf(70).toReversed(), { foo: 1 }];
    givenPages((page, size) => pageOf(entries, page, size));
    await refreshHistory(watcher(), one);
    entries = [entry(71), ...entries];
    await refreshHistory(watcher(), one);
    expect(await readingOf()).toMatchObject({ isWhole: true, unread: 1 });
    expect(await hashes()).toHaveLength(71);
  });
});

describe("the histories that are due", () => {
  it("reads histories with movements since, then the company's own each minute", async () => {
    await keep("moved", null, minutesAgo(5), minutesAgo(1));
    await keep("quiet", null, minutesAgo(5), minutesAgo(9));
    await keep("own", "own", minutesAgo(2), null);
    await keep("own-just-read", "own", minutesAgo(0.2), null);
    await keep("empty-never-read", null, null, null);
    expect(await due()).toEqual(["moved", "own", "empty-never-read"]);
  });

  it("reads an empty history once, four at a time, and takes it for whole", async () => {
    for (let nth = 0; nth < 6; nth += 1) await keep(`empty-${nth}`, null, null, null);
    expect(await due()).toHaveLength(4);
    await db.delete(wallet);
    const one = await givenWallet();
    givenPages(() => []);
    await refreshHistory(watcher(), one);
    expect(await readingOf()).toMatchObject({ isWhole: true, unread: 0 });
    expect(await dueNetworks()).toEqual(["BSC", "POLYGON"]);
  });

  it("leaves a new deposit address to its events for a day", async () => {
    await keep("deposits", null, null, null);
    await db.update(wallet).set({ isForwardPayment: true, createdAt: minutesAgo(23 * 60) });
    expect(await due()).toEqual([]);
    await db.update(wallet).set({ createdAt: minutesAgo(25 * 60) });
    expect(await due()).toEqual(["deposits"]);
  });

  it("tries an empty history again after an hour", async () => {
    await keep("empty", null, null, null);
    await db
      .insert(chainReading)
      .values({ tenant: "aurora", walletId: "empty", network: "BITCOIN", triedAt: minutesAgo(59) });
    expect(await due()).toEqual([]);
    await db.update(chainReading).set({ triedAt: minutesAgo(61) });
    expect(await due()).toEqual(["empty"]);
  });

  it("reads histories named by an event with an unchanged balance", async () => {
    const { walletId, address } = await open();
    await sweepOnce(walletWatch, "aurora");
    expect(await due()).toEqual([]);
    await refreshBalance(watcher(), { walletId, address, network: "BSC" }, { isTold: true });
    expect(await due()).toEqual([walletId]);
  });

  it("retries unreadable histories once a minute", async () => {
    await keep("failed", null, minutesAgo(9), minutesAgo(5));
    await db.update(chainReading).set({ triedAt: minutesAgo(0.2) });
    expect(await due()).toEqual([]);
    await db.update(chainReading).set({ triedAt: minutesAgo(2) });
    expect(await due()).toEqual(["failed"]);
  });
});

const movement = (key: string, changes: Partial<ToldMovement> = {}): ToldMovement => ({
  key,
  hash: key,
  subtype: "outgoing",
  counterAddress: "x",
  amount: "1",
  blockNumber: null,
  status: null,
  spelling: key,
  time: { at: new Date(2_000), isCoarse: false },
  moved: null,
  fee: null,
  ...changes,
});

describe("the asset of a movement", () => {
  const usdt = { address: "t1", asset: "USDT" };
  const usdc = { address: "t2", asset: "USDC" };

  it("leaves the asset unknown when a provider ignores the requested token", () => {
    const all = [movement("a")];
    const told = attribute("ETHEREUM", all, [
      { token: usdt, movements: all },
      { token: usdc, movements: all },
    ]);
    expect(told).toMatchObject([{ key: "a", total: 1, shares: [] }]);
  });

  it("keeps each token's asset when two move alike in one transaction", () => {
    const told = attribute(
      "ETHEREUM",
      [movement("a"), movement("a")],
      [
        { token: usdt, movements: [movement("a")] },
        { token: usdc, movements: [movement("a")] },
      ],
    );
    expect(told).toMatchObject([
      {
        total: 2,
        shares: [
          { asset: "USDT", times: 1 },
          { asset: "USDC", times: 1 },
        ],
      },
    ]);
  });
});

const native = (amount: string, at: number) => ({ native: amount, nativeAt: new Date(at) });
const sent = (changes: Partial<ToldMovement> & { at?: Date } = {}) => ({
  ...movement("a"),
  network: "ETHEREUM" as const,
  tokenAddress: null,
  asset: null,
  at: new Date(2_000),
  ...changes,
});

describe("the derived fee", () => {
  it("derives the fee as the lost balance minus what was sent", () => {
    const fee = derivedFee(native("10.000000000000000003", 1_000), native("8.999999999999999", 3_000), [sent()]);
    expect(fee).toEqual({ hash: "a", fee: "0.000000000000001003" });
  });

  it("derives the fee as the whole loss for a token transfer", () => {
    const token = { ...sent({ amount: "500" }), tokenAddress: "t1" };
    expect(derivedFee(native("2", 1_000), native("1.75", 3_000), [token])).toEqual({ hash: "a", fee: "0.25" });
  });

  it("derives no fee for two transactions, or an unknown or outdated balance", () => {
    const before = native("10", 1_000);
    const after = native("8", 3_000);
    expect(derivedFee(before, after, [sent(), sent({ hash: "b" })])).toBeNull();
    expect(derivedFee(null, after, [sent()])).toBeNull();
    expect(derivedFee(before, after, [sent({ at: new Date(4_000) })])).toBeNull();
  });

  it("never derives a negative fee", () => {
    expect(derivedFee(native("10", 1_000), native("9.5", 3_000), [sent()])).toBeNull();
  });
});

const toldOf = (hash: string) => ({
  chain: "ETHEREUM",
  hash,
  address: "",
  blockNumber: 9,
  amount: "7",
  transactionSubtype: "incoming",
  counterAddress: `0x${"77".repeat(20)}`,
  timestamp: Date.now() - 60_000,
});

const isOf = (url: URL, token: string) => url.searchParams.get("tokenAddress") === token;

describe("a reading of few calls", () => {
  const USDT = { address: ETHEREUM_USDT, asset: "USDT" };
  const OTHER = { address: `0x${"0d".repeat(20)}`, asset: "DAI" };

  async function glance(tokens: readonly (typeof USDT)[], most: number, answer: (url: URL) => readonly object[]) {
    const { walletId, address } = await open();
    await sweepOnce(walletWatch, "aurora");
    let calls = 0;
    history = (url) => {
      calls += 1;
      return url.searchParams.get("page") === "0" ? answer(url) : [];
    };
    const allowances = allowancesFor(1 + tokens.length, most);
    const everything: Glance = { token: null, allowance: allowances.next() };
    const others = tokens.map((token): Glance => ({ token, allowance: allowances.next() }));
    const actor = actorOf("finance", randomUUID(), "wallets:read");
    const outcomes = await glanceAtHistory(actor, { walletId, address, network: "ETHEREUM" }, [everything, ...others]);
    return { outcomes, calls };
  }

  it("keeps a first page, names its token, and lets the watch go on", async () => {
    const answer = (url: URL) => (isOf(url, OTHER.address) ? [] : [toldOf("0x1")]);
    expect(await glance([USDT, OTHER], 3, answer)).toEqual({ outcomes: ["part", "part", "whole"], calls: 3 });
    expect(await stored()).toEqual([{ amount: "7", asset: "USDT", subtype: "incoming" }]);
    expect(await historiesDue(db, "aurora")).toEqual([]);
    await db.update(chainReading).set({ triedAt: new Date(0) });
    expect(await historiesDue(db, "aurora")).toMatchObject([{ network: "ETHEREUM" }]);
  });

  it("reads to the end with what is left of its calls", async () => {
    const answer = (url: URL) => (isOf(url, OTHER.address) ? [] : [toldOf("0x1")]);
    expect(await glance([USDT, OTHER], 5, answer)).toEqual({ outcomes: ["whole", "whole", "whole"], calls: 5 });
  });

  it("names no token for a provider that ignores them", async () => {
    const { calls } = await glance([USDT, OTHER], 3, () => [toldOf("0x1")]);
    expect([calls, await stored()]).toEqual([3, [{ amount: "7", asset: null, subtype: "incoming" }]]);
  });

  it("keeps what was read beside a query that fails, and tells that", async () => {
    const answer = (url: URL) => {
      if (isOf(url, OTHER.address)) throw new WireError("no-answer", true, "ECONNRESET");
      return isOf(url, USDT.address) ? [] : [toldOf("0x1")];
    };
    const { outcomes } = await glance([USDT, OTHER], 4, answer);
    expect(outcomes).toMatchObject(["whole", "whole", { kind: "unavailable" }]);
    expect(await stored()).toHaveLength(1);
  });
});

const listed = (id: string) => ({
  ...({ id, clientId: "aurora", network: "EVM", coin: "ETH", status: "ACTIVE", isForwardPayment: 0 } as const),
  address: `0x${id}`,
  createdAt: "2026-02-01",
});

it("stores histories beside new wallets, many at once", async () => {
  const ids = Array.from({ length: 6 }, (_, nth) => `old-${nth}`);
  await db.transaction((tx) => saveWallets(tx, "aurora", ids.map(listed)));
  let told = 0;
  history = () =>
    Array.from({ length: 20 }, (_, nth) => ({
      hash: `0x${told++}`,
      subtype: "incoming",
      amount: "1",
      counterAddress: `0xnew-${nth}`,
      blockNumber: 7,
      time: 1_770_000_000_000 + nth,
    }));
  for (let round = 0; round < 4; round += 1) {
    const storing = ids.map((walletId) =>
      refreshHistory(watcher(), { walletId, address: `0x${walletId}`, network: "ETHEREUM" }),
    );
    const learning = ids.map((_, nth) =>
      db.transaction((tx) => saveWallets(tx, "aurora", [`new-${round}-${nth}`, ...ids].map(listed))),
    );
    await Promise.all([...storing, ...learning]);
  }
  expect(await db.$count(chainMovement)).toBeGreaterThan(0);
});
