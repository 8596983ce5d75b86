import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { accountRequest } from "@/bench/service/population";
import { Token } from "@/lib/contract/auth";
import { parseJson } from "@/lib/contract/json";
import { AccountRequested, OnboardingRecord } from "@/lib/contract/onboarding";
import type { Dice } from "./dice";
import type { Victim } from "./victim";

export const controlToken = randomBytes(24).toString("hex");

/** A tenant of the storm. */
export type Tenant = { clientId: string; clientSecret: string };

type Question = { method: "GET" | "POST"; path: string; body?: string; key?: string; cutAfterMs?: number };
/** `asked`: how often it took; more than once after a cut connection. */
type Answer = { status: number; text: string; asked: number };

/** Asks the service as one tenant, and steers it. */
export type TenantClient = {
  tenant: Tenant;
  /** Asks the same until it is answered, however often the connection is cut; `cutAfterMs` cuts the first time itself. */
  ask: (question: Question) => Promise<Answer>;
  control: (question: Question) => Promise<Answer>;
};

const AGAIN_MS = 5;
const HANGS_AFTER_MS = 30_000;
const GIVES_UP_AFTER_MS = 120_000;

async function send(url: string, question: Question, wish: { headers: Record<string, string>; limitMs: number }) {
  const { method, body, key } = question;
  const response = await fetch(url, {
    method,
    headers: {
      ...wish.headers,
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...(key !== undefined && { "Idempotency-Key": key }),
    },
    ...(body !== undefined && { body }),
    signal: AbortSignal.timeout(wish.limitMs),
  });
  return { status: response.status, text: await response.text() };
}

async function insist(victim: Victim, question: Question, headers: Record<string, string>): Promise<Answer> {
  const lateAtMs = performance.now() + GIVES_UP_AFTER_MS;
  for (let asked = 1; !victim.isGone() && performance.now() < lateAtMs; asked += 1) {
    await victim.up().catch(() => pause(AGAIN_MS));
    const limitMs = asked === 1 ? (question.cutAfterMs ?? HANGS_AFTER_MS) : HANGS_AFTER_MS;
    try {
      return { ...(await send(victim.origin + question.path, question, { headers, limitMs })), asked };
    } catch {
      await pause(AGAIN_MS);
    }
  }
  throw new Error(`${question.method} ${question.path} was never answered`);
}

async function signIn(victim: Victim, { clientId, clientSecret }: Tenant): Promise<Record<string, string>> {
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString("base64");
  const question: Question = { method: "POST", path: "/v1/authentication/oauth/access-token" };
  const { text } = await insist(victim, question, { Authorization: `Basic ${basic}` });
  const { access_token: token } = Token.parse(JSON.parse(text));
  return { Authorization: `Bearer ${token}`, "x-client-id": clientId };
}

/** Signs in once: a token outlives every kill. */
export async function openFixture(victim: Victim, tenant: Tenant): Promise<TenantClient> {
  const headers = await signIn(victim, tenant);
  return {
    tenant,
    ask: (question) => insist(victim, question, headers),
    control: (question) => insist(victim, question, { Authorization: `Bearer ${controlToken}` }),
  };
}

/** The body of an answer that must be a success, its numbers kept exactly. */
export function bodyOf({ status, text }: Answer): unknown {
  if (status !== 200) throw new Error(`answered ${status}: ${text}`);
  return parseJson(text);
}

export type Account = { accountId: string; documentNumber: string; onBoardingId: string };

const POLL_MS = 50;
const CONFIRMED_WITHIN_MS = 120_000;

/**
 * Asks for an account and gives its onboarding id; null when the answer was lost and only that it exists is known, which
 * another request for the same document (409) tells.
 */
export async function requestAccount({ ask }: TenantClient, documentNumber: string): Promise<string | null> {
  const body = JSON.stringify(accountRequest(documentNumber));
  const answer = await ask({ method: "POST", path: "/v1/bank-accounts/create", body });
  if (answer.status === 409 && answer.asked > 1) return null;
  return AccountRequested.parse(bodyOf(answer)).data.body.onBoardingId;
}

/** Waits until the provider has confirmed it; gives the account's id. */
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

/** Opens an account with money on it, before any storm. */
export async function openAccount(client: TenantClient, documentNumber: string, reais: number): Promise<Account> {
  const onBoardingId = await requestAccount(client, documentNumber);
  if (onBoardingId === null) throw new Error("the document has an account already");
  const accountId = await untilConfirmed(client, onBoardingId);
  const body = JSON.stringify({ amount: reais });
  bodyOf(await client.control({ method: "POST", path: `/sandbox/bank-accounts/${accountId}/credit`, body }));
  return { accountId, documentNumber, onBoardingId };
}

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
async function untilSettled({ ask }: TenantClient, { cutAfterMs, ...question }: Question): Promise<Answer> {
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

/** The analyst decides a held order. Lost answers are asked again: 409 then says that it was decided. */
export async function decide({ control }: TenantClient, dice: Dice, held: Order): Promise<Order> {
  const decision = dice.chance(50) ? "RELEASE" : "REJECT";
  const path = `/sandbox/transactions/${held.transactionId}`;
  const answer = await control({ method: "POST", path, body: JSON.stringify({ decision }) });
  const isDecided = answer.status === 200 || (answer.status === 409 && answer.asked > 1);
  if (!isDecided) throw new Error(`a decision was answered ${answer.status}: ${answer.text}`);
  return { ...held, outcome: decision === "RELEASE" ? "released" : "rejected" };
}
