import { say } from "@/scripts/program.mjs";
import { type Bound, bound, printBounds } from "./bound";
import { status } from "./fault";
import { TOKEN_ROUTE } from "./fault-script";
import type { Service } from "@/bench/service/service-process";
import { answeredBound, PROCESSES, type Readers, withReaders } from "./readers";

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

export const take = (): Promise<boolean> =>
  withReaders(async (readers) => {
    say(`The token is revoked under ${CALLS} calls in ${PROCESSES} processes:`);
    const isRenewed = printBounds(await onceRevoked(readers));
    say(`The provider answers 401 to each of ${REFUSED_CALLS} calls:`);
    return printBounds(await forEver(readers)) && isRenewed;
  });
