import { randomUUID } from "node:crypto";
import { and, eq, inArray, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { lookUp } from "@/lib/accounts/look-up";
import { ENTRY_TYPES } from "@/lib/contract/accounts";
import { type ChainFamily, FAMILY_NETWORKS } from "@/lib/contract/crypto";
import { watchActor } from "@/lib/permission/grant";
import { refreshHistory } from "@/lib/wallets/history";
import { isFamily } from "@/lib/wallets/inputs";
import { refreshBalance, saveWallets } from "@/lib/wallets/records";
import type { Tenant } from "@/service/tenants/load-tenants";
import { ETHEREUM_USDT, STRANGERS, walletsOf } from "@/test/support/service/crypto";
import { linesIn } from "@/test/support/movements";
import { asDocumented } from "@/test/support/wallets";
import { losslessNumber } from "@/lib/contract/json";
import type { Db } from "@/lib/db/connection";
import {
  bankAccount,
  chainEntry,
  ledgerAccount,
  ledgerAsset,
  ledgerEntry,
  ledgerMovement,
} from "@/service/store/schema";
import { otherProvider } from "@/test/other-provider";
import { bankAt } from "@/test/support/provider";
import { actorOf, givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { AURORA, type Harness, startService } from "@/test/support/service/harness";
import { type Account, openAccount, ted, transfer } from "@/test/support/service/transfers";
import { movementExport } from "@/lib/db/tables/movements";
import type { Totals } from "@/lib/db/enums/movements";
import { readChunks } from "./chunks";
import { MovementFilter } from "./inputs";
import { movementBatches } from "./list";
import { startMovementFile } from "./order";
import { CSV_COLUMNS } from "./sources";
import { summarizeMovements } from "./sums";
import { assetKeyOf, controlTotals } from "./totals";
import { movementsWatch } from "./watch";

const TENANTS = 200;
const PERIOD = { from: "2026-03-01", to: "2026-03-31" };

const tenants = Array.from({ length: TENANTS }, (_, n) => ({
  ...AURORA,
  clientId: `tenant-${n}`,
  clientSecret: `secret-${n}`,
  name: `Tenant ${n}`,
}));

/** Seeded random numbers: a linear congruential generator. */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor(state / 65_536) % below;
  };
}

const centsOf = (reais: string) => BigInt(reais.replace(".", ""));
const reaisOf = (cents: bigint) => `${cents / 100n}.${String(cents % 100n).padStart(2, "0")}`;
const MAX_DIGITS = 14;

function amountOf(next: (below: number) => number) {
  const digits = Array.from({ length: 1 + next(MAX_DIGITS) }, () => next(10)).join("");
  return losslessNumber(reaisOf(BigInt(digits) + 1n));
}

async function givenMoney(service: Harness, next: (below: number) => number, accounts: readonly Account[]) {
  const any = () => accounts[next(accounts.length)] ?? accounts[0];
  for (let n = 4 + next(8); n > 0; n -= 1) {
    const from = any();
    const to = any();
    if (from === undefined || to === undefined) return;
    const amount = amountOf(next);
    const act = next(4);
    if (act < 2) await service.control("POST", `/sandbox/bank-accounts/${from.accountId}/credit`, { amount });
    else if (act === 2) await transfer(service, [from, to], { amount, key: randomUUID() });
    else await ted(service, from, { amount, key: randomUUID() });
  }
  await service.advance(60_000);
}

type Sums = { count: number; in: bigint; out: bigint };
const add = (sums: Sums, units: bigint): Sums => ({
  count: sums.count + 1,
  in: sums.in + (units > 0n ? units : 0n),
  out: sums.out - (units < 0n ? units : 0n),
});
const NOTHING: Sums = { count: 0, in: 0n, out: 0n };

