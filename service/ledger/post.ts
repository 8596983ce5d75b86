import type { Service } from "@/service/context";
import type { Tx } from "@/service/store/db";
import { openBooks } from "./books";
import type { Movement } from "./movement";

const BATCH = 2_000;

/**
 * Enters movements in their order, in the caller's transaction: locks the accounts, refuses what would take one below
 * zero or touch a closed one (422), and writes entries and balances together.
 * Throws `UnbalancedMovement` when one would create or destroy money.
 */
export async function postAll(
  service: Pick<Service, "balances">,
  tx: Tx,
  movements: readonly Movement[],
): Promise<void> {
  const accounts = movements.flatMap(({ lines }) => lines.map((line) => line.account));
  const books = await openBooks(service, tx, accounts);
  for (let start = 0; start < movements.length; start += BATCH) {
    movements.slice(start, start + BATCH).forEach(books.enter);
    await books.write();
  }
}

/** Enters one movement: see `postAll`. */
export async function post(service: Pick<Service, "balances">, tx: Tx, movement: Movement): Promise<void> {
  await postAll(service, tx, [movement]);
}
