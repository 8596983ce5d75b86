import { sql } from "drizzle-orm";
import type { Service } from "@/service/context";
import { areFirst, type FirstAnswer, keeping, keptValues } from "@/service/idempotency/first-answer";
import { areAsBefore, entering, type Pages, recallPages, valuesOf } from "@/service/ledger/books";
import { statement } from "@/service/store/statement";
import { sqlState } from "@/service/store/transaction";
import type { Order } from "./order";

export type Ground = Pick<Service, "db" | "clock" | "balances">;

/**
 * All of it or nothing: it fails where an account is not as memory has it, or a key has an answer already. A statement by
 * itself is a transaction, so one round trip does, and no lock is held while this process thinks.
 */
const enterAtOnce = statement(
  "transfer_at_once",
  {},
  sql`with ${entering}, ${keeping} select ${areAsBefore}, ${areFirst}`,
);

/** The answers of orders that all simply pass, entered upon the pages; null when one does not. Throws its refusal. */
function passAll(orders: readonly Order[], pages: Pages): FirstAnswer[] | null {
  const answers: FirstAnswer[] = [];
  for (const { rule } of orders) {
    const { answer, opened, external } = rule(pages);
    if (opened || external) return null;
    answers.push(answer);
  }
  return answers;
}

/** The connection was lost, or the like: the orders may have been carried out. */
export class OutcomeUnknown extends Error {
  override name = "OutcomeUnknown";
}

/** By these the database says that it did nothing. */
const UNDONE = /^(22|23|40)[0-9A-Z]{3}$/;

/**
 * Carries orders out in their sequence by what memory has of their accounts, all in one statement that the database refuses
 * unless memory was right and no key has an answer. Gives their answers; null, or a throw, when they need the books under
 * lock: because memory does not know an account, or one is more than a transfer that passes. Throws `OutcomeUnknown` when they may
 * have been carried out.
 */
export async function carryOutAtOnce(ground: Ground, orders: readonly Order[]): Promise<FirstAnswer[] | null> {
  const { balances, db, clock } = ground;
  const accounts = orders.flatMap((order) => order.accounts);
  const pages = recallPages({ balances }, accounts);
  const answers = pages && passAll(orders, pages);
  if (!answers) return null;
  const kept = answers.flatMap((answer, index) => {
    const claim = orders[index]?.claim;
    return claim ? { claim, ...answer } : [];
  });
  const values = { ...valuesOf(pages.take()), ...keptValues(kept, clock.now()) };
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