/** What the service's ledger moved for the holders, and their balances. */
async function ledgerOf(service: Harness, clientId: string): Promise<{ sums: Sums; balance: bigint }> {
  const { db } = service.call();
  const ofTenant = and(
    eq(ledgerAccount.assetId, "BRL"),
    inArray(
      ledgerAccount.holder,
      db
        .select({ holder: sql<string>`${bankAccount.id}::text` })
        .from(bankAccount)
        .where(eq(bankAccount.clientId, clientId)),
    ),
  );
  const accounts = await db.select().from(ledgerAccount).where(ofTenant);
  const entries = await db
    .select({ amount: ledgerEntry.amount })
    .from(ledgerEntry)
    .innerJoin(ledgerMovement, eq(ledgerMovement.id, ledgerEntry.movementId))
    .innerJoin(ledgerAccount, eq(ledgerAccount.id, ledgerEntry.accountId))
    .where(and(ofTenant, inArray(ledgerMovement.type, [...ENTRY_TYPES])));
  return {
    sums: entries.reduce((sums, { amount }) => add(sums, amount), NOTHING),
    balance: accounts.reduce((sum, { balance }) => sum + (balance ?? 0n), 0n),
  };
}

type CoinLine = Sums & { network: string; token: string | null; notWhole: number };
type CoinEntry = { network: string; token: string | null; side: string; amount: string };

const DECIMALS = 18;
const coinUnits = (amount: string) => {
  const [whole = "", fraction = ""] = amount.split(".");
  return BigInt(whole + fraction.padEnd(DECIMALS, "0"));
};

/** `gaps`: the number of unread histories on each network. */
function linesOf(entries: readonly CoinEntry[], gaps: Readonly<Record<string, number>>): CoinLine[] {
  const lines = new Map<string, CoinLine>();
  for (const { network, token, side, amount } of entries) {
    const key = `${network} ${token ?? ""}`;
    const before = lines.get(key) ?? { ...NOTHING, network, token, notWhole: gaps[network] ?? 0 };
    lines.set(key, { ...before, ...add(before, side === "in" ? coinUnits(amount) : -coinUnits(amount)) });
  }
  return [...lines.entries()].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, line]) => line);
}

const HEAD =
  /^# total \|.*\| count (\d+) \| in ([\d.]+) \| out ([\d.]+) \| unsigned 0 \| network (\w+) \| (?:token (\w+)|asset not told|only asset of the network|probably \w+: no token known)(?: \| not whole (\d+))?$/;

function readHead(line: string): CoinLine[] {
  const [all, count, came = "", out = "", network = "", token = null, notWhole = "0"] = HEAD.exec(line) ?? [];
  if (all === undefined) return [];
  return [
    { network, token, count: Number(count), in: coinUnits(came), out: coinUnits(out), notWhole: Number(notWhole) },
  ];
}

const at = (name: (typeof CSV_COLUMNS)[number]) => CSV_COLUMNS.indexOf(name);

/** The coin totals at the top of a file, and those of its rows. */
function readCoins(text: string, gaps: Readonly<Record<string, number>>): { head: CoinLine[]; rows: CoinLine[] } {
  const lines = linesIn(text);
  const entries = lines
    .filter((line) => line.startsWith('"wallet"'))
    .map((line) => line.split(",").map((cell) => cell.replaceAll('"', "")))
    .map((cells) => ({
      network: cells[at("network")] ?? "",
      token: cells[at("token_address")] || null,
      side: cells[at("direction")] ?? "",
      amount: cells[at("amount")] ?? "",
    }));
  const keyOf = ({ network, token }: CoinLine) => `${network} ${token ?? ""}`;
  const head = new Map<string, CoinLine>();
  // Entries without a token belong partly to the coin and partly to none.
  for (const one of lines.flatMap(readHead)) {
    const had = head.get(keyOf(one));
    const sum = had && { count: had.count + one.count, in: had.in + one.in, out: had.out + one.out };
    head.set(keyOf(one), { ...one, ...sum });
  }
  const sorted = [...head.values()].toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return { head: sorted, rows: linesOf(entries, gaps) };
}

/** The chains of the wallets that were read; the native coin is never named. */
async function chainOf(service: Harness, walletIds: readonly string[]): Promise<CoinEntry[]> {
  const { db: own } = service.call();
  const rows = await own
    .select({ entry: chainEntry, token: ledgerAsset.tokenAddress })
    .from(chainEntry)
    .innerJoin(ledgerAsset, eq(ledgerAsset.id, chainEntry.assetId))
    .where(inArray(chainEntry.walletId, [...walletIds, ""]));
  return rows.map(({ entry: { network, subtype, amount }, token }) => ({
    network,
    token,
    side: subtype === "incoming" ? "in" : "out",
    amount,
  }));
}

