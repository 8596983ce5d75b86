import { readFileSync } from "node:fs";
import { Agent } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { say } from "@/scripts/program.mjs";
import { bound, printBounds } from "./bound";
import { beginCase, type Change, liveOn, openWallet } from "./case-life";
import { addPerson, type Instance, requireBuild, signIn, startInstance } from "./console-process";
import { type FaultProxy, startFaultProxy } from "./fault-proxy";
import { busiestMinute, percentile } from "./minute";
import { type Product, withProduct } from "./product";
import { type Queue, type Seat, sitDown, type Viewer } from "./viewer";

const INSTANCES = 2;
const CASES = 60;
const WALLETS = 4;
/** Who looks, each at many browsers: tries of one person at a time would be held back as guesses. */
const PEOPLE = Array.from({ length: 16 }, (_, n) => `compliance-${n}@bench.example`);
const MORE = 1.05;
const MOST_STALE_MS = 45_000;
const TOKENS = { path: "/v1/authentication/oauth/access-token" };

const residentBytes = ({ pid }: Instance) =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? Number.NaN) * 1024;

type Scene = { product: Product; instances: readonly Instance[]; proxy: FaultProxy; cases: readonly string[] };
type Phase = {
  /** Calls in the busiest 60 seconds. */
  calls: number;
  callsAMinute: number;
  refusals: number;
  ages: number[];
  /** From a change at the provider until a viewer sees it. */
  delays: number[];
  reads: number;
  troubles: string[];
  bytesPerViewer: number;
};

async function takeSeats(instances: readonly Instance[], count: number): Promise<Seat[]> {
  const agents = instances.map(() => new Agent({ keepAlive: true, maxSockets: 128 }));
  const seats: Seat[] = [];
  for (let first = 0; first < count; first += PEOPLE.length) {
    const some = PEOPLE.slice(0, count - first).map(async (email, n) => {
      const instance = instances[(first + n) % instances.length];
      const agent = agents[(first + n) % instances.length];
      if (instance === undefined || agent === undefined) throw new Error("no instance");
      return { origin: instance.origin, cookie: await signIn(instance.origin, email), agent };
    });
    seats.push(...(await Promise.all(some)));
  }
  return seats;
}

/** Notes, for each viewer, how long after it happened a change was first seen. */
function noteDelays(changes: readonly Change[], fromMs: number, delays: number[]): (queue: Queue) => void {
  let next = 0;
  const unseen = new Set<Change>();
  return ({ rows }) => {
    for (; next < changes.length; next += 1) {
      const change = changes[next];
      if (change !== undefined && change.atMs >= fromMs) unseen.add(change);
    }
    const statuses = new Map(rows.map(({ kycUUID, status }) => [kycUUID, status]));
    for (const change of unseen) {
      if (statuses.get(change.kycUUID) !== change.status) continue;
      unseen.delete(change);
      delays.push(Date.now() - change.atMs);
    }
  };
}

/** So many people look at the queue for so long, while cases change. */
async function watchQueue(scene: Scene, { count, seconds }: { count: number; seconds: number }): Promise<Phase> {
  const { product, instances, proxy, cases } = scene;
  const seats = await takeSeats(instances, count);
  const life = liveOn(product.service, cases);
  const before = instances.map(residentBytes);
  const delays: number[] = [];
  const ages: number[] = [];
  const fromMs = Date.now();
  const viewers: Viewer[] = seats.map((seat) => sitDown(seat, noteDelays(life.changes, fromMs, delays)));
  // Browsers come with their rows: what counts begins once everybody has theirs.
  while (viewers.some((viewer) => viewer.ageMs() === Infinity)) await pause(100);
  proxy.forget();
  for (let second = 0; second < seconds; second += 1) {
    await pause(1_000);
    for (const viewer of viewers) ages.push(viewer.ageMs());
  }
  const calls = proxy.seen().filter(({ path }) => path !== TOKENS.path);
  const grown = instances.map((instance, n) => residentBytes(instance) - (before[n] ?? 0));
  for (const viewer of viewers) viewer.leave();
  await life.stop();
  for (const seat of seats) seat.agent.destroy();
  return {
    calls: busiestMinute(calls.map(({ atMs }) => atMs)),
    callsAMinute: (calls.length * 60) / seconds,
    refusals: calls.filter(({ status }) => status === 429).length,
    ages,
    delays,
    reads: viewers.reduce((sum, viewer) => sum + viewer.reads(), 0),
    troubles: viewers.flatMap((viewer) => viewer.troubles()),
    bytesPerViewer: grown.reduce((sum, bytes) => sum + bytes, 0) / count,
  };
}

