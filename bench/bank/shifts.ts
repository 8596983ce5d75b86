import { populate } from "@/bench/service/population";
import { type FaultProxy, startFaultProxy } from "./fault-proxy";
import { type Product, withProduct } from "./product";
import { type Clicks, type Shift, ShiftOutcome, startWorker } from "./worker";

/** Few: opening one takes two calls of the minute that is measured. */
const ACCOUNTS = 8;

export type Shifts = {
  proxy: FaultProxy;
  product: Product;
  /** All of them work at the same time, divided among the processes. */
  work: (shift: Omit<Shift, "accounts" | "seed">) => Promise<ShiftOutcome>;
};

type Wish = {
  processes: number;
  serviceEnvironment?: Record<string, string>;
  /** What stands between the proxy and the service; answers where. */
  before?: (origin: string, onClose: (close: () => Promise<void>) => void) => Promise<string>;
};

/** Runs `measure` with people at so many console processes, and a proxy between these and the service. */
export function withShifts(
  { processes, serviceEnvironment = {}, before = async (origin) => origin }: Wish,
  measure: (shifts: Shifts) => Promise<boolean>,
): Promise<boolean> {
  return withProduct({ serviceEnvironment }, async (product, onClose) => {
    const accounts = await populate(product.service, ACCOUNTS);
    const proxy = await startFaultProxy(await before(product.service.origin, onClose));
    onClose(proxy.stop);
    const environment = product.consoleEnvironment(proxy.origin);
    const workers = Array.from({ length: processes }, () => startWorker("shift", environment));
    workers.forEach((worker) => onClose(worker.stop));
    const ask = (shift: Omit<Shift, "accounts" | "seed">) =>
      Promise.all(
        workers.map(async (worker, seed) => {
          const people = Math.floor((shift.people + seed) / processes);
          return ShiftOutcome.parse(await worker.ask({ ...shift, people, accounts, seed }));
        }),
      );
    // Loaded, connected to the store and migrated.
    await ask({ people: 0, seconds: 0, thinkSeconds: 0, transferPercent: 0 });
    return measure({ proxy, product, work: async (shift) => together(await ask(shift)) });
  });
}

function sum(all: readonly Clicks[]): Clicks {
  const failures: Record<string, number> = {};
  for (const [reason, times] of all.flatMap((clicks) => Object.entries(clicks.failures))) {
    failures[reason] = (failures[reason] ?? 0) + times;
  }
  return { answered: all.reduce((answered, clicks) => answered + clicks.answered, 0), failures };
}

const together = (outcomes: readonly ShiftOutcome[]): ShiftOutcome => ({
  looks: sum(outcomes.map(({ looks }) => looks)),
  transfers: sum(outcomes.map(({ transfers }) => transfers)),
  transferMs: outcomes.flatMap(({ transferMs }) => transferMs),
});

/** "31 answered, 4 × budget-spent". */
export function told({ answered, failures }: Clicks): string {
  const reasons = Object.entries(failures).map(([reason, times]) => `${times} × ${reason}`);
  return [`${answered} answered`, ...reasons].join(", ");
}