const FAMILIES = ["EVM", "EVM", "TRON", "BTC"] as const;
const PLACES: Readonly<Record<ChainFamily, number>> = { EVM: 18, TRON: 6, BTC: 8, SOLANA: 9, XRPL: 6 };
/** On Ethereum, two with the same name. */
const TOKENS = [ETHEREUM_USDT, `0x${"ab".repeat(20)}`];

/** Returns the wallets read, and the number of unread histories on each network. */
async function givenCoins(tenant: Tenant, next: (below: number) => number) {
  const wallets = walletsOf(service, tenant);
  for (let n = 1 + next(3); n > 0; n -= 1) await wallets.create(FAMILIES[next(FAMILIES.length)] ?? "EVM");
  const opened = await wallets.list("?limit=500");
  const listed = opened.flatMap((one) => ("unread" in one || !isFamily(one.network) ? [] : [one]));
  for (const { address, network: family } of listed) {
    if (!isFamily(family)) continue;
    for (let n = 2 + next(4); n > 0; n -= 1) {
      const networks = FAMILY_NETWORKS[family];
      const network = networks[next(networks.length)] ?? "ETHEREUM";
      const token = network === "ETHEREUM" ? TOKENS[next(TOKENS.length + 1)] : undefined;
      const decimals = token === undefined ? PLACES[family] : 6;
      const units = String(1 + next(30_000)).padStart(decimals, String(1 + next(9)));
      const ofToken = token !== undefined && { tokenAddress: token, symbol: "USDT", decimals };
      await wallets.deposit({ network, address, amount: `${1 + next(9)}.${units}`, ...ofToken });
      const to = STRANGERS[network];
      const sent = { network, fromAddress: address, to, amount: "0.00001", ...(token && { tokenAddress: token }) };
      if (next(2) === 0) await wallets.transfer(sent);
    }
  }
  await db.transaction((tx) => saveWallets(tx, tenant.clientId, listed));
  const watcher = watchActor("wallets", tenant.clientId, "wallets:read");
  const gaps: Record<string, number> = {};
  const [skipped, ...others] = listed;
  const isSkipped = next(3) === 0;
  const read = isSkipped || skipped === undefined ? others : listed;
  for (const one of listed) {
    for (const network of isFamily(one.network) ? FAMILY_NETWORKS[one.network] : []) {
      const place = { walletId: one.id, address: one.address, network };
      if (!read.includes(one)) gaps[network] = (gaps[network] ?? 0) + 1;
      else {
        await refreshBalance(watcher, place);
        await refreshHistory(watcher, place);
        // Repeated answers are stored once.
        if (next(4) === 0) await refreshHistory(watcher, place);
      }
    }
  }
  return { read: read.map(({ id }) => id), gaps };
}

/** The totals of a file's rows, and those at its top. */
function readFile(text: string): { rows: Sums; head: string | undefined; unread: string | undefined } {
  const lines = linesIn(text);
  const rows = lines
    .filter((line) => line.startsWith('"account"'))
    .map((line) => line.split(","))
    .map((cells) => centsOf(cells[at("amount")] ?? "") * (cells[at("direction")] === '"in"' ? 1n : -1n))
    .reduce(add, NOTHING);
  return {
    rows,
    head: lines.find((line) => line.startsWith("# total | BRL")),
    unread: lines.find((line) => line.startsWith("# unread")),
  };
}

const headOf = (sums: Sums) =>
  sums.count === 0
    ? undefined
    : `# total | BRL | count ${sums.count} | in ${reaisOf(sums.in)} | out ${reaisOf(sums.out)} | unsigned 0`;

let service: Harness;
let staffId = "";
let db: Db;

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  staffId = await givenStaff(db, "finance");
});

const CHAIN_HISTORY = /\/crypto\/wallets\/[^/]+\/history/;

