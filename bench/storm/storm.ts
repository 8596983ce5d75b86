import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { documentOf } from "@/bench/service/population";
import { furnish, type Tenant, tenantOf } from "@/bench/service/program";
import {
  type Account,
  type TenantClient,
  type Order,
  decide,
  openAccount,
  openClient,
  order,
  requestAccount,
  untilConfirmed,
} from "./tenant-client";
import { type Dice, rollDice } from "./dice";
import { type Receiver, startReceiver } from "./receiver";
import { judgeAccount, judgeBooks, judgeEvents } from "./outcome";
import { type Victim, startVictim } from "./victim";

type StormWish = { kills: number; seed: number; databaseUrl?: string; onKill?: (kills: number) => void };

const TENANTS = 4;
const CLIENTS = 16;
const ACCOUNTS_PER_TENANT = 5;
const OPENING_REAIS = 3_000_000;
/** The list of deliveries ends at five hundred, and each onboarding raises two. */
const ONBOARDINGS_PER_CLIENT = 55;
const BETWEEN_KILLS_MS = 2_000;

/** A tenant, its accounts and its acknowledged orders. */
type Branch = { client: TenantClient; accounts: readonly Account[]; orders: Order[]; onboardingIds: string[] };

async function openBranch(victim: Victim, tenant: Tenant, firstNumber: number): Promise<Branch> {
  const client = await openClient(victim, tenant);
  const numbers = Array.from({ length: ACCOUNTS_PER_TENANT }, (_, index) => firstNumber + index);
  const accounts = await Promise.all(numbers.map((number) => openAccount(client, documentOf(number), OPENING_REAIS)));
  return { client, accounts, orders: [], onboardingIds: accounts.map(({ onBoardingId }) => onBoardingId) };
}

/** One client: transfers, decisions about holds and now and then a new account, until told to stop. */
async function keepAsking(branch: Branch, dice: Dice, firstNumber: number, hasEnded: () => boolean) {
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

async function judge(branches: readonly Branch[], receiver: Receiver) {
  const outcome: Record<string, number> = {};
  const add = (more: Record<string, number>) => {
    for (const [name, value] of Object.entries(more)) outcome[name] = (outcome[name] ?? 0) + value;
  };
  let books = { balanced: false, drift: Number.NaN };
  for (const { client, accounts, orders, onboardingIds } of branches) {
    books = await judgeBooks(client);
    for (const id of onboardingIds) await untilConfirmed(client, id);
    add(await judgeEvents(client, receiver, onboardingIds));
    const acknowledged = { orders, openingCents: OPENING_REAIS * 100 };
    for (const account of accounts) add(await judgeAccount(client, account, acknowledged));
  }
  return { outcome, books };
}

async function rage(victim: Victim, tenants: readonly Tenant[], wish: StormWish): Promise<readonly Branch[]> {
  const branches: Branch[] = [];
  for (const [index, tenant] of tenants.entries())
    branches.push(await openBranch(victim, tenant, index * ACCOUNTS_PER_TENANT));

  let isOver = false;
  const numbers = Array.from({ length: CLIENTS }, (_, index) => index + 1);
  const clients = branches.flatMap((branch, place) =>
    numbers
      .filter((number) => number % TENANTS === place)
      .map((number) => keepAsking(branch, rollDice(wish.seed + number), 1_000 * number, () => isOver)),
  );
  const asked = Promise.all(clients);
  await Promise.race([asked, killAgainAndAgain(victim, rollDice(wish.seed), wish)]).finally(() => {
    isOver = true;
  });
  await asked;
  return branches;
}

/**
 * Kills a real service process at random moments under load, restarts it each time, and compares its state with every
 * answer that it acknowledged.
 */
export async function runStorm(wish: StormWish) {
  const secret = randomBytes(24).toString("hex");
  const receiver = await startReceiver(secret);
  const tenants = Array.from({ length: TENANTS }, (_, index) => {
    const clientId = `storm-${index + 1}`;
    const webhook = { url: `${receiver.url}/${clientId}`, secret, events: ["onboarding-create"] };
    return tenantOf(clientId, { enabledProducts: ["BANKING"], webhook });
  });
  const { environment, remove } = furnish(tenants, wish.databaseUrl);
  const own = { SERVICE_PROVIDER_DELAY_MS: "200", SERVICE_ALLOW_LOOPBACK_HTTP: "true" };
  const victim = await startVictim({ ...environment, ...own });
  try {
    const branches = await rage(victim, tenants, wish);
    return {
      ...(await judge(branches, receiver)),
      orders: branches.flatMap(({ orders }) => orders),
      onboardings: branches.reduce((total, { onboardingIds }) => total + onboardingIds.length, 0),
      kills: victim.kills(),
      forged: receiver.forged(),
      exitCode: await victim.stop(),
    };
  } finally {
    await victim.dispose();
    await receiver.close();
    remove();
  }
}

type StormReport = Awaited<ReturnType<typeof runStorm>>;

/** A line of the report; the third value is the required one. */
type Figure = readonly [says: string, value: string | number | boolean | null, wanted?: number | boolean];

function figuresOf(report: StormReport): readonly Figure[] {
  const { orders, books } = report;
  const of = (name: string) => report.outcome[name] ?? Number.NaN;
  const count = (...outcomes: string[]) => orders.filter(({ outcome }) => outcomes.includes(outcome)).length;
  return [
    ["kills", report.kills],
    ["acknowledged transfers", count("done", "released")],
    ["held, then released / rejected / left", `${count("released")} / ${count("rejected")} / ${count("held")}`],
    ["acknowledged entries lost", of("lost"), 0],
    ["entries doubled or never acknowledged", of("doubled"), 0],
    ["accounts whose balances differ from what was acknowledged", of("wrongBalances"), 0],
    ["books balanced", books.balanced, true],
    ["drift", books.drift, 0],
    ["onboardings acknowledged", report.onboardings],
    ["events delivered / failed after 4 attempts", `${of("delivered")} / ${of("failed")}`],
    ["events neither delivered nor failed as they should", of("unsettled"), 0],
    ["events missing, or from nowhere", of("missing"), 0],
    ["deliveries with a wrong signature", report.forged, 0],
    ["deliveries sent, but killed before they were noted", of("repeated")],
    ["exit code on SIGTERM afterwards", report.exitCode, 0],
  ];
}

const isWrong = ([, value, wanted]: Figure) => wanted !== undefined && value !== wanted;

/** Violations of a promise; empty when the storm passed. */
export const violationsOf = (report: StormReport): string[] =>
  figuresOf(report)
    .filter(isWrong)
    .map(([says, value]) => `${says}: ${value}`);

export const linesOf = (report: StormReport): string[] =>
  figuresOf(report).map((figure) => `${isWrong(figure) ? "✗" : " "} ${figure[0].padEnd(60)} ${figure[1]}`);
