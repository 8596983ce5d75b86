import { sql } from "drizzle-orm";
import { stringifyJson } from "@/lib/contract/json";
import { openCases } from "@/service/antifraud/case";
import type { ServiceClock } from "@/service/clock";
import { conflict, errorBody, ServiceError } from "@/service/error";
import {
  areFirst,
  type FirstAnswer,
  forgetOldAnswers,
  type GivenAnswers,
  givenAnswers,
  saveAnswers,
  keeping,
  storedValues,
  slotOf,
} from "@/service/idempotency/first-answer";
import type { LedgerAccount } from "@/service/ledger/account";
import {
  areAsBefore,
  type Balances,
  type Books,
  entering,
  openBooks,
  type Pages,
  recallPages,
  valuesOf,
} from "@/service/ledger/books";
import { type Db, sqlState, statement, transaction, type Tx } from "@/service/store/transaction";
import type { Order, Ruling } from "./order";
import { externalTransfer } from "@/service/store/schema";

type Ground = { db: Db; clock: ServiceClock; balances: Balances };

/** One statement, so one round trip and no lock while this process thinks; fails when memory was wrong. */
const enterAtOnce = statement(
  "transfer_at_once",
  {},
  sql`with ${entering}, ${keeping} select ${areAsBefore}, ${areFirst}`,
);

/** Null when one does not simply pass. */
function passAll(orders: readonly Order[], pages: Pages): FirstAnswer[] | null {
  const answers: FirstAnswer[] = [];
  for (const { rule } of orders) {
    const { answer, opened, external } = rule(pages);
    if (opened || external) return null;
    answers.push(answer);
  }
  return answers;
}

/** The connection was lost: the orders may have been carried out. */
class OutcomeUnknown extends Error {
  override name = "OutcomeUnknown";
}

/** SQLSTATEs by which nothing was done. */
const UNDONE = /^(22|23|40)[0-9A-Z]{3}$/;

/** Null, or a throw, when the books are needed under lock. Throws `OutcomeUnknown` when it may have happened. */
async function carryOutAtOnce(ground: Ground, orders: readonly Order[]): Promise<FirstAnswer[] | null> {
  const { balances, db, clock } = ground;
  const accounts = orders.flatMap((order) => order.accounts);
  const pages = recallPages({ balances }, accounts);
  const answers = pages && passAll(orders, pages);
  if (!answers) return null;
  const stored = answers.flatMap((answer, index) => {
    const claim = orders[index]?.claim;
    return claim ? { claim, ...answer } : [];
  });
  const values = { ...valuesOf(pages.take()), ...storedValues(stored, clock.now()) };
  await enterAtOnce(db, values).then(
    () => balances.note(pages.rows),
    (error: unknown) => {
      balances.forget(pages.rows.keys());
      if (UNDONE.test(sqlState(error) ?? "")) throw error;
      throw new OutcomeUnknown("nobody knows whether transfers were entered", { cause: error });
    },
  );
  return answers;
}

type Ordered = { accounts: readonly LedgerAccount[] };

type Lanes<Item> = {
  /** In order: none that touches a taken account, nor one behind such. */
  take: (waiting: readonly Item[], atMost: number) => { taken: Item[]; left: Item[] };
  release: (taken: readonly Item[]) => void;
};

// The rest of the world keeps no balance, so it needs no lane.
const storedIds = ({ accounts }: Ordered) => accounts.flatMap(({ id, kind }) => (kind === "outside" ? [] : [id]));

export function createLanes<Item>(orderOf: (item: Item) => Ordered): Lanes<Item> {
  const busy = new Set<number>();
  const take: Lanes<Item>["take"] = (waiting, atMost) => {
    const [taken, left]: [Item[], Item[]] = [[], []];
    const blocked = new Set(busy);
    for (const item of waiting) {
      const ids = storedIds(orderOf(item));
      const isFree = taken.length < atMost && ids.every((id) => !blocked.has(id));
      (isFree ? taken : left).push(item);
      for (const id of ids) (isFree ? busy : blocked).add(id);
    }
    return { taken, left };
  };
  const release: Lanes<Item>["release"] = (taken) => {
    for (const item of taken) for (const id of storedIds(orderOf(item))) busy.delete(id);
  };
  return { take, release };
}

export type TransferQueue = { submit: (order: Order) => Promise<FirstAnswer> };

type Result = { answer: FirstAnswer } | { error: unknown };
type Waiting = { order: Order; settle: (result: Result) => void };

const TOGETHER_AT_MOST = 128;
/** While one runs, the next is prepared; no two touch the same account. */
const TRANSACTIONS_AT_ONCE = 2;
/** Turns of the event loop: clients answered together ask again together. */
const GATHERING_TURNS = 2;
const FORGET_EVERY_MS = 3_600_000;
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

