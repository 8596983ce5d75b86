import { randomUUID } from "node:crypto";
import { subscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { type Dice, rollDice } from "@/bench/storm/dice";
import { BankError } from "@/lib/bank/answer";
import { flushCalls } from "@/lib/bank/call-log";
import { bank } from "@/lib/bank/client";
import { createIntents } from "@/lib/bank/intent";
import {
  getBalance,
  getHistory,
  listKyc,
  listSubscriptions,
  listWallets,
  sendInternalTransfer,
} from "@/lib/bank/operations";
import { db } from "@/lib/store/store";
import { hire, orderTransfer, person, takeUp } from "./people";
import {
  answerQuestions,
  type Clicks,
  Job,
  Life,
  Ordering,
  Reading,
  type ReadingOutcome,
  Shift,
  type ShiftOutcome,
} from "./worker";

/** What takes a person a minute is over in a second. */
const HASTE = 60;

async function read(page: number): Promise<string | null> {
  try {
    await bank.get(person("kyc:read"), listKyc, { query: { page, limit: 1 } });
    return null;
  } catch (error) {
    return error instanceof BankError ? error.message : String(error);
  }
}

async function readAll({ pages }: Reading): Promise<ReadingOutcome> {
  // Its migrations are no part of what is measured.
  await db();
  const outcomes = await Promise.all(pages.map(read));
  const failures: Record<string, number> = {};
  for (const reason of outcomes) if (reason !== null) failures[reason] = (failures[reason] ?? 0) + 1;
  return { answered: outcomes.filter((reason) => reason === null).length, failures };
}

async function orderOnce({ staffId, order }: Extract<Ordering, { kind: "order" }>): Promise<string> {
  await hire(staffId);
  try {
    return (await orderTransfer(staffId, order)).state;
  } catch (error) {
    if (error instanceof BankError) return error.details.code ?? error.kind;
    throw error;
  }
}

async function takeOrder(asked: Ordering): Promise<string | null> {
  if (asked.kind === "order") return orderOnce(asked);
  await takeUp();
  return null;
}

function hasten(): void {
  globalThis.retaguardaIntents = createIntents({
    post: bank.post,
    now: () => performance.now() * HASTE,
    sleep: async (ms) => {
      await pause(ms / HASTE);
    },
    random: Math.random,
  });
}

const FIRST_CLICKS_WITHIN_MS = 2_000;
const KYC_PAGES = 5;
const STATEMENT = { initialDate: "2026-01-01", endDate: "2026-12-31" };

/** Each of a few dozen addresses may be what somebody looks at. */
function look(dice: Dice, accounts: Shift["accounts"]): Promise<unknown> {
  const account = dice.pick(accounts);
  const page = 1 + dice.below(KYC_PAGES);
  return dice.pick([
    () => bank.get(person("accounts:read"), getBalance, { query: account }),
    () => bank.get(person("accounts:read"), getHistory, { query: { ...account, ...STATEMENT, page } }),
    () => bank.get(person("kyc:read"), listKyc, { query: { page } }),
    () => bank.get(person("wallets:read"), listWallets),
    () => bank.get(person("webhooks:read"), listSubscriptions),
  ])();
}

function transfer(dice: Dice, accounts: Shift["accounts"]): Promise<unknown> {
  const { accountId: accountIdFrom } = dice.pick(accounts);
  const { accountId: accountIdTo } = dice.pick(accounts.filter(({ accountId }) => accountId !== accountIdFrom));
  const body = { userId: "bench", accountIdFrom, accountIdTo, amount: "0.01" };
  return bank.post(person("transfers:create"), sendInternalTransfer, { body, idempotencyKey: randomUUID() });
}

async function count(clicks: Clicks, answer: Promise<unknown>): Promise<void> {
  try {
    await answer;
    clicks.answered += 1;
  } catch (error) {
    const reason = error instanceof BankError ? (error.details.code ?? error.message) : String(error);
    clicks.failures[reason] = (clicks.failures[reason] ?? 0) + 1;
  }
}

async function work({ people, seconds, thinkSeconds, transferPercent, accounts, seed }: Shift): Promise<ShiftOutcome> {
  const outcome: ShiftOutcome = {
    looks: { answered: 0, failures: {} },
    transfers: { answered: 0, failures: {} },
    transferMs: [],
  };
  const endsAtMs = performance.now() + seconds * 1_000;

  async function click(dice: Dice): Promise<void> {
    if (!dice.chance(transferPercent)) return count(outcome.looks, look(dice, accounts));
    const startedAtMs = performance.now();
    await count(outcome.transfers, transfer(dice, accounts));
    outcome.transferMs.push(performance.now() - startedAtMs);
  }

  async function sit(dice: Dice): Promise<void> {
    await pause(dice.below(FIRST_CLICKS_WITHIN_MS));
    while (performance.now() < endsAtMs) {
      await click(dice);
      await pause(dice.below(2 * thinkSeconds * 1_000));
    }
  }

  await Promise.all(Array.from({ length: people }, (_, nth) => sit(rollDice(seed * 1_000 + nth))));
  await flushCalls();
  return outcome;
}

const Step = z.object({ step: z.string() });
const Connecting = z.object({ socket: z.instanceof(Socket) });

const die = () => void process.kill(process.pid, "SIGKILL");

/** Dies once the request is with the operating system: as soon as a connection stands, or one that stood takes it. */
function dieOnTheWire(): void {
  subscribe("net.client.socket", (message) => void Connecting.parse(message).socket.once("connect", die));
  subscribe("http.client.request.start", die);
}

function armDeath(label: Life["diesAt"]): void {
  if (label === null) return;
  subscribe("retaguarda:intent", (message) => {
    const { step } = Step.parse(message);
    if (step === label) die();
    if (step === "send-noted" && label === "on-the-wire") dieOnTheWire();
  });
}

async function live({ staffId, order, diesAt, mayDieRecovering }: Life): Promise<void> {
  await hire(staffId);
  if (mayDieRecovering) armDeath(diesAt);
  await takeUp();
  if (order === null) return;
  const told = once(process, "message");
  process.send?.("taken up");
  await told;
  if (!mayDieRecovering) armDeath(diesAt);
  await orderTransfer(staffId, order);
}

/** What it was started for. */
const jobs: Record<Job, () => void | Promise<void>> = {
  read: () => answerQuestions(Reading, readAll),
  order: () => {
    hasten();
    answerQuestions(Ordering, takeOrder);
  },
  shift: () =>
    answerQuestions(Shift, async (shift) => {
      // Its migrations are no part of what is measured.
      await db();
      return work(shift);
    }),
  die: async () => {
    await live(Life.parse(JSON.parse(process.env["LIFE"] ?? "")));
    process.exit();
  },
};

await jobs[Job.parse(process.env["JOB"])]();
