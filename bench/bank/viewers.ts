import { readFileSync } from "node:fs";
import { Agent, type IncomingMessage, get } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { z } from "zod";
import { type Service, answerOf } from "@/bench/service/program";
import { completeCpf } from "@/lib/contract/document";
import { KycStarted } from "@/lib/contract/kyc";
import { say } from "@/scripts/program.mjs";
import { bound, busiestMinute, percentile, printBounds } from "./bound";
import { type FaultProxy, startFaultProxy } from "./fault-proxy";
import { type Instance, type Product, addPerson, requireBuild, signIn, startInstance, withProduct } from "./product";

const SPREAD_MS = 1_000;
const REST_MS = 3_000;

const Told = z.object({
  kind: z.string(),
  topic: z.string().optional(),
  asOf: z.string().optional(),
});

const Queue = z.object({
  asOf: z.string().nullable(),
  rows: z.array(z.object({ kycUUID: z.string(), status: z.string() })),
});
type Queue = z.output<typeof Queue>;

/** Where a viewer sits: an instance, and the cookie of a session of their own. */
type Seat = { origin: string; cookie: string; agent: Agent };

/** Somebody with the KYC queue open: one stream, and the queue read again whenever it tells of a change, as a browser does. */
type Viewer = {
  /** How old what they see is, in ms; infinite before the first answer. */
  ageMs: () => number;
  reads: () => number;
  troubles: () => readonly string[];
  leave: () => void;
};

function bodyOf(answer: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    answer.setEncoding("utf8");
    answer.on("data", (part: string) => (text += part));
    answer.once("end", () => resolve(text));
    answer.once("error", reject);
  });
}

/** On a kept connection that the server was just closing it is asked again on a new one, as browsers do. */
function askForQueue({ origin, cookie, agent }: Seat): Promise<IncomingMessage> {
  const ask = (by: Agent | false) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const asked = get(`${origin}/api/kyc?status=all&page=1`, { agent: by, headers: { cookie } }, resolve);
      asked.once("error", (error) => (by !== false && asked.reusedSocket ? resolve(ask(false)) : reject(error)));
    });
  return ask(agent);
}

async function readQueue(seat: Seat): Promise<Queue> {
  const answer = await askForQueue(seat);
  const text = await bodyOf(answer);
  if (answer.statusCode !== 200) throw new Error(`the queue answered ${answer.statusCode}`);
  return Queue.parse(JSON.parse(text));
}

type Stream = { end: () => void };

/** The server's events; `broken` when the stream ends without our wish. */
function openStream(
  { origin, cookie }: Seat,
  { told, broken }: { told: (message: z.output<typeof Told>) => void; broken: (why: string) => void },
): Stream {
  let isWanted = true;
  const lost = (why: string) => isWanted && broken(why);
  const asked = get(`${origin}/api/live`, { agent: false, headers: { cookie } }, (answer) => {
    if (answer.statusCode !== 200) lost(`the stream answered ${answer.statusCode}`);
    let rest = "";
    answer.setEncoding("utf8");
    answer.on("data", (part: string) => {
      const frames = (rest + part).split("\n\n");
      rest = frames.pop() ?? "";
      for (const frame of frames) {
        const data = /^data: (.*)$/m.exec(frame)?.[1];
        if (data !== undefined) told(Told.parse(JSON.parse(data)));
      }
    });
    answer.once("close", () => lost("the stream ended"));
  });
  asked.once("error", (error) => lost(error.message));
  const end = () => {
    isWanted = false;
    asked.destroy();
  };
  return { end };
}

/** Sits down; `saw` is called with every answer of the queue. */
function sitDown(seat: Seat, saw: (queue: Queue) => void): Viewer {
  const troubles: string[] = [];
  let asOfMs = Number.NEGATIVE_INFINITY;
  let reads = 0;
  let restUntilMs = 0;
  let timer: NodeJS.Timeout | undefined;

  const read = async () => {
    timer = undefined;
    restUntilMs = Date.now() + REST_MS;
    reads += 1;
    try {
      const queue = await readQueue(seat);
      asOfMs = Math.max(asOfMs, Date.parse(queue.asOf ?? ""));
      saw(queue);
    } catch (error) {
      troubles.push(String(error));
    }
  };
  const ask = () => {
    const waitMs = Math.max(0, restUntilMs - Date.now()) + Math.random() * SPREAD_MS;
    timer ??= setTimeout(() => void read(), waitMs);
  };
  const stream = openStream(seat, {
    told: ({ kind, topic, asOf }) => {
      if (kind === "reset" || (kind === "changed" && topic === "kyc")) ask();
      if (kind === "fresh" && topic === "kyc" && timer === undefined) asOfMs = Math.max(asOfMs, Date.parse(asOf ?? ""));
      if (kind === "ended") troubles.push("the session ended");
    },
    broken: (why) => troubles.push(why),
  });
  ask();
  return {
    ageMs: () => Date.now() - asOfMs,
    reads: () => reads,
    troubles: () => troubles,
    leave: () => {
      clearTimeout(timer);
      stream.end();
    },
  };
}

/** A case got this status at the provider, at that time. */
type Change = { kycUUID: string; status: string; atMs: number };

const CHANGE_EVERY_MS = 2_000;

let started = 0;

async function post(service: Service, path: string, body: object): Promise<unknown> {
  const headers = { ...service.headers, "content-type": "application/json" };
  return answerOf(await fetch(service.origin + path, { method: "POST", headers, body: JSON.stringify(body) }));
}

/** Starts a case as another program of the tenant would. */
async function beginCase(service: Service): Promise<string> {
  started += 1;
  const person = { name: "Maria Aparecida dos Santos", birthDate: "07-09-1984", motherName: "Josefa dos Santos" };
  const vatNumber = completeCpf(String(500_000_000 + started));
  const begun = await post(service, "/v1/kyc/person", { backgroundcheckModel: "BASIC", vatNumber, ...person });
  return KycStarted.parse(begun).data.kycUUID;
}

async function openWallet(service: Service): Promise<void> {
  await post(service, "/v1/crypto/wallets", { network: "EVM" });
}

/** Open cases that change at the provider in turn, one every two seconds, until `stop`. */
function liveOn(service: Service, cases: readonly string[]): { changes: Change[]; stop: () => Promise<void> } {
  const changes: Change[] = [];
  const isOver = new AbortController();
  const live = async () => {
    for (let turn = 0; !isOver.signal.aborted; turn += 1) {
      const kycUUID = cases[turn % cases.length] ?? "";
      const status = Math.floor(turn / cases.length) % 2 === 0 ? "PENDING" : "PROCESSING";
      await service.control("POST", `/sandbox/kyc/${kycUUID}`, { status });
      changes.push({ kycUUID, status, atMs: Date.now() });
      await pause(CHANGE_EVERY_MS, undefined, { signal: isOver.signal }).catch(() => undefined);
    }
  };
  const living = live();
  return {
    changes,
    stop: async () => {
      isOver.abort();
      await living;
    },
  };
}

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
