import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";
import { documentOf } from "@/bench/service/population";
import { openTestServer } from "@/scripts/checks/checks.mjs";
import {
  type Account,
  type TenantClient,
  type Order,
  type Tenant,
  controlToken,
  decide,
  openAccount,
  openFixture,
  order,
  requestAccount,
  untilConfirmed,
} from "./tenant-client";
import { type Dice, rollDice } from "./dice";
import { type Receiver, startReceiver } from "./receiver";
import { type EventsOutcome, type MoneyOutcome, judgeAccount, judgeBooks, judgeEvents } from "./outcome";
import { type Victim, startVictim } from "./victim";

type StormWish = { kills: number; seed: number; databaseUrl?: string; onKill?: (kills: number) => void };

type StormReport = MoneyOutcome &
  EventsOutcome & {
    orders: readonly Order[];
    onboardings: number;
    kills: number;
    balanced: boolean;
    drift: number;
    forged: number;
    refusedStarts: number;
    restartsMs: readonly number[];
    exitCode: number | null;
  };

const TENANTS = 4;
const CLIENTS = 16;
const ACCOUNTS_PER_TENANT = 5;
const OPENING_REAIS = 3_000_000;
/** A tenant's deliveries are listed to the five hundredth; each onboarding raises two. */
const ONBOARDINGS_PER_CLIENT = 55;
const BETWEEN_KILLS_MS = 2_000;

/** A tenant with its accounts, and what its clients have had acknowledged. */
type Branch = { client: TenantClient; accounts: readonly Account[]; orders: Order[]; onboardingIds: string[] };

function tenantsFile(tenants: readonly Tenant[], { url }: Receiver, secret: string): string {
  const entries = tenants.map((tenant) => ({
    ...tenant,
    name: tenant.clientId,
    enabledProducts: ["BANKING"],
    allowedOperations: null,
    billingStatus: "ACTIVE",
    webhook: { url: `${url}/${tenant.clientId}`, secret, events: ["onboarding-create"] },
  }));
  return JSON.stringify({ tenants: entries });
}

async function openBranch(victim: Victim, tenant: Tenant, firstNumber: number): Promise<Branch> {
  const client = await openFixture(victim, tenant);
  const numbers = Array.from({ length: ACCOUNTS_PER_TENANT }, (_, index) => firstNumber + index);
  const accounts = await Promise.all(numbers.map((number) => openAccount(client, documentOf(number), OPENING_REAIS)));
  return { client, accounts, orders: [], onboardingIds: accounts.map(({ onBoardingId }) => onBoardingId) };
}

/** One client: transfers, decisions on what is held, and now and then a new account, until it is told to end. */
async function keepAsking(branch: Branch, dice: Dice, { firstNumber, hasEnded }: Asking): Promise<void> {
  const { client, accounts, orders, onboardingIds } = branch;
  let onboardings = 0;
  while (!hasEnded()) {
    const ordered = await order(client, dice, accounts);
    orders.push(ordered.outcome === "held" && dice.chance(50) ? await decide(client, dice, ordered) : ordered);
    if (onboardings < ONBOARDINGS_PER_CLIENT && dice.chance(3)) {
      const id = await requestAccount(client, documentOf(firstNumber + onboardings));
      onboardings += 1;
      if (id !== null) onboardingIds.push(id);
    }
  }
}

type Asking = { firstNumber: number; hasEnded: () => boolean };

async function killAgainAndAgain(victim: Victim, dice: Dice, { kills, onKill }: StormWish): Promise<void> {
  while (victim.kills() < kills) {
    const strikesWhileStarting = victim.kills() > 0 && dice.chance(10);
    if (!strikesWhileStarting) await victim.up();
    await pause(dice.below(BETWEEN_KILLS_MS));
    await victim.kill();
    onKill?.(victim.kills());
  }
  await victim.up();
}

const sum = <Verdict extends Record<string, number>>(outcomes: readonly Verdict[], name: keyof Verdict): number =>
  outcomes.reduce((total, outcome) => total + (outcome[name] ?? 0), 0);

async function judge(branches: readonly Branch[], receiver: Receiver) {
  const events: EventsOutcome[] = [];
  const money: MoneyOutcome[] = [];
  for (const { client, accounts, orders, onboardingIds } of branches) {
    for (const id of onboardingIds) await untilConfirmed(client, id);
    events.push(await judgeEvents(client, receiver, onboardingIds));
    const acknowledged = { orders, openingCents: OPENING_REAIS * 100 };
    for (const account of accounts) money.push(await judgeAccount(client, account, acknowledged));
  }
  return {
    lost: sum(money, "lost"),
    doubled: sum(money, "doubled"),
    wrongBalances: sum(money, "wrongBalances"),
    delivered: sum(events, "delivered"),
    failed: sum(events, "failed"),
    unsettled: sum(events, "unsettled"),
    missing: sum(events, "missing"),
    repeated: sum(events, "repeated"),
  };
}

async function rage(victim: Victim, tenants: readonly Tenant[], wish: StormWish) {
  const branches: Branch[] = [];
  for (const [index, tenant] of tenants.entries())
    branches.push(await openBranch(victim, tenant, index * ACCOUNTS_PER_TENANT));

  let isOver = false;
  const clients = Array.from({ length: CLIENTS }, (_, index) => {
    const branch = branches[index % branches.length];
    if (!branch) throw new Error("there are no branches");
    const firstNumber = 1_000 * (index + 1);
    return keepAsking(branch, rollDice(wish.seed + index + 1), { firstNumber, hasEnded: () => isOver });
  });
  const asked = Promise.all(clients);
  await Promise.race([asked, killAgainAndAgain(victim, rollDice(wish.seed), wish)]).finally(() => {
    isOver = true;
  });
  await asked;
  const [first] = branches;
  if (!first) throw new Error("there are no branches");
  return { branches, books: await judgeBooks(first.client) };
}