const spreadOf = (values: readonly number[]) =>
  [50, 95, 100].map((percent) => (percentile(values, percent) / 1_000).toFixed(1)).join(" / ");

function tell(count: number, phase: Phase): void {
  say(
    `${count} viewers: ${phase.calls} calls in the busiest minute, ${phase.callsAMinute.toFixed(1)} in a mean one, ${phase.reads} reads of the queue`,
  );
  say(`  age of what they see, p50 / p95 / most: ${spreadOf(phase.ages)} s`);
  say(`  from a change to its sight, p50 / p95 / most: ${spreadOf(phase.delays)} s, ${phase.delays.length} times`);
}

async function setUp(product: Product, onClose: (close: () => Promise<void>) => void): Promise<Scene> {
  const proxy = await startFaultProxy(product.service.origin);
  onClose(proxy.stop);
  const cases: string[] = [];
  for (let n = 0; n < CASES; n += 1) cases.push(await beginCase(product.service));
  for (let n = 0; n < WALLETS; n += 1) await openWallet(product.service);
  const environment = product.consoleEnvironment(proxy.origin);
  for (const email of PEOPLE) await addPerson(environment, email, "compliance");
  const instances: Instance[] = [];
  for (let n = 0; n < INSTANCES; n += 1) {
    const instance = await startInstance(environment);
    onClose(instance.stop);
    instances.push(instance);
  }
  // What the first sweeps ask is asked once, whoever looks.
  await pause(40_000);
  return { product, instances, proxy, cases: cases.slice(-25) };
}

/** A thousand people with the KYC queue open cost the provider what one costs, and see what is new all the same. */
export async function take(flags: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...flags],
    options: { viewers: { type: "string", default: "1000" }, seconds: { type: "string", default: "180" } },
  });
  const [count, seconds] = [Number(values.viewers), Number(values.seconds)];
  await requireBuild();
  return withProduct({ serviceEnvironment: { SERVICE_RATE_LIMIT_PER_MINUTE: "200" } }, async (product, onClose) => {
    const scene = await setUp(product, onClose);
    const one = await watchQueue(scene, { count: 1, seconds });
    tell(1, one);
    const many = await watchQueue(scene, { count, seconds });
    tell(count, many);
    for (const trouble of new Set(many.troubles)) say(`  trouble: ${trouble}`);
    say(`  memory: ${Math.round(many.bytesPerViewer / 1024)} KiB a viewer, both instances together`);
    return printBounds([
      bound("calls in the busiest minute beside those for one viewer, 5 % more allowed", many.calls, {
        atMost: Math.floor(one.calls * MORE),
      }),
      bound(
        "calls in a mean minute beside those for one viewer, 5 % more allowed",
        Number(many.callsAMinute.toFixed(1)),
        {
          atMost: Number((one.callsAMinute * MORE).toFixed(1)),
        },
      ),
      bound("answers 429", one.refusals + many.refusals, { exactly: 0 }),
      bound("p95 of the age of what is seen, ms", percentile(many.ages, 95), { below: MOST_STALE_MS }),
      bound("p95 from a change to its sight, ms", percentile(many.delays, 95), { below: MOST_STALE_MS }),
      bound("streams and reads that failed", many.troubles.length, { exactly: 0 }),
    ]);
  });
}