/** Asset and fee are never named; every third provider returns its first page for any number. */
async function givenTenants(): Promise<void> {
  const coins = { SERVICE_HOLD_FROM_COINS: "1000000000000", SERVICE_BLOCK_FROM_COINS: "1000000000000" };
  service = await startService({ tenants, environment: { ...coins, SERVICE_RATE_LIMIT_PER_MINUTE: "1000000" } });
  const clock = { now: () => service.clock.now(), sleep: async () => {} };
  globalThis.retaguardaBanks = new Map(
    tenants.map((tenant, n) => {
      const strange = otherProvider((request) => service.app.request(request), { history: { pageSize: 1 + (n % 5) } });
      const serve = async (request: Request) => {
        if (!CHAIN_HISTORY.test(request.url)) return strange(request);
        const again = new URL(request.url);
        if (n % 3 === 1) again.searchParams.set("page", "0");
        return asDocumented(request, await strange(new Request(again, request)));
      };
      return [tenant.clientId, bankAt({ tenant, serve, clock })];
    }),
  );
}

async function exportOf(tenant: string): Promise<AsyncGenerator<Uint8Array>> {
  const id = randomUUID();
  const order = { ...PERIOD, format: "csv", scope: "all", names: "", id } as const;
  await startMovementFile(actorOf("finance", staffId, "statement:export", tenant), order);
  while ((await movementsWatch.sweep(tenant)) === "unfinished");
  return readChunks({ tenant, exportId: id });
}

async function fileOf(tenant: string): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of await exportOf(tenant)) pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8");
}

/** What the screen lists and adds up, by asset: the rows one by one, and the sums of the store. */
async function listOf(tenant: string): Promise<Totals> {
  const reader = { tenant, roles: ["finance"] } as const;
  const rows = controlTotals();
  for await (const batch of movementBatches(db, reader, MovementFilter.parse(PERIOD), 40))
    for (const { coin, isExact, standing, direction, amount } of batch) {
      const isMoved = isExact && standing === "booked" && direction !== null;
      rows.count({ ...(coin && { coin }), moved: isMoved ? { side: direction, amount } : null });
    }
  const { assets } = await summarizeMovements(reader, PERIOD);
  expect(rows.totals()).toEqual(
    Object.fromEntries(assets.map(({ key: _key, types: _types, ...totals }) => [assetKeyOf(totals.coin), totals])),
  );
  return rows.totals();
}

async function totalsOf(tenant: string): Promise<Totals> {
  const [file] = await db.select().from(movementExport).where(eq(movementExport.tenant, tenant));
  const told = Object.entries(file?.totals ?? {});
  return Object.fromEntries(told.map(([key, { notWhole: _notWhole, ...totals }]) => [key, totals]));
}

describe("the control totals of a file", () => {
  it(`equal its rows and the service's ledgers for ${TENANTS} seeded tenants`, { timeout: 900_000 }, async () => {
    await givenTenants();
    const seen = { entries: 0, moves: 0, tokens: 0, gaps: 0 };
    for (const [seed, tenant] of tenants.entries()) {
      const next = seeded(seed + 1);
      const accounts: Account[] = [];
      for (let n = 1 + next(3); n > 0; n -= 1) accounts.push(await openAccount(service, { tenant }));
      await givenMoney(service, next, accounts);
      const reader = actorOf("finance", staffId, "accounts:read", tenant.clientId);
      for (const { onBoardingId } of accounts) await lookUp(reader, { query: onBoardingId });
      const { read, gaps } = await givenCoins(tenant, next);
      const text = await fileOf(tenant.clientId);
      const { rows, head, unread } = readFile(text);
      const ledger = await ledgerOf(service, tenant.clientId);
      expect({ seed, rows, head, unread }).toEqual({
        seed,
        rows: ledger.sums,
        head: headOf(ledger.sums),
        unread: `# unread | ${Object.values(gaps).reduce((sum, count) => sum + count, 0)}`,
      });
      expect(rows.in - rows.out).toBe(ledger.balance);
      expect(await listOf(tenant.clientId)).toEqual(await totalsOf(tenant.clientId));
      const chain = await chainOf(service, read);
      const lines = linesOf(chain, gaps);
      expect({ seed, ...readCoins(text, gaps) }).toEqual({ seed, head: lines, rows: lines });
      seen.entries += rows.count;
      seen.moves += chain.length;
      seen.tokens += lines.filter(({ token }) => token !== null).length;
      seen.gaps += lines.filter(({ notWhole }) => notWhole > 0).length;
    }
    console.log(`${TENANTS} tenants, ${JSON.stringify(seen)}`);
    expect(Object.values(seen).every((count) => count > 0)).toBe(true);
  });
});
