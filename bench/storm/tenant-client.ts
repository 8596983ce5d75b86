import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { accountRequest } from "@/bench/service/population";
import { basic, bearer, CONTROL, type Tenant, TOKEN_PATH } from "@/bench/service/program";
import { parseJson } from "@/lib/contract/json";
import { AccountRequested, OnboardingRecord } from "@/lib/contract/onboarding";
import type { Dice } from "./dice";
import type { Victim } from "./victim";

type Question = { method: "GET" | "POST"; path: string; body?: string; key?: string; cutAfterMs?: number };
/** `asked`: how many attempts; more than one after a cut connection. */
type Answer = { status: number; text: string; asked: number };

const AGAIN_MS = 5;
const HANGS_AFTER_MS = 30_000;
const GIVES_UP_AFTER_MS = 120_000;

/** Repeats a request until it is answered; `cutAfterMs` cuts the first attempt itself. */
async function insist(victim: Victim, question: Question, headers: Record<string, string>): Promise<Answer> {
  const { method, path, body, key, cutAfterMs = HANGS_AFTER_MS } = question;
  const lateAtMs = performance.now() + GIVES_UP_AFTER_MS;
  for (let asked = 1; !victim.isGone() && performance.now() < lateAtMs; asked += 1) {
    await victim.up().catch(() => pause(AGAIN_MS));
    try {
      const response = await fetch(victim.origin + path, {
        method,
        headers: {
          ...headers,
          ...(body !== undefined && { "Content-Type": "application/json" }),
          ...(key !== undefined && { "Idempotency-Key": key }),
        },
        ...(body !== undefined && { body }),
        signal: AbortSignal.timeout(asked === 1 ? cutAfterMs : HANGS_AFTER_MS),
      });
      return { status: response.status, text: await response.text(), asked };
    } catch {
      await pause(AGAIN_MS);
    }
  }
  throw new Error(`${method} ${path} was never answered`);
}

/** A tenant's client that also controls the service. Signs in once, as a token survives every kill. */
export async function openClient(victim: Victim, tenant: Tenant) {
  const { text } = await insist(victim, { method: "POST", path: TOKEN_PATH }, basic(tenant));
  const headers = bearer(tenant, JSON.parse(text));
  return {
    tenant,
    ask: (question: Question) => insist(victim, question, headers),
    control: (question: Question) => insist(victim, question, CONTROL),
  };
}
export type TenantClient = Awaited<ReturnType<typeof openClient>>;

/** The body of a successful answer, with exact numbers. */
export function bodyOf({ status, text }: Answer): unknown {
  if (status !== 200) throw new Error(`answered ${status}: ${text}`);
  return parseJson(text);
}

export type Account = { accountId: string; documentNumber: string; onBoardingId: string };

const POLL_MS = 50;
const CONFIRMED_WITHIN_MS = 120_000;

/**
 * Requests an account and returns its onboarding id; null when the answer was lost and a repeat (409) only shows that
 * it exists.
 */
export async function requestAccount({ ask }: TenantClient, documentNumber: string): Promise<string | null> {
  const body = JSON.stringify(accountRequest(documentNumber));
  const answer = await ask({ method: "POST", path: "/v1/bank-accounts/create", body });
  if (answer.status === 409 && answer.asked > 1) return null;
  return AccountRequested.parse(bodyOf(answer)).data.body.onBoardingId;
}

/** Waits until the provider has confirmed it; returns the account's id. */
export async function untilConfirmed({ ask }: TenantClient, onBoardingId: string): Promise<string> {
  const lateAtMs = performance.now() + CONFIRMED_WITHIN_MS;
  for (;;) {
    const answer = await ask({ method: "GET", path: `/v1/bank-accounts/checkOnboarding?onBoardingId=${onBoardingId}` });
    const { status, body } = OnboardingRecord.parse(bodyOf(answer)).data;
    if (status === "CONFIRMED" && body.account.accountId !== null) return body.account.accountId;
    if (status !== "PROCESSING" || performance.now() > lateAtMs)
      throw new Error(`onboarding ${onBoardingId} is ${status}, not confirmed`);
    await pause(POLL_MS);
  }
}