const anotherRequest = () => conflict("The Idempotency-Key was used for another request");

function settleOne(order: Order, given: GivenAnswers, books: Books): Result & { ruling?: Ruling } {
  const before = order.claim && given.get(slotOf(order.claim));
  if (before) return before.fingerprint === order.claim?.fingerprint ? { answer: before } : { error: anotherRequest() };
  const ruling = ruleOn(order, books);
  return { answer: ruling.answer, ruling };
}

async function settleTogether({ balances, clock }: Ground, tx: Tx, orders: readonly Order[]): Promise<Result[]> {
  const nowMs = clock.now();
  const claims = orders.flatMap(({ claim }) => claim ?? []);
  const accounts = orders.flatMap((order) => order.accounts);
  const [given, books] = await Promise.all([givenAnswers(tx, claims, nowMs), openBooks({ balances }, tx, accounts)]);
  const settled = orders.map((order) => ({ order, ...settleOne(order, given, books) }));
  const answers = settled.flatMap(({ order: { claim }, ruling }) =>
    claim && ruling ? { claim, ...ruling.answer } : [],
  );
  await Promise.all([books.write(), saveAnswers(tx, answers, nowMs)]);
  const rulings = settled.flatMap(({ ruling }) => ruling ?? []);
  const external = rulings.flatMap((ruling) => ruling.external ?? []);
  if (external.length > 0) await tx.insert(externalTransfer).values(external);
  for (const { order, ruling } of settled) if (ruling?.opened) await openCases(order.call, tx, [ruling.opened]);
  return settled;
}

/** Together; after an unforeseen failure each by itself, so that one's fault is not all's. */
async function carryOut(ground: Ground, orders: readonly Order[], shouldForget: boolean): Promise<Result[]> {
  try {
    return await transaction(ground.db, async (tx) => {
      if (shouldForget) await forgetOldAnswers(tx, ground.clock.now());
      return settleTogether(ground, tx, orders);
    });
  } catch (error) {
    if (orders.length === 1) return [{ error }];
    const results: Result[] = [];
    for (const order of orders) results.push(...(await carryOut(ground, [order], false)));
    return results;
  }
}

/** From memory where that will do, else with the books under lock. */
async function settleAll(ground: Ground, orders: readonly Order[], shouldForget: boolean): Promise<Result[]> {
  if (shouldForget) return carryOut(ground, orders, true);
  try {
    const answers = await carryOutAtOnce(ground, orders);
    if (answers) return answers.map((answer) => ({ answer }));
  } catch (error) {
    if (error instanceof OutcomeUnknown) {
      // Only what has a key can be repeated.
      const again = orders.map(async (order) => (order.claim ? carryOut(ground, [order], false) : [{ error }]));
      return (await Promise.all(again)).flat();
    }
  }
  return carryOut(ground, orders, false);
}

async function gather(): Promise<void> {
  for (let turn = 0; turn < GATHERING_TURNS; turn += 1) await new Promise((resolve) => void setImmediate(resolve));
}

export function createTransferQueue(ground: Ground): TransferQueue {
  const underWay = new Set<string>();
  const lanes = createLanes<Waiting>(({ order }) => order);
  let waiting: Waiting[] = [];
  let running = 0;
  let forgetsAtMs = 0;

  const run = async (): Promise<void> => {
    running += 1;
    for (await gather(); waiting.length > 0; await gather()) {
      const { taken: together, left } = lanes.take(waiting, TOGETHER_AT_MOST);
      // What is left waits for the other transaction, whose run goes on with it.
      if (together.length === 0) break;
      waiting = left;
      const nowMs = ground.clock.now();
      const shouldForget = nowMs >= forgetsAtMs;
      if (shouldForget) forgetsAtMs = nowMs + FORGET_EVERY_MS;
      const orders = together.map(({ order }) => order);
      const results = await settleAll(ground, orders, shouldForget);
      lanes.release(together);
      together.forEach(({ settle }, index) =>
        settle(results[index] ?? { error: new Error("a transfer was not settled") }),
      );
    }
    running -= 1;
  };

  const settled = (order: Order): Promise<Result> =>
    new Promise((settle) => {
      waiting.push({ order, settle });
      if (running < TRANSACTIONS_AT_ONCE) void run();
    });

  return {
    submit: async (order) => {
      const slot = order.claim && slotOf(order.claim);
      if (slot !== null && underWay.has(slot)) throw conflict("A request with this Idempotency-Key is still running");
      if (slot !== null) underWay.add(slot);
      const result = await settled(order);
      if (slot !== null) underWay.delete(slot);
      if ("error" in result) throw result.error;
      return result.answer;
    },
  };
}
