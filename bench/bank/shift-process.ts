import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { type Dice, rollDice } from "@/bench/storm/dice";
import { bank } from "@/lib/bank/client";
import { flushCalls } from "@/lib/bank/call-log";
import { BankError } from "@/lib/bank/answer";
import {
  getBalance,
  getHistory,
  listKyc,
  listSubscriptions,
  listWallets,
  sendInternalTransfer,
} from "@/lib/bank/operations";
import { db } from "@/lib/store/store";
import { person } from "./actors";
import { type Clicks, Shift, type ShiftOutcome } from "./shift";
import { answerQuestions } from "./worker";

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

answerQuestions(Shift, async (shift) => {
  // Its migrations are no part of what is measured.
  await db();
  return work(shift);
});