/** Opens an account with money before a storm. */
export async function openAccount(client: TenantClient, documentNumber: string, reais: number): Promise<Account> {
  const onBoardingId = await requestAccount(client, documentNumber);
  if (onBoardingId === null) throw new Error("the document has an account already");
  const accountId = await untilConfirmed(client, onBoardingId);
  const body = JSON.stringify({ amount: reais });
  bodyOf(await client.control({ method: "POST", path: `/sandbox/bank-accounts/${accountId}/credit`, body }));
  return { accountId, documentNumber, onBoardingId };
}

/** An order's outcome as the service acknowledged it. */
export type Order = {
  key: string;
  from: Account;
  to: Account;
  cents: number;
  outcome: "done" | "refused" | "held" | "released" | "rejected";
  /** The transaction's id; for a held one the antifraud id, which the transaction keeps. */
  transactionId: string;
};

const HELD_CENTS = 1_000_000;

const Done = z.looseObject({ data: z.looseObject({ transactionId: z.string().min(1) }) });
const Held = z.looseObject({ error: z.literal("TRANSACTION_PENDING_APPROVAL"), antifraudId: z.string().min(1) });

/** Amounts are JSON numbers with both decimals. */
function bodyFor(from: Account, to: Account, cents: number): string {
  const amount = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;
  const named = { userId: "storm", accountIdFrom: from.accountId, accountIdTo: to.accountId };
  return `${JSON.stringify(named).slice(0, -1)},"amount":${amount}}`;
}

function draw(dice: Dice, accounts: readonly Account[]) {
  const from = dice.pick(accounts);
  const to = dice.pick(accounts.filter((account) => account !== from));
  const cents = dice.chance(10) ? HELD_CENTS + dice.below(500_000) : 1 + dice.below(50_000);
  const key = randomUUID();
  const path = "/v1/bank-accounts/generateInternalTransferRequest";
  const question: Question = { method: "POST", path, key, body: bodyFor(from, to, cents) };
  return { key, from, to, cents, question: dice.chance(3) ? { ...question, cutAfterMs: dice.below(15) } : question };
}

/** A cut request may still be running when repeated: only then does 409 mean to ask again. */
async function untilSettled({ ask }: TenantClient, question: Question): Promise<Answer> {
  const first = await ask(question);
  let answer = first;
  while (answer.status === 409 && first.asked > 1) answer = await ask({ ...question, cutAfterMs: HANGS_AFTER_MS });
  return answer;
}

function read({ status, text }: Answer): Pick<Order, "outcome" | "transactionId"> {
  if (status === 422) return { outcome: "refused", transactionId: "" };
  if (status === 202) return { outcome: "held", transactionId: Held.parse(parseJson(text)).antifraudId };
  if (status !== 200) throw new Error(`a transfer was answered ${status}: ${text}`);
  return { outcome: "done", transactionId: Done.parse(parseJson(text)).data.transactionId };
}

/** A random transfer under its own key, repeated until answered. A second submission must return the same answer. */
export async function order(client: TenantClient, dice: Dice, accounts: readonly Account[]): Promise<Order> {
  const { question, ...drawn } = draw(dice, accounts);
  const answer = await untilSettled(client, question);
  if (dice.chance(5)) {
    const again = await untilSettled(client, question);
    if (again.status !== answer.status || again.text !== answer.text)
      throw new Error(`key ${drawn.key} was answered ${answer.text} first and ${again.text} then`);
  }
  return { ...drawn, ...read(answer) };
}

/** Decides a held order as the analyst. After a lost answer, 409 means that it was decided. */
export async function decide({ control }: TenantClient, dice: Dice, held: Order): Promise<Order> {
  const decision = dice.chance(50) ? "RELEASE" : "REJECT";
  const path = `/sandbox/transactions/${held.transactionId}`;
  const answer = await control({ method: "POST", path, body: JSON.stringify({ decision }) });
  const isDecided = answer.status === 200 || (answer.status === 409 && answer.asked > 1);
  if (!isDecided) throw new Error(`a decision was answered ${answer.status}: ${answer.text}`);
  return { ...held, outcome: decision === "RELEASE" ? "released" : "rejected" };
}
