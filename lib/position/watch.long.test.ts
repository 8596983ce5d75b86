import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { and, eq, inArray } from "drizzle-orm";
import { afterEach, expect, it, vi } from "vitest";
import { type ChainFamily, CHAIN_FAMILIES, FAMILY_NETWORKS, type Network } from "@/lib/contract/crypto";
import { losslessNumber } from "@/lib/contract/json";
import { dataKeyFiles } from "@/lib/settings/keys";
import { account } from "@/lib/db/tables/customers";
import { sealDocument } from "@/lib/db/document";
import { type Db, openStore } from "@/lib/db/connection";
import { decimalOf, unitsOf } from "@/lib/text/decimal";
import { civilDay, civilInstant } from "@/lib/text/time";
import { saveWallets } from "@/lib/wallets/records";
import { wallet } from "@/lib/db/tables/wallets";
import { fromUnits } from "@/service/ledger/account";
import { ledgerAccount, ledgerAsset } from "@/service/store/schema";
import type { Tenant } from "@/service/tenants/load-tenants";
import { answerBalance, balanceAsked, givenSubjects } from "@/test/support/position";
import { bankAt } from "@/test/support/provider";
import { budgetFixture, busiestMinute, leftAt, MINUTE_MS, SECOND_MS } from "@/test/support/provider-budget";
import { givenEnv, givenStore } from "@/test/support/console";
import { ETHEREUM_USDT, walletsOf } from "@/test/support/service/crypto";
import { AURORA, type Harness, startService } from "@/test/support/service/harness";
import { unpackDump } from "@/test/support/service/store";
import { openAccount, transfer } from "@/test/support/service/transfers";
import { dumpFile } from "@/test/support/store-dump";
import { positionReading, positionRound, positionSum } from "@/lib/db/tables/position";
import { differenceOf } from "./sum";
import type { PositionKind } from "@/lib/db/enums/position";
import { readOn } from "./watch";

const TENANTS = Number(process.env["POSITION_TENANTS"] ?? 200);
const SEED = Number(process.env["POSITION_SEED"] ?? Date.now() % 2 ** 31);
const FIRST = new Date("2026-03-11T15:00:00Z");
const SECOND = new Date("2026-03-12T15:00:00Z");

let service: Harness;
let db: Db;
let asked: string[] = [];
/** The process dies after this many balance requests. */
let killAfter: number | null = null;

const balancesAsked = () => asked.filter((url) => url.includes("/balance")).length;

afterEach(() => vi.useRealTimers());

async function givenTenants(ids: readonly string[]): Promise<Tenant[]> {
  const tenants = ids.map((clientId): Tenant => ({ ...AURORA, clientId, webhook: null, name: clientId }));
  const [aurora] = givenEnv().tenants;
  if (aurora === undefined) throw new Error("there is no tenant");
  const [first, ...others] = tenants.map(({ clientId, name }) => ({ ...aurora, clientId, name }));
  if (first === undefined) throw new Error("no tenant was asked for");
  givenEnv({ tenants: [first, ...others] });
  db = await givenStore();
  service = await startService({ tenants });
  let sleptMs = 0;
  const clock = {
    now: () => Date.now() + sleptMs,
    sleep: async (ms: number) => {
      sleptMs += ms;
    },
  };
  const serve = (request: Request) => {
    asked.push(request.url);
    if (killAfter !== null && balancesAsked() > killAfter) throw new Error("killed");
    return service.app.request(request);
  };
  globalThis.retaguardaBanks = new Map(tenants.map((tenant) => [tenant.clientId, bankAt({ tenant, serve, clock })]));
  return tenants;
}

async function givenAccount(tenant: Tenant, reais: number) {
  const opened = await openAccount(service, { tenant, reais });
  const ref = randomUUID();
  const document = sealDocument({ table: "account", id: ref }, opened.documentNumber);
  const named = { accountId: opened.accountId, branch: "0001", number: "1", firstSeenAt: new Date() };
  await db.insert(account).values({ tenant: tenant.clientId, ref, ...named, ...document });
  return opened;
}

