import { type Bound, bound } from "./bound";
import { type FaultProxy, startFaultProxy } from "./fault-proxy";
import { type Product, withProduct } from "./product";
import { ReadingOutcome } from "./reading";
import { startWorker } from "./worker";

export const PROCESSES = 4;

export type Readers = {
  proxy: FaultProxy;
  product: Product;
  /** All processes read at once, so many pages together, no page twice. */
  readAtOnce: (calls: number) => Promise<ReadingOutcome>;
};

function together(outcomes: readonly ReadingOutcome[]): ReadingOutcome {
  const failures: Record<string, number> = {};
  for (const [reason, times] of outcomes.flatMap((outcome) => Object.entries(outcome.failures))) {
    failures[reason] = (failures[reason] ?? 0) + times;
  }
  return { answered: outcomes.reduce((sum, { answered }) => sum + answered, 0), failures };
}

/** Runs `measure` with four console processes that share a store, and a proxy between them and the service. */
export function withReaders(measure: (readers: Readers) => Promise<boolean>): Promise<boolean> {
  return withProduct({}, async (product, onClose) => {
    const proxy = await startFaultProxy(product.service.origin);
    onClose(proxy.stop);
    // What the console allows itself in a minute is another figure's matter.
    const environment = { ...product.consoleEnvironment(proxy.origin), BANK_CALLS_PER_MINUTE: "100000" };
    const workers = Array.from({ length: PROCESSES }, () =>
      startWorker({ file: "bench/bank/reading-process.ts", environment }),
    );
    workers.forEach((worker) => onClose(worker.stop));
    const ask = (pages: readonly (readonly number[])[]) =>
      Promise.all(
        workers.map(async (worker, index) => ReadingOutcome.parse(await worker.ask({ pages: pages[index] }))),
      );
    // Loaded, connected to the store and migrated, but without a token.
    await ask(workers.map(() => []));
    return measure({
      proxy,
      product,
      readAtOnce: async (calls) => {
        const pages = Array.from({ length: calls }, (_, index) => index + 1);
        return together(await ask(workers.map((_, nth) => pages.filter((page) => page % PROCESSES === nth))));
      },
    });
  });
}

const SHOWN_REASONS = 3;

/** That all calls were answered, or the reasons why some were not. */
export function answeredBound({ answered, failures }: ReadingOutcome, calls: number): Bound {
  const reasons = Object.entries(failures)
    .slice(0, SHOWN_REASONS)
    .map(([reason, times]) => `${times} × ${reason}`);
  const answers = bound("calls answered", answered, { exactly: calls });
  return reasons.length === 0 ? answers : { ...answers, is: `${answers.is}: ${reasons.join(", ")}` };
}
