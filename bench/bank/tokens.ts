import type { Service } from "@/bench/service/program";
import { say } from "@/scripts/program.mjs";
import { type Bound, bound, printBounds } from "./bound";
import { status } from "./fault";
import { type FaultProxy, TOKEN_ROUTE, startFaultProxy } from "./fault-proxy";
import { type Product, withProduct } from "./product";
import { ReadingOutcome, startWorker } from "./worker";

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
    const workers = Array.from({ length: PROCESSES }, () => startWorker("read", environment));
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

const COLD_CALLS = 500;

export const coldCache = (): Promise<boolean> =>
  withReaders(async ({ proxy, readAtOnce }) => {
    const outcome = await readAtOnce(COLD_CALLS);
    return printBounds([
      bound("token requests", proxy.requests(TOKEN_ROUTE), { exactly: 1 }),
      answeredBound(outcome, COLD_CALLS),
    ]);
  });

const CALLS = 500;
const REFUSED_CALLS = 100;
/** In the meantime all calls are on their way with the old token. */
const DELAY_MS = 1_500;

async function revoke({ origin, tenant }: Service, token: string): Promise<void> {
  const basic = Buffer.from(`${tenant.clientId}:${tenant.clientSecret}`).toString("base64");
  const headers = { Authorization: `Basic ${basic}`, token };
  const { ok } = await fetch(`${origin}/v1/authentication/oauth/revoke`, { method: "POST", headers });
  if (!ok) throw new Error("the token could not be revoked");
}

/** How many tries each call took, the most and the fewest. */
function triesOf({ proxy }: Readers): { most: number; fewest: number } {
  const tries = new Map<string, number>();
  for (const { query } of proxy.seen("GET /v1/kyc/list")) tries.set(query, (tries.get(query) ?? 0) + 1);
  return { most: Math.max(...tries.values()), fewest: Math.min(...tries.values()) };
}

/** Another one of the tenant's programs has revoked the token: every process learns it from all of its calls at once. */
async function onceRevoked(readers: Readers): Promise<Bound[]> {
  const { proxy, product, readAtOnce } = readers;
  await readAtOnce(PROCESSES);
  await revoke(product.service, proxy.seen().at(-1)?.bearer ?? "");
  proxy.forget();
  proxy.delay("*", DELAY_MS);
  const outcome = await readAtOnce(CALLS);
  proxy.heal();
  const refused = proxy.seen("*").filter((seen) => seen.status === 401).length;
  return [
    bound("calls answered 401", refused, { exactly: CALLS }),
    bound("renewals", proxy.requests(TOKEN_ROUTE), { exactly: 1 }),
    bound("retries", proxy.requests("*") - CALLS, { exactly: CALLS }),
    bound("third tries", Math.max(triesOf(readers).most - 2, 0), { exactly: 0 }),
    answeredBound(outcome, CALLS),
  ];
}

/** Nothing helps: whatever the token, the provider answers 401. */
async function forEver(readers: Readers): Promise<Bound[]> {
  const { proxy, readAtOnce } = readers;
  proxy.forget();
  proxy.harm("*", status(401));
  const { answered } = await readAtOnce(REFUSED_CALLS);
  const { most, fewest } = triesOf(readers);
  return [
    bound("calls that got an answer", answered, { exactly: 0 }),
    bound("tries of each call, at most", most, { exactly: 2 }),
    bound("tries of each call, at least", fewest, { exactly: 2 }),
    bound("renewals", proxy.requests(TOKEN_ROUTE), { atMost: 1 }),
  ];
}

export const unauthorised = (): Promise<boolean> =>
  withReaders(async (readers) => {
    say(`The token is revoked under ${CALLS} calls in ${PROCESSES} processes:`);
    const isRenewed = printBounds(await onceRevoked(readers));
    say(`The provider answers 401 to each of ${REFUSED_CALLS} calls:`);
    return printBounds(await forEver(readers)) && isRenewed;
  });