/** Odd numbers down to the last unit, which any rounding would change. */
const units = fc.oneof(fc.bigInt(0n, 10n ** 6n), fc.bigInt(10n ** 28n, 10n ** 29n)).map((one) => one * 10n + 1n);
const cents = fc.integer({ min: 1, max: 10_000_000_00 });
const life = fc.record({
  accounts: fc.array(cents, { minLength: 1, maxLength: 2 }),
  holds: fc.boolean(),
  wallets: fc.array(
    fc.record({
      family: fc.constantFrom(...CHAIN_FAMILIES),
      isForward: fc.boolean(),
      hasUser: fc.boolean(),
      network: fc.nat(2),
      coins: units,
      tokens: fc.option(units),
    }),
    { minLength: 1, maxLength: 2 },
  ),
  laterCents: cents,
  laterUnits: units,
});
type Life = typeof life extends fc.Arbitrary<infer One> ? One : never;

const NATIVE_DECIMALS: Readonly<Record<Network, number>> = {
  ETHEREUM: 18,
  POLYGON: 18,
  BSC: 18,
  BITCOIN: 8,
  TRON: 6,
  SOLANA: 9,
  XRPL: 6,
};

const networkOf = (family: ChainFamily, nth: number): Network => {
  const networks = FAMILY_NETWORKS[family];
  const network = networks[nth % networks.length];
  if (network === undefined) throw new Error(`${family} has no network`);
  return network;
};

async function live(tenant: Tenant, { accounts, holds, wallets }: Life) {
  const desk = walletsOf(service, tenant);
  const opened = [];
  for (const held of accounts) {
    const one = await givenAccount(tenant, 20_000);
    const path = `/sandbox/bank-accounts/${one.accountId}/credit`;
    await service.control("POST", path, { amount: losslessNumber(fromUnits(BigInt(held), 2)) });
    opened.push(one);
  }
  const [from, to] = opened;
  if (holds && from !== undefined && to !== undefined) await transfer(service, [from, to], { amount: 10_000 });
  const deposited = [];
  for (const { family, isForward, hasUser, network: nth, coins, tokens } of wallets) {
    const wishes = { isForwardPayment: isForward ? 1 : 0, ...(hasUser && { userId: "usr-1" }) };
    const { address } = await desk.create(family, wishes);
    const network = networkOf(family, nth);
    await desk.deposit({ network, address, amount: fromUnits(coins, NATIVE_DECIMALS[network]) });
    if (network === "ETHEREUM" && tokens !== null) {
      const amount = fromUnits(tokens, 6);
      await desk.deposit({ network, address, tokenAddress: ETHEREUM_USDT, amount });
    }
    deposited.push({ network, address });
  }
  await db.transaction(async (tx) => saveWallets(tx, tenant.clientId, await desk.list("?limit=100")));
  const [placed] = deposited;
  if (from === undefined || placed === undefined) throw new Error("a life holds something");
  return { accountId: from.accountId, placed };
}

type Lived = Awaited<ReturnType<typeof live>>;
type Sums = Readonly<Record<string, string>>;

const keyOf = (...parts: readonly (string | null)[]) => parts.map((part) => part ?? "").join(" ");

/** The service's own ledger, under the names of our sums; empty ones apart. */
async function ledgerOf({ clientId }: Tenant): Promise<Sums> {
  const accounts = await db.select().from(account).where(eq(account.tenant, clientId));
  const wallets = await db.select().from(wallet).where(eq(wallet.tenant, clientId));
  const kinds = new Map<string, PositionKind>(accounts.map(({ accountId }) => [accountId, "account"]));
  for (const { id, isForwardPayment, userId } of wallets)
    kinds.set(id, isForwardPayment === true ? "checkout" : userId === null ? "untold" : "customer");
  const rows = await service.app.service.db
    .select()
    .from(ledgerAccount)
    .innerJoin(ledgerAsset, eq(ledgerAsset.id, ledgerAccount.assetId))
    .where(inArray(ledgerAccount.holder, [...kinds.keys()]));
  const sums = new Map<string, bigint>();
  for (const { ledger_account: held, ledger_asset: asset } of rows) {
    const kind = kinds.get(held.holder) ?? "untold";
    const key = keyOf(kind, asset.network, asset.symbol, asset.tokenAddress, held.kind);
    sums.set(key, (sums.get(key) ?? 0n) + unitsOf(fromUnits(held.balance ?? 0n, asset.decimals)));
  }
  return Object.fromEntries([...sums].flatMap(([key, sum]) => (sum === 0n ? [] : [[key, decimalOf(sum)]])));
}