/**
 * Kills a real service process at random moments under a load of transfers and onboardings, starts it again each time, and
 * compares what it then says with every acknowledgement it gave.
 */
export async function runStorm(wish: StormWish): Promise<StormReport> {
  const directory = mkdtempSync(join(tmpdir(), "retaguarda-storm-"));
  const secret = randomBytes(24).toString("hex");
  const receiver = await startReceiver(secret);
  const tenants = Array.from({ length: TENANTS }, (_, index) => ({
    clientId: `storm-${index + 1}`,
    clientSecret: randomBytes(24).toString("hex"),
  }));
  const file = join(directory, "tenants.json");
  writeFileSync(file, tenantsFile(tenants, receiver, secret), { mode: 0o600 });
  const victim = await startVictim({
    SERVICE_DATA_DIR: join(directory, "data"),
    SERVICE_TENANTS_FILE: file,
    SERVICE_CONTROL_TOKEN: controlToken,
    SERVICE_PROVIDER_DELAY_MS: "200",
    SERVICE_RATE_LIMIT_PER_MINUTE: "1000000000",
    SERVICE_ALLOW_LOOPBACK_HTTP: "true",
    SERVICE_LOG_LEVEL: "error",
    ...(wish.databaseUrl !== undefined && { SERVICE_DATABASE_URL: wish.databaseUrl }),
  });
  try {
    const { branches, books } = await rage(victim, tenants, wish);
    const outcome = await judge(branches, receiver);
    return {
      ...outcome,
      ...books,
      orders: branches.flatMap(({ orders }) => orders),
      onboardings: branches.reduce((total, { onboardingIds }) => total + onboardingIds.length, 0),
      kills: victim.kills(),
      forged: receiver.forged(),
      refusedStarts: victim.refusedStarts(),
      restartsMs: victim.restartsMs(),
      exitCode: await victim.stop(),
    };
  } finally {
    await victim.dispose();
    await receiver.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

type Figure = { says: string; value: string; isWrong: boolean };

const fact = (says: string, value: string | number): Figure => ({ says, value: String(value), isWrong: false });
const mustBe = (wanted: number | boolean, says: string, value: number | boolean): Figure => ({
  says,
  value: String(value),
  isWrong: value !== wanted,
});

const ms = (value: number | undefined) => `${Math.round(value ?? 0)} ms`;

function restarts(restartsMs: readonly number[]): string {
  const sorted = restartsMs.toSorted((one, other) => one - other);
  return `p50 ${ms(sorted[Math.floor(sorted.length / 2)])}, max ${ms(sorted.at(-1))}`;
}

/** Every figure of a storm, and whether it is one that must not be. */
function figuresOf(report: StormReport): Figure[] {
  const { orders } = report;
  const count = (...outcomes: string[]) => orders.filter(({ outcome }) => outcomes.includes(outcome)).length;
  return [
    fact("kills", report.kills),
    fact("restarts, from kill to ready", restarts(report.restartsMs)),
    fact("starts refused while the dead one's claim stood", report.refusedStarts),
    fact("acknowledged transfers", count("done", "released")),
    fact("  of them TED", orders.filter(({ to, outcome }) => to === null && outcome === "done").length),
    fact("held, then released / rejected / left", `${count("released")} / ${count("rejected")} / ${count("held")}`),
    fact("refused for want of balance", count("refused")),
    mustBe(0, "acknowledged entries lost", report.lost),
    mustBe(0, "entries doubled or never acknowledged", report.doubled),
    mustBe(0, "accounts whose balances differ from what was acknowledged", report.wrongBalances),
    mustBe(true, "books balanced", report.balanced),
    mustBe(0, "drift", report.drift),
    fact("onboardings acknowledged", report.onboardings),
    fact("events delivered / failed after 4 attempts", `${report.delivered} / ${report.failed}`),
    mustBe(0, "events neither delivered nor failed as they should", report.unsettled),
    mustBe(0, "events missing, or from nowhere", report.missing),
    mustBe(0, "deliveries with a wrong signature", report.forged),
    fact("deliveries sent, but killed before they were noted", report.repeated),
    mustBe(0, "exit code on SIGTERM afterwards", report.exitCode ?? -1),
  ];
}

/** What must not be; empty when the storm was weathered. */
export const violationsOf = (report: StormReport): string[] =>
  figuresOf(report).flatMap(({ says, value, isWrong }) => (isWrong ? [`${says}: ${value}`] : []));

export const linesOf = (report: StormReport): string[] =>
  figuresOf(report).map(({ says, value, isWrong }) => `${isWrong ? "✗" : " "} ${says.padEnd(60)} ${value}`);

/** A database on a PostgreSQL server for one storm; `close` removes it. */
type StormDatabase = { name: string; url: string; close: () => Promise<void> };

async function administer(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** A database of its own on the server of TEST_DATABASE_URL, else on a throw-away one. */
export async function openStormDatabase(): Promise<StormDatabase> {
  const server = await openTestServer();
  const database = `retaguarda_storm_${process.pid}`;
  await administer(server.url, `CREATE DATABASE ${database}`);
  const own = new URL(server.url);
  own.pathname = `/${database}`;
  return {
    name: `PostgreSQL ${server.version}`,
    url: own.href,
    close: async () => {
      await administer(server.url, `DROP DATABASE ${database} WITH (FORCE)`);
      await server.stop();
    },
  };
}
