import { log } from "@/lib/log/log";
import type { Db, Tx } from "./connection";
import { withoutParameters } from "./error";

const SLICE_ROWS = 50;

/** Each slice in its own transaction, so that other writers wait for one at most. `then` gets the committed rows. */
export async function inSlices<Row, Done>(
  store: Db,
  rows: readonly Row[],
  write: (tx: Tx, slice: readonly Row[]) => Promise<Done>,
  then: (done: Done) => void = () => undefined,
): Promise<void> {
  for (let at = 0; at < rows.length; at += SLICE_ROWS)
    then(await store.transaction((tx) => write(tx, rows.slice(at, at + SLICE_ROWS))));
}

/** The order of a file's row, or why there is none. */
export type Judged<Ordered, Refused> = { order: Ordered } | { outcome: Refused };

/** Saves the orders in slices. When one fails, it and all later ones are `unsaved`; throws when none is saved. */
export async function saveJudged<Ordered, Refused extends string, Saved extends string>(
  store: Db,
  judged: readonly Judged<Ordered, Refused>[],
  save: (tx: Tx, slice: readonly Ordered[]) => Promise<readonly Saved[]>,
): Promise<(Refused | Saved | "unsaved")[]> {
  const orders = judged.flatMap((one) => ("order" in one ? [one.order] : []));
  const saved: Saved[] = [];
  try {
    await inSlices(store, orders, save, (outcomes) => void saved.push(...outcomes));
  } catch (error) {
    if (saved.length === 0) throw error;
    log.error({ err: withoutParameters(error), rows: orders.length, saved: saved.length }, "a file was saved in part");
  }
  const outcomes = saved.values();
  return judged.map((one) => ("order" in one ? (outcomes.next().value ?? "unsaved") : one.outcome));
}
