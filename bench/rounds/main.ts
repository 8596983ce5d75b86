import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { budgetFixture } from "@/test/support/bank-budget";
import { BankError } from "@/lib/bank/answer";
import type { Bank } from "@/lib/bank/client";
import type { Lane } from "@/lib/bank/budget";
import { CHAIN_FAMILIES, FAMILY_NETWORKS } from "@/lib/contract/crypto";
import { KYC_PROCESSES } from "@/lib/contract/kyc";
import { kycWatch } from "@/lib/kyc/watch";
import { createListing, ORDERS } from "@/test/support/kyc-list";
import type { Watch } from "@/lib/process/watch";
import { readEnv, takeEnv } from "@/lib/settings/env";
import { type Db, openStore } from "@/lib/store/store";
import { walletWatch } from "@/lib/wallets/watch";
import { runProgram, say } from "@/scripts/program.mjs";

const TENANT = "bench";
const START_MS = Date.now();
const ANSWER_MS = 150;
const INTERVAL_MS = 30_000;
const MINUTE_MS = 60_000;
const MOST_MINUTES = 120;

/** Time that moves when told; it is the whole process's. */
function holdTime(): { moveTo: (ms: number) => void } {
  let nowMs = START_MS;
  const now = () => nowMs;
  globalThis.Date = new Proxy(Date, {
    construct: (Real, given: []) => (given.length === 0 ? new Real(nowMs) : new Real(...given)),
    get: (Real, name) => (name === "now" ? now : Reflect.get(Real, name)),
  });
  return { moveTo: (ms) => (nowMs = START_MS + ms) };
}

type Asked = { lane: Lane; withinMs: number; isPatient: boolean };

/** The clock goes on when everybody who is at work waits for a place, an answer, or their next sweep. */
function createWorld(db: Db) {
  const time = holdTime();
  const fixture = budgetFixture(db);
  let [nowMs, working] = [0, 0];
  let alarms: { atMs: number; ring: () => void }[] = [];

  const until = (atMs: number) =>
    new Promise<void>((resolve) => {
      working -= 1;
      alarms.push({
        atMs,
        ring: () => {
          working += 1;
          resolve();
        },
      });
    });

  async function admit({ lane, withinMs, isPatient }: Asked): Promise<void> {
    working -= 1;
    try {
      await fixture.budget(0).admit(lane, nowMs + withinMs, { isPatient });
    } finally {
      working += 1;
    }
  }

  async function advance(): Promise<void> {
    await fixture.settle();
    if (working > 0) return advance();
    const second = (Math.floor(nowMs / 250) + 1) * 250;
    nowMs = Math.min(second, ...alarms.map(({ atMs }) => Math.max(atMs, nowMs)));
    time.moveTo(nowMs);
    await fixture.moveTo(nowMs);
    const due = alarms.filter(({ atMs }) => atMs <= nowMs);
    alarms = alarms.filter(({ atMs }) => atMs > nowMs);
    for (const { ring } of due) ring();
  }

  const begin = (work: () => Promise<unknown>) => {
    working += 1;
    void work().finally(() => (working -= 1));
  };
  return { fixture, admit, until, advance, begin, nowMs: () => nowMs };
}
type World = ReturnType<typeof createWorld>;

type Provider = (path: string, query: Record<string, unknown>, params: Record<string, string>) => Promise<unknown>;

const unasked = () => Promise.reject(new BankError("unavailable"));

function connect(world: World, provider: Provider, calls: Map<string, number>): void {
  const get: Bank["get"] = async (actor, operation, { query = {}, params = {}, isPatient = false } = {}) => {
    await world.admit({ lane: actor.isWatch ? "watchers" : "people", withinMs: 87_000, isPatient });
    calls.set(operation.path, (calls.get(operation.path) ?? 0) + 1);
    const answer = await provider(operation.path, query, params);
    await world.until(world.nowMs() + ANSWER_MS);
    return { answer: operation.answer.parse(answer), text: "", asOf: new Date(), requestId: "" };
  };
  globalThis.retaguardaBanks = new Map([[TENANT, { get, post: unasked, standing: unasked }]]);
}

/** As the watches' turns do it, but that the store keeps no schedule. */
const sweepOn = (world: World, watch: Watch) => async () => {
  for (;;) {
    const begunMs = world.nowMs();
    const end = await watch.sweep(TENANT).catch((error: unknown) => {
      if (!(error instanceof BankError)) throw error;
    });
    await world.until(end === "unfinished" ? world.nowMs() + 10 : Math.max(world.nowMs() + 10, begunMs + INTERVAL_MS));
  }
};

/** People who look at something so often, evenly. */
const people = (world: World, aMinute: number) => async () => {
  if (aMinute === 0) return;
  for (let nth = 1; ; nth += 1) {
    await world.until((nth * MINUTE_MS) / aMinute);
    world.fixture.ask("people");
  }
};

type Case = { wallets: number; cases: number; peopleAMinute: number };

const familyOf = (nth: number) => CHAIN_FAMILIES[nth % CHAIN_FAMILIES.length] ?? "EVM";

