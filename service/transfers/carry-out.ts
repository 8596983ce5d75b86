import { stringifyJson } from "@/lib/contract/json";
import { openCases } from "@/service/antifraud/case";
import type { ServiceClock } from "@/service/clock";
import { conflict, errorBody, ServiceError } from "@/service/error";
import { type FirstAnswer, findAnswer, forgetOldAnswers, saveAnswer, slotOf } from "@/service/idempotency/first-answer";
import { type Books, openBooks } from "@/service/ledger/books";
import { externalTransfer } from "@/service/store/schema";
import { type Db, transaction, type Tx } from "@/service/store/transaction";
import type { Order, Ruling } from "./order";

type Ground = { db: Db; clock: ServiceClock };

const isStoredAnswer = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && (error.status === 404 || error.status === 422);

/** A business refusal is an answer, and stored like any other. */
function ruleOn({ rule }: Order, books: Books): Ruling {
  try {
    return rule(books);
  } catch (error) {
    if (isStoredAnswer(error)) return { answer: { status: error.status, text: stringifyJson(errorBody(error)) } };
    throw error;
  }
}

async function carryOut(tx: Tx, order: Order, nowMs: number): Promise<FirstAnswer> {
  const { claim, accounts, call } = order;
  const first = claim && (await findAnswer(tx, claim, nowMs));
  if (first) {
    if (first.fingerprint !== claim.fingerprint) throw conflict("The Idempotency-Key was used for another request");
    return first;
  }
  const books = await openBooks(tx, accounts);
  const { answer, external, opened } = ruleOn(order, books);
  await books.write();
  if (claim) await saveAnswer(tx, { claim, ...answer }, nowMs);
  if (external) await tx.insert(externalTransfer).values(external);
  if (opened) await openCases(call, tx, [opened]);
  return answer;
}

/** Carries an order out once by its key. Throws 409 for a running key, or one of another request. */
export type CarryOut = (order: Order) => Promise<FirstAnswer>;

const FORGET_EVERY_MS = 3_600_000;

export function createTransfers({ db, clock }: Ground): CarryOut {
  const underWay = new Set<string>();
  let forgetsAtMs = 0;

  const settle = (order: Order): Promise<FirstAnswer> => {
    const nowMs = clock.now();
    const shouldForget = nowMs >= forgetsAtMs;
    if (shouldForget) forgetsAtMs = nowMs + FORGET_EVERY_MS;
    return transaction(db, async (tx) => {
      if (shouldForget) await forgetOldAnswers(tx, nowMs);
      return carryOut(tx, order, nowMs);
    });
  };

  return async (order) => {
    const slot = order.claim && slotOf(order.claim);
    if (slot === null) return settle(order);
    if (underWay.has(slot)) throw conflict("A request with this Idempotency-Key is still running");
    underWay.add(slot);
    return settle(order).finally(() => underWay.delete(slot));
  };
}