async function sumsOf({ clientId }: Tenant, day: string): Promise<Sums> {
  const isOfDay = and(eq(positionSum.tenant, clientId), eq(positionSum.day, day));
  const rows = await db.select().from(positionSum).where(isOfDay);
  expect(rows.filter(({ unread }) => unread > 0)).toEqual([]);
  return Object.fromEntries(
    rows.flatMap(({ kind, network, asset, token, part, amount }) => {
      const sum = unitsOf(amount ?? "");
      return sum === 0n ? [] : [[keyOf(kind, network, asset, token, part), decimalOf(sum)]];
    }),
  );
}

/** Deposits between two days. */
async function receive(tenant: Tenant, { laterCents, laterUnits }: Life, { accountId, placed }: Lived) {
  const reais = fromUnits(BigInt(laterCents), 2);
  await service.control("POST", `/sandbox/bank-accounts/${accountId}/credit`, { amount: losslessNumber(reais) });
  const coins = fromUnits(laterUnits, NATIVE_DECIMALS[placed.network]);
  await walletsOf(service, tenant).deposit({ ...placed, amount: coins });
  return [reais, coins].map((one) => decimalOf(unitsOf(one)));
}

it(`sums ledger and chain of ${TENANTS} tenants exactly, and their changes`, async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: FIRST });
  const lives = fc.sample(life, { seed: SEED, numRuns: TENANTS });
  const tenants = await givenTenants(lives.map((_, nth) => `tenant-${nth}`));
  const lived: Lived[] = [];
  for (const [nth, tenant] of tenants.entries()) {
    const one = lives[nth];
    if (one !== undefined) lived.push(await live(tenant, one));
  }
  for (const tenant of tenants) {
    await readOn(tenant.clientId, 600_000);
    expect([SEED, await sumsOf(tenant, civilDay(FIRST))]).toEqual([SEED, await ledgerOf(tenant)]);
  }
  vi.setSystemTime(SECOND);
  let compared = 0;
  for (const [nth, tenant] of tenants.entries()) {
    const one = lives[nth];
    const place = lived[nth];
    if (one === undefined || place === undefined) continue;
    const came = await receive(tenant, one, place);
    await readOn(tenant.clientId, 600_000);
    const before = await sumsOf(tenant, civilDay(FIRST));
    const now = await sumsOf(tenant, civilDay(SECOND));
    expect([SEED, now]).toEqual([SEED, await ledgerOf(tenant)]);
    const changed = Object.keys(now).filter((key) => now[key] !== before[key]);
    const differences = changed.map((key) => differenceOf(now[key] ?? null, before[key] ?? "0.00"));
    expect([differences.length, new Set(differences)]).toEqual([came.length, new Set(came)]);
    compared += Object.keys(before).length + Object.keys(now).length;
  }
  console.info(
    `position: ${TENANTS} tenants, ${compared} sums of two days equal to the ledger (POSITION_SEED=${SEED})`,
  );
});

const DAYS = 400;

function moveTo(ms: number): void {
  vi.setSystemTime(ms);
  service.clock.set(ms);
}

it(`reads each account once a day for ${DAYS} days, despite interruptions`, async () => {
  // Clocks changed in between, and one day had no midnight.
  const start = Date.parse("2017-09-15T12:00:00Z");
  vi.useFakeTimers({ toFake: ["Date"], now: start });
  const [tenant] = await givenTenants(["aurora"]);
  if (tenant === undefined) throw new Error("there is no tenant");
  moveTo(start);
  for (const reais of [10, 20, 30]) await givenAccount(tenant, reais);
  const desk = walletsOf(service, tenant);
  await desk.create("BTC");
  await db.transaction(async (tx) => saveWallets(tx, "aurora", await desk.list()));
  const places = 4;
  const days: string[] = [];
  let broken = 0;
  for (let nth = 0; nth < DAYS; nth += 1) {
    const day = civilDay(new Date(start + nth * 86_400_000));
    days.push(day);
    const midnight = civilInstant(`${day}T00:00:00`).getTime();
    const opens = Number.isNaN(midnight) ? civilInstant(`${day}T01:00:00`).getTime() : midnight;
    asked = [];
    moveTo(opens - 1_000);
    if (nth > 0) await readOn("aurora", 60_000);
    expect([day, balancesAsked()]).toEqual([day, 0]);
    moveTo(opens);
    const isBroken = nth % 3 === 0;
    killAfter = isBroken ? 1 : null;
    const end = await readOn("aurora", 60_000).catch((error: unknown) => String(error));
    killAfter = null;
    expect([day, end]).toEqual([day, isBroken ? "Error: killed" : "done"]);
    broken += Number(isBroken);
    for (const minutes of [5, 12 * 60, 22 * 60 + 50]) {
      moveTo(opens + minutes * 60_000);
      await readOn("aurora", 60_000);
    }
    expect([day, balancesAsked()]).toEqual([day, places + Number(isBroken)]);
  }
  const rounds = await db.select().from(positionRound).orderBy(positionRound.day);
  expect(rounds.map(({ day }) => day)).toEqual(days);
  expect(rounds.filter(({ tried, total, failed }) => tried !== places || total !== places || failed !== 0)).toEqual([]);
  expect(await db.$count(positionReading)).toBe(DAYS * places);
  const sums = await db
    .select({ amount: positionSum.amount })
    .from(positionSum)
    .where(and(eq(positionSum.asset, "BRL"), eq(positionSum.part, "available")));
  expect(sums.filter(({ amount }) => Number(amount) !== 60)).toEqual([]);
  console.info(`position: ${DAYS} days, ${broken} broken off, ${DAYS * places} readings, none twice`);
});

