import { Agent, get } from "node:http";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Client } from "pg";
import { populate } from "@/bench/service/population";
import { root, run, say } from "@/scripts/program.mjs";
import { type Bound, printBounds } from "./bound";
import {
  type Instance,
  type Product,
  addPerson,
  next,
  requireBuild,
  signIn,
  startInstance,
  startNext,
  withProduct,
} from "./product";

const MOST_TIMES = 2;
const ROUNDS = 5;
const WARM_UP = 500;
const EMAIL = "support@bench.example";

const bareFolder = join(root, "bench/bank/bare-next");

type Target = { name: string; address: string; headers: Record<string, string> };

/** A Next route handler that passes the same call on and does nothing else. */
async function startBare({ service }: Product): Promise<Instance> {
  const built = await run(process.execPath, [next, "build", bareFolder], { quiet: true });
  if (!built.ok) throw new Error(built.output);
  const environment = {
    UPSTREAM: service.origin,
    AUTHORIZATION: service.headers["Authorization"] ?? "",
    CLIENT_ID: service.tenant.clientId,
    NEXT_TELEMETRY_DISABLED: "1",
  };
  return startNext(bareFolder, environment);
}

/** The reference under which the console keeps the account, once its watch has found it. */
async function referenceOf(databaseUrl: string, accountId: string): Promise<string> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (;;) {
      const { rows } = await client.query<{ ref: string }>("select ref from account where account_id = $1", [
        accountId,
      ]);
      const [found] = rows;
      if (found !== undefined) return found.ref;
      await pause(250);
    }
  } finally {
    await client.end();
  }
}

/** How long one answer takes, in ms; throws on anything but a 200. */
function ask(agent: Agent, { address, headers }: Target): Promise<number> {
  return new Promise((resolve, reject) => {
    const startedAtMs = performance.now();
    get(address, { agent, headers }, (answer) => {
      answer.on("data", () => undefined);
      answer.once("end", () => {
        if (answer.statusCode === 200) resolve(performance.now() - startedAtMs);
        else reject(new Error(`${address} answered ${answer.statusCode}`));
      });
    }).once("error", reject);
  });
}

async function askAgain(agent: Agent, target: Target, times: number): Promise<number[]> {
  const tookMs: number[] = [];
  for (let time = 0; time < times; time += 1) tookMs.push(await ask(agent, target));
  return tookMs;
}

const percentile = (tookMs: readonly number[], share: number): number =>
  tookMs.toSorted((one, other) => one - other)[Math.floor(tookMs.length * share)] ?? Number.NaN;

async function compare(targets: readonly Target[], requests: number): Promise<Map<string, number[]>> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const tookMs = new Map(targets.map(({ name }): [string, number[]] => [name, []]));
  for (const target of targets) await askAgain(agent, target, WARM_UP);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const target of targets) tookMs.get(target.name)?.push(...(await askAgain(agent, target, requests / ROUNDS)));
  }
  agent.destroy();
  return tookMs;
}

async function targetsOf(product: Product, onClose: (close: () => Promise<void>) => void): Promise<Target[]> {
  const { service, consoleEnvironment } = product;
  const [account] = await populate(service, 1);
  if (account === undefined) throw new Error("no account was opened");
  const environment: Record<string, string> = {
    ...consoleEnvironment(service.origin),
    BANK_CALLS_PER_MINUTE: "1000000",
  };
  await addPerson(environment, EMAIL, "support");
  const fixture: Instance = await startInstance(environment);
  onClose(fixture.stop);
  const bare = await startBare(product);
  onClose(bare.stop);
  const ref = await referenceOf(environment["DATABASE_URL"] ?? "", account.accountId);
  const asked = `?${new URLSearchParams(account)}`;
  return [
    { name: "provider", address: `${service.origin}/v1/bank-accounts/balance${asked}`, headers: service.headers },
    { name: "bare route", address: `${bare.origin}/api/balance${asked}`, headers: {} },
    {
      name: "console",
      address: `${fixture.origin}/api/accounts/${ref}/balance`,
      headers: { cookie: await signIn(fixture.origin, EMAIL) },
    },
  ];
}

function boundsOf(tookMs: ReadonlyMap<string, readonly number[]>): Bound[] {
  return [0.5, 0.99].map((share) => {
    const of = (name: string) => percentile(tookMs.get(name) ?? [], share);
    const ratio = of("console") / of("bare route");
    return {
      what: `p${share * 100} of the console beside a bare route handler that passes the same call on`,
      is: `${ratio.toFixed(2)} times (at most ${MOST_TIMES})`,
      isMet: ratio <= MOST_TIMES,
    };
  });
}

/** What the way through the console (session, permission, store, limit, record) adds to a call: one client, one at a time. */
export async function take(flags: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({ args: [...flags], options: { requests: { type: "string", default: "5000" } } });
  await requireBuild();
  return withProduct({}, async (product, onClose) => {
    const tookMs = await compare(await targetsOf(product, onClose), Number(values.requests));
    for (const [name, all] of tookMs) {
      const [p50, p99] = [percentile(all, 0.5), percentile(all, 0.99)].map((ms) => ms.toFixed(2));
      say(`${name.padEnd(12)} p50 ${p50} ms, p99 ${p99} ms`);
    }
    return printBounds(boundsOf(tookMs));
  });
}
