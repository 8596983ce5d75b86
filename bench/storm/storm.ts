import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { documentOf } from "@/bench/holder";
import { controlToken, type Desk, openDesk, type Tenant } from "./desk";
import { type Dice, rollDice } from "./dice";
import { type Account, openAccount, requestAccount, untilConfirmed } from "./onboarding";
import { decide, order, type Order } from "./order";
import { type Receiver, startReceiver } from "./receiver";
import { type EventsVerdict, judgeAccount, judgeBooks, judgeEvents, type MoneyVerdict } from "./verdict";
import { startVictim, type Victim } from "./victim";

export type StormWish = { kills: number; seed: number; databaseUrl?: string; onKill?: (kills: number) => void };

export type StormReport = MoneyVerdict &
  EventsVerdict & {
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
type Branch = { desk: Desk; accounts: readonly Account[]; orders: Order[]; onboardingIds: string[] };

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
  const desk = await openDesk(victim, tenant);
  const numbers = Array.from({ length: ACCOUNTS_PER_TENANT }, (_, index) => firstNumber + index);
  const accounts = await Promise.all(numbers.map((number) => openAccount(desk, documentOf(number), OPENING_REAIS)));
  return { desk, accounts, orders: [], onboardingIds: accounts.map(({ onBoardingId }) => onBoardingId) };
}

/** One client: transfers, decisions on what is held, and now and then a new account, until it is told to end. */
async function keepAsking(branch: Branch, dice: Dice, { firstNumber, hasEnded }: Client): Promise<void> {
  const { desk, accounts, orders, onboardingIds } = branch;
  let onboardings = 0;
  while (!hasEnded()) {
    const ordered = await order(desk, dice, accounts);
    orders.push(ordered.outcome === "held" && dice.chance(50) ? await decide(desk, dice, ordered) : ordered);
    if (onboardings < ONBOARDINGS_PER_CLIENT && dice.chance(3)) {
      const id = await requestAccount(desk, documentOf(firstNumber + onboardings));
      onboardings += 1;
      if (id !== null) onboardingIds.push(id);
    }
  }
}

type Client = { firstNumber: number; hasEnded: () => boolean };

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

const sum = <Verdict extends Record<string, number>>(verdicts: readonly Verdict[], name: keyof Verdict): number =>
  verdicts.reduce((total, verdict) => total + (verdict[name] ?? 0), 0);

async function judge(branches: readonly Branch[], receiver: Receiver) {
  const events: EventsVerdict[] = [];
  const money: MoneyVerdict[] = [];
  for (const { desk, accounts, orders, onboardingIds } of branches) {
    for (const id of onboardingIds) await untilConfirmed(desk, id);
    events.push(await judgeEvents(desk, receiver, onboardingIds));
    const acknowledged = { orders, openingCents: OPENING_REAIS * 100 };
    for (const account of accounts) money.push(await judgeAccount(desk, account, acknowledged));
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
  return { branches, books: await judgeBooks(first.desk) };
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
    const verdict = await judge(branches, receiver);
    return {
      ...verdict,
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