const HELD = { accounts: 2_000, wallets: 2_000 };

/** 60 reads and 48 writes a minute, some together, within the budget's share for each. */
async function workOn(fixture: ReturnType<typeof budgetFixture>, isDone: () => boolean): Promise<void> {
  const [instants] = fc.sample(fc.infiniteStream(fc.nat(5 * SECOND_MS - 1)), { seed: SEED, numRuns: 1 });
  for (let fromMs = 0; !isDone(); fromMs += 5 * SECOND_MS) {
    const within = Array.from({ length: 5 }, () => Number(instants?.next().value)).toSorted(
      (one, other) => one - other,
    );
    for (const [nth, ms] of within.entries()) {
      await fixture.moveTo(fromMs + ms);
      const who = { person: `person-${nth}`, instance: nth % 2 };
      fixture.ask("people", who);
      if (nth > 0) fixture.ask("money", who);
    }
  }
}

async function readAll(): Promise<void> {
  while ((await readOn("aurora", 30_000)) === "unfinished");
}

it("reads 2,000 accounts and 2,000 wallets in budget while no person's call waits", async () => {
  givenEnv();
  db = await givenStore();
  await givenSubjects(db, HELD);
  let isBusy = true;
  const fixture = budgetFixture(db, { instances: 2, isBusy: () => isBusy });
  vi.useFakeTimers({ toFake: ["Date"], now: fixture.storeTime() });
  const own = fixture.budget(0);
  const admit: typeof own.admit = async (...asking) => {
    isBusy = false;
    const admission = await own.admit(...asking);
    isBusy = true;
    vi.setSystemTime(fixture.storeTime());
    return admission;
  };
  const sent = new Map<string, number[]>();
  const serve = ({ url }: Request) => {
    const named = balanceAsked(url);
    if (named !== null) sent.set(named, [...(sent.get(named) ?? []), fixture.now()]);
    return Response.json(answerBalance(url), { status: named === null ? 201 : 200 });
  };
  const clock = { now: fixture.now, sleep: () => Promise.reject(new Error("nothing is tried again")) };
  globalThis.retaguardaBanks = new Map([
    ["aurora", bankAt({ tenant: AURORA, serve, clock, budget: { ...own, admit } })],
  ]);
  let endedMs: number | null = null;
  const reading = readAll().finally(() => {
    isBusy = false;
    endedMs = fixture.now();
  });
  await workOn(fixture, () => endedMs !== null);
  await fixture.settle();
  await reading;

  expect([sent.size, [...sent.values()].filter(({ length }) => length !== 1)]).toEqual([4_000, []]);
  const [round] = await db.select().from(positionRound);
  expect(round).toMatchObject({ total: 4_000, tried: 4_000, failed: 0, finishedAt: expect.any(Date) });
  const late = fixture.outcomes.filter(({ askedAtMs, endedAtMs, refusal }) => refusal || endedAtMs !== askedAtMs);
  expect([SEED, late]).toEqual([SEED, []]);
  const busiest = busiestMinute([...sent.values()].flat().concat(leftAt(fixture.outcomes)));
  expect(busiest).toBeLessThanOrEqual(180);
  const minutes = (Number(endedMs) / MINUTE_MS).toFixed(1);
  console.info(
    `position: 4000 balances in ${minutes} minutes beside ${fixture.outcomes.length} calls of people, none late; ` +
      `${busiest} calls in the busiest minute (POSITION_SEED=${SEED})`,
  );
}, 600_000);

