import { randomUUID } from "node:crypto";
import { z } from "zod";
import { parseJson } from "@/lib/contract/json";
import type { Dice } from "./dice";
import type { Answer, Desk, Question } from "./desk";
import type { Account } from "./onboarding";

/** What became of an order, as the service has acknowledged it. `to` is null for a TED. */
export type Order = {
  key: string;
  from: Account;
  to: Account | null;
  cents: number;
  outcome: "done" | "refused" | "held" | "released" | "rejected";
  /** The transaction's, or of a held one the antifraud id, which it keeps as its transaction's. */
  transactionId: string;
};

const HELD_CENTS = 1_000_000;

const Done = z.looseObject({ data: z.looseObject({ transactionId: z.string().min(1) }) });
const Held = z.looseObject({ error: z.literal("TRANSACTION_PENDING_APPROVAL"), antifraudId: z.string().min(1) });

const reais = (cents: number) => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;

/** Amounts are written as JSON numbers with both their decimals. */
function internally(from: Account, to: Account, cents: number): string {
  const named = JSON.stringify({ userId: "storm", accountIdFrom: from.accountId, accountIdTo: to.accountId });
  return `${named.slice(0, -1)},"amount":${reais(cents)}}`;
}

function externally(from: Account, cents: number): string {
  const named = JSON.stringify({
    userId: "storm",
    onBoardingId: from.onBoardingId,
    idAccount: from.accountId,
    document: "12345678909",
    accountCode: "12345",
    branchCode: "0001",
    institutionCode: 1,
    name: "Maria Souza",
    bankAccountType: "CACC",
    institutionIspb: "00000000",
  });
  return `${named.slice(0, -1)},"value":${reais(cents)}}`;
}

type Drawn = Pick<Order, "key" | "from" | "to" | "cents"> & { question: Question };

function draw(dice: Dice, accounts: readonly Account[]): Drawn {
  const from = dice.pick(accounts);
  const to = dice.chance(25) ? null : dice.pick(accounts.filter((account) => account !== from));
  const cents = dice.chance(10) ? HELD_CENTS + dice.below(500_000) : 1 + dice.below(50_000);
  const key = randomUUID();
  const route = to === null ? "generateExternalTransferRequest" : "generateInternalTransferRequest";
  const body = to === null ? externally(from, cents) : internally(from, to, cents);
  const question: Question = { method: "POST", path: `/v1/bank-accounts/${route}`, key, body };
  const cutAfterMs = dice.chance(3) ? { cutAfterMs: dice.below(15) } : {};
  return { key, from, to, cents, question: { ...question, ...cutAfterMs } };
}

/** A request that was cut may still run when it is asked again: then, and only then, 409 means to ask once more. */
async function untilSettled({ ask }: Desk, { cutAfterMs, ...question }: Question): Promise<Answer> {
  const first = await ask({ ...question, ...(cutAfterMs !== undefined && { cutAfterMs }) });
  let answer = first;
  while (answer.status === 409 && first.asked > 1) answer = await ask(question);
  return answer;
}

function read({ status, text }: Answer): Pick<Order, "outcome" | "transactionId"> {
  if (status === 422) return { outcome: "refused", transactionId: "" };
  if (status === 202) return { outcome: "held", transactionId: Held.parse(parseJson(text)).antifraudId };
  if (status !== 200) throw new Error(`a transfer was answered ${status}: ${text}`);
  return { outcome: "done", transactionId: Done.parse(parseJson(text)).data.transactionId };
}

/** A random transfer under a key of its own, asked until it is answered. Sometimes asked again: the answer must be the same. */
export async function order(desk: Desk, dice: Dice, accounts: readonly Account[]): Promise<Order> {
  const { question, ...drawn } = draw(dice, accounts);
  const answer = await untilSettled(desk, question);
  if (dice.chance(5)) {
    const again = await untilSettled(desk, question);
    if (again.status !== answer.status || again.text !== answer.text)
      throw new Error(`key ${drawn.key} was answered ${answer.text} first and ${again.text} then`);
  }
  return { ...drawn, ...read(answer) };
}

/** The analyst decides a held order. Lost answers are asked again: 409 then says that it was decided. */
export async function decide({ control }: Desk, dice: Dice, held: Order): Promise<Order> {
  const decision = dice.chance(50) ? "RELEASE" : "REJECT";
  const path = `/sandbox/transactions/${held.transactionId}`;
  const answer = await control({ method: "POST", path, body: JSON.stringify({ decision }) });
  const isDecided = answer.status === 200 || (answer.status === 409 && answer.asked > 1);
  if (!isDecided) throw new Error(`a decision was answered ${answer.status}: ${answer.text}`);
  return { ...held, outcome: decision === "RELEASE" ? "released" : "rejected" };
}
