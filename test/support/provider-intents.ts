import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Actor } from "@/lib/permission/grant";
import type { ErrorKind } from "@/lib/errors/result";
import type { Tx } from "@/lib/db/connection";
import { kindOf } from "@/lib/provider/answer";
import { AppError, type AppErrorDetails } from "@/lib/errors/app-error";
import { createIntents, type IntentOutcome, type Intents } from "@/lib/provider/intents/intent";
import { type IntentEnd, type IntentIncident, intentKind } from "@/lib/provider/intents/intent-record";
import type { IntentState } from "@/lib/db/tables/provider";
import { decideKyc, sendInternalTransfer } from "@/lib/provider/operations";

const Receipt = z.object({ transactionId: z.string() });
type Receipt = z.infer<typeof Receipt>;

export const CONFIRMED = { status: "CONFIRMED", data: { transactionId: "tx-1" } };
export const DONE: IntentOutcome<Receipt> = { state: "DONE", stored: { transactionId: "tx-1" } };

type Answer = () => unknown;

export const failing =
  (kind: ErrorKind, details: AppErrorDetails): Answer =>
  () =>
    Promise.reject(new AppError(kind, details));
export const lostAnswer = failing("unavailable", { mayHaveExecuted: true, code: "no-answer" });
export const refusal = (status: number) => failing(kindOf(status, undefined), { status });

const ORDER = { userId: "u", accountIdFrom: "a", accountIdTo: "b", amount: "10.50" };
const DECISION = { kycUUID: "1", decision: "APPROVED", reason: "confere" } as const;
const nothing = async () => {};

type Wishes = { intentId?: string; amount?: string; opened?: () => Promise<void>; prepare?: () => Promise<void> };

/**
 * An intent desk whose provider gives the planned answers in order, then confirmations. Its clock advances by sleeping.
 * `ends` are the recorded states, `sent` the sent requests.
 */
export function scriptedIntents(actor: Actor) {
  const ends: IntentState[] = [];
  const incidents: string[] = [];
  const sent: { body: unknown; idempotencyKey: string | undefined }[] = [];
  const sleeps: number[] = [];
  let nowMs = 0;
  const script: { answers: Answer[]; whenAsleep: () => Promise<unknown> } = { answers: [], whenAsleep: nothing };
  const ended = async (_tx: Tx, { intent }: IntentEnd<unknown>) => void ends.push(intent.state);
  const unreadable = async (_tx: Tx, { intentId }: IntentIncident) => void incidents.push(intentId);
  const transferKind = intentKind({
    operation: sendInternalTransfer,
    isKeyed: true,
    busyCode: null,
    unconfirmedCode: "transfer-unconfirmed",
    stored: Receipt,
    toStore: ({ status, data }) => (status === "CONFIRMED" ? { transactionId: data.transactionId } : null),
    ended,
    unreadable,
  });
  const decisionKind = intentKind({
    operation: decideKyc,
    isKeyed: false,
    busyCode: "decision-in-flight",
    unconfirmedCode: "decision-unconfirmed",
    stored: z.null(),
    toStore: () => null,
    ended,
    unreadable,
  });
  const open = (): Intents =>
    createIntents({
      post: async (_actor, operation, { body, idempotencyKey }) => {
        sent.push({ body, idempotencyKey });
        const answered: unknown = await (script.answers.shift() ?? (() => CONFIRMED))();
        const text = JSON.stringify(answered);
        const times = { asOf: new Date(nowMs), waitedMs: 0, durationMs: 0 };
        return { answer: operation.answer.parse(answered), text, ...times, requestId: "request-1" };
      },
      now: () => nowMs,
      sleep: async (ms) => {
        sleeps.push(ms);
        nowMs += ms;
        await script.whenAsleep();
      },
      random: () => 0,
    });
  const ours = open();
  const transfer = ({ amount = ORDER.amount, ...wish }: Wishes = {}, intents = ours) =>
    intents.execute(transferKind, {
      actor,
      intentId: randomUUID(),
      object: "account:a",
      body: { ...ORDER, amount },
      opened: nothing,
      prepare: nothing,
      ...wish,
    });
  const decide = (wish: Wishes = {}) =>
    ours.execute(decisionKind, {
      actor,
      intentId: randomUUID(),
      object: "kyc:1",
      body: DECISION,
      opened: nothing,
      prepare: nothing,
      ...wish,
    });
  return { script, ends, incidents, sent, sleeps, transfer, decide, elsewhere: open };
}