const KILLS = 8;

/** Reads until the round is over, on a day without a midnight during the test. */
const PROCESS = `import { mock } from "node:test";
  import { readOn } from "@/lib/position/watch";
  mock.timers.enable({ apis: ["Date"], now: ${FIRST.getTime()} });
  const end = await readOn("aurora", 600_000);
  process.exit(end === "done" ? 0 : 1);`;

/** A provider on a port that counts the balances requested, and kills the requesting process at some. */
async function startProvider() {
  const named: string[] = [];
  const provider = {
    named,
    origin: "",
    strike: (_nth: number, _send: () => void): void => {},
    close: () => server.close().closeAllConnections(),
  };
  const server = createServer(({ url = "" }, response: ServerResponse) => {
    const asking = balanceAsked(url);
    const send = () =>
      response
        .writeHead(asking === null ? 201 : 200, { "content-type": "application/json" })
        .end(JSON.stringify(answerBalance(url)));
    if (asking === null) return send();
    named.push(asking);
    provider.strike(named.length, send);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  provider.origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  return provider;
}

it(`asks for each balance once over ${KILLS} kills, except the one in flight`, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "position-"));
  const held = { accounts: 120, wallets: 60 };
  givenEnv({ dataDir, dataKeys: dataKeyFiles(dataDir), hasKeyFiles: true });
  unpackDump(dumpFile(), join(dataDir, "console/pg"));
  const seeded = await openStore({ databaseUrl: null, dataDir });
  await givenSubjects(seeded.db, held);
  await seeded.close();
  const provider = await startProvider();
  const bank = { BANK_BASE_URL: provider.origin, BANK_CLIENT_ID: "aurora", BANK_CLIENT_SECRET: "secret" };
  const own = { DATA_DIR: dataDir, BANK_CALLS_PER_MINUTE: "100000", NODE_ENV: "test" as const };
  const program = [
    "--no-warnings",
    "--conditions=react-server",
    "--import",
    "tsx",
    "--input-type=module",
    "--eval",
    PROCESS,
  ];

  const inFlight: string[] = [];
  for (let killed = 0; killed <= KILLS; killed += 1) {
    const env = { PATH: process.env["PATH"], ...bank, ...own };
    const child = spawn(process.execPath, program, { env, stdio: ["ignore", "ignore", "inherit"] });
    const last = provider.named.length + 20;
    provider.strike = (nth, send) => {
      if (killed === KILLS || nth < last) return send();
      // Every second one gets an answer first, so the process dies anywhere after it.
      inFlight.push(provider.named.at(-1) ?? "");
      if (killed % 2 === 0) send();
      child.kill("SIGKILL");
    };
    await once(child, "exit");
    expect([killed, child.signalCode, child.exitCode]).toEqual(
      killed === KILLS ? [killed, null, 0] : [killed, "SIGKILL", null],
    );
  }
  provider.close();
  const opened = await openStore({ databaseUrl: null, dataDir });
  const rows = await opened.db.select().from(positionReading);
  const [round] = await opened.db.select().from(positionRound);
  await opened.close();
  rmSync(dataDir, { recursive: true });

  const subjects = new Set(provider.named);
  const again = provider.named.filter((one, nth) => provider.named.indexOf(one) !== nth);
  expect(subjects.size).toBe(held.accounts + held.wallets);
  expect(again.filter((one, nth) => !inFlight.includes(one) || again.indexOf(one) !== nth)).toEqual([]);
  expect(rows.map(({ attempts, readAt }) => [attempts, readAt !== null])).toEqual(rows.map(() => [1, true]));
  expect(round).toMatchObject({ total: subjects.size, tried: subjects.size, failed: 0, finishedAt: expect.any(Date) });
  console.info(
    `position: ${subjects.size} balances over ${KILLS} kills, asked for ${provider.named.length} times; ` +
      `twice only what was in flight at a kill: ${again.join(", ")}`,
  );
}, 600_000);