function providerOf({ wallets, cases }: Case): Provider {
  const list = Array.from({ length: wallets }, (_, nth) => ({
    id: `w-${nth}`,
    clientId: TENANT,
    network: familyOf(nth),
    address: `a-${nth}`,
    coin: "BTC",
    status: "ACTIVE",
    isForwardPayment: 0,
    createdAt: "2026-01-01T00:00:00Z",
  }));
  const kyc = createListing({
    size: 25,
    first: 1,
    paging: "kept",
    beyond: "empty",
    overlap: 0,
    order: ORDERS.newest,
    totals: "pages",
  });
  for (let age = 1; age <= cases; age += 1)
    for (const process of KYC_PROCESSES)
      kyc.records.push({ kycUUID: `c-${age}`, process, age, movedAt: 0, status: "APPROVED" });
  return async (path, query, { address = "" }) => {
    const number = (name: string) => (query[name] === undefined ? undefined : Number(query[name]));
    if (path === "/v1/crypto/wallets") {
      const offset = number("offset") ?? 0;
      return { message: "", data: list.slice(offset, offset + (number("limit") ?? 100)) };
    }
    if (path.endsWith("/balance")) {
      const nth = Number(address.slice(2));
      const balance = nth % 3 === 0 ? "0.5" : "0";
      return { message: "", data: [{ asset: "BTC", type: "native", balance, decimals: 8 }] };
    }
    const page = number("page");
    return kyc.ask(page === undefined ? {} : { page });
  };
}

const minutes = (ms: number) => `${(ms / MINUTE_MS).toFixed(1)} min`;

async function live(db: Db, given: Case): Promise<void> {
  const { wallets, cases, peopleAMinute } = given;
  const world = createWorld(db);
  const calls = new Map<string, number>();
  connect(world, providerOf(given), calls);
  const pairs = Array.from({ length: wallets }, (_, nth) => FAMILY_NETWORKS[familyOf(nth)].length).reduce(
    (a, b) => a + b,
    0,
  );
  world.begin(people(world, peopleAMinute));
  if (cases > 0) world.begin(sweepOn(world, kycWatch));
  if (wallets > 0) world.begin(sweepOn(world, walletWatch));
  const Counted = z.object({ rows: z.tuple([z.object({ count: z.coerce.number() })]) });
  const count = async (from: SQL) => Counted.parse(await db.execute(sql`select count(*) from ${from}`)).rows[0].count;
  let [imported, first, round] = [cases === 0 ? 0 : Number.NaN, Number.NaN, Number.NaN];
  let firstAt = new Date();
  for (let half = 1; half <= 2 * MOST_MINUTES; half += 1) {
    while (world.nowMs() < (half * MINUTE_MS) / 2) await world.advance();
    if (Number.isNaN(imported) && (await count(sql`kyc_case`)) >= cases) {
      const whole = await count(sql`watch_state where name = 'kyc' and memory ->> 'wholeSince' is not null`);
      if (whole > 0) imported = world.nowMs();
    }
    if (wallets > 0 && Number.isNaN(first) && (await count(sql`wallet_balance where as_of is not null`)) >= pairs) {
      first = world.nowMs();
      firstAt = new Date();
    }
    const again = sql`wallet_balance where as_of > ${firstAt.toISOString()}::timestamptz`;
    if (!Number.isNaN(first) && Number.isNaN(round) && (await count(again)) >= pairs) round = world.nowMs() - first;
    if (!Number.isNaN(imported) && (wallets === 0 || !Number.isNaN(round))) break;
  }
  const asked = [...calls]
    .map(([path, n]) => `${path.split("/").at(-1)} ${(n / (world.nowMs() / MINUTE_MS)).toFixed(0)}`)
    .join(", ");
  const told = [
    cases === 0 ? null : `${cases} cases at 25 a page imported in ${minutes(imported)}`,
    wallets === 0
      ? null
      : `${wallets} wallets (${pairs} balances) first read in ${minutes(first)}, a later round in ${minutes(round)}`,
  ].filter((text) => text !== null);
  say(`people ask ${peopleAMinute} times a minute: ${told.join("; ")} (calls a minute: ${asked})`);
}

const LIVES: readonly Case[] = [
  { wallets: 0, cases: 10_000, peopleAMinute: 0 },
  { wallets: 1_200, cases: 10_000, peopleAMinute: 0 },
  { wallets: 1_200, cases: 0, peopleAMinute: 0 },
  { wallets: 1_200, cases: 0, peopleAMinute: 15 },
  { wallets: 1_200, cases: 0, peopleAMinute: 60 },
];

/** How long the rounds of the watches take by the provider's budget of calls, in a time that is simulated. */
async function bench(): Promise<void> {
  const { values } = parseArgs({ options: { life: { type: "string" } } });
  const lives = values.life === undefined ? LIVES : LIVES.slice(Number(values.life), Number(values.life) + 1);
  const provider = { BANK_BASE_URL: "https://bank.example", BANK_CLIENT_ID: TENANT, BANK_CLIENT_SECRET: "bench" };
  for (const given of lives) {
    const dataDir = mkdtempSync(join(tmpdir(), "rounds-bench-"));
    takeEnv(readEnv({ ...provider, DATA_DIR: dataDir }));
    const store = await openStore({ databaseUrl: null, dataDir });
    globalThis.retaguardaStore = Promise.resolve(store);
    await live(store.db, given);
    rmSync(dataDir, { recursive: true, force: true });
  }
  process.exit(0);
}

await runProgram(import.meta.url, bench);
