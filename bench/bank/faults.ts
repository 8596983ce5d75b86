import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as pause, setTimeout as sleep } from "node:timers/promises";
import { inspect, parseArgs } from "node:util";
import { z } from "zod";
import { type Service, answerOf, startService } from "@/bench/service/program";
import { BankError } from "@/lib/bank/answer";
import type { Call } from "@/lib/bank/call-log";
import { createCircuit } from "@/lib/bank/circuit";
import { createBank } from "@/lib/bank/client";
import { type Wire, WireError, sendOverHttp } from "@/lib/bank/wire-http";
import { civilDay } from "@/lib/text/time";
import { freePort } from "@/scripts/checks/temporary-product.mjs";
import { say } from "@/scripts/program.mjs";
import { type Bound, bound, printBounds } from "./bound";
import { type Ordeal, type Outcome, blackHole, catalogue, endless } from "./fault";
import { type Customer, type Endpoint, type Ground, endpointsOf, layGround } from "./fault-endpoints";
import { type FaultProxy, startFaultProxy } from "./fault-proxy";

/** What came of one call that met one fault. */
type Cell = {
  route: string;
  outcome: Outcome | "untyped";
  requests: number;
  executions: number;
  tookMs: number;
  /** What must not be, in words; empty when all is well. */
  wrong: readonly string[];
};

/** `speed`: how many times as fast as ours the client's clock goes, so that its limits and pauses shrink alike. */
type Stage = { service: Service; proxy: FaultProxy; speed: number };

const READ_WITHIN_MS = 20_000;
const WRITE_WITHIN_MS = 45_000;
const TOLERANCE_MS = 500;

/** After 0, 1, 3, 7 and 15 s of a person's 20. */
const MOST_READS = 5;

/** `label`: what the proxy knows its calls by. */
type Log = { label: string; calls: Call[]; pausesMs: number[]; slowedDownMs: (number | null)[] };

const tokenOf = ({ headers }: Service): string => headers["Authorization"]?.replace("Bearer ", "") ?? "";
const emptyLog = (): Log => ({ label: randomUUID(), calls: [], pausesMs: [], slowedDownMs: [] });

/** A client as the console has it, alone with its circuit: its budget lets everything pass, its clock goes faster. */
function hire({ service, proxy, speed }: Stage, log: Log): Customer {
  const now = () => performance.now() * speed;
  const wire: Wire = (call) => {
    const { connectMs, firstByteMs, totalMs, maxBytes } = call.limits;
    const limits = {
      connectMs: connectMs / speed,
      firstByteMs: firstByteMs / speed,
      totalMs: totalMs / speed,
      maxBytes,
    };
    return sendOverHttp({ ...call, headers: { ...call.headers, "x-bench-label": log.label }, limits });
  };
  let generation = 0;
  const value = tokenOf(service);
  const bank = createBank({
    tenant: { clientId: service.tenant.clientId, baseUrl: proxy.origin },
    wire,
    tokens: { get: async () => ({ value, generation }), reject: () => void (generation += 1) },
    budget: {
      admit: async () => ({ waitedMs: 0 }),
      slowDown: async (retryAfterMs) => void log.slowedDownMs.push(retryAfterMs),
      use: () => Promise.reject(new Error("nobody looks at the meter")),
    },
    circuit: createCircuit({ now, sleep: (ms) => sleep(ms / speed) }),
    logCall: (call) => void log.calls.push(call),
    now,
    wallTime: () => new Date(),
    sleep: async (ms) => {
      log.pausesMs.push(ms);
      await sleep(ms / speed);
    },
    random: Math.random,
  });
  return { bank, wire, baseUrl: proxy.origin, credentials: service.tenant };
}

const isToken = ({ route }: Endpoint) => route.endsWith("/access-token");

/** Without a token there is no call at all, so it matters less what kept it away; junk is never one. */
const WITHOUT_TOKEN = ["unavailable", "malformed", "forbidden"] as const;

function expectedOf({ fault, becomes }: Ordeal, endpoint: Endpoint): readonly Outcome[] {
  if (isToken(endpoint) && fault !== null) return [...becomes.filter((outcome) => outcome !== "ok"), ...WITHOUT_TOKEN];
  return endpoint.isServed || !becomes.includes("ok") ? becomes : [...becomes, "forbidden"];
}

type Ending = Omit<Cell, "wrong"> & { error: unknown };

/** Bounded in time, typed, never sent or carried out more often than it may be. */
function* faultsOf(
  ordeal: Ordeal,
  endpoint: Endpoint,
  ending: Ending & { calls: readonly Call[]; speed: number },
): Generator<string> {
  const { outcome, requests, executions, tookMs, error, calls, speed } = ending;
  const { isRead } = endpoint;
  const dueMs = (isRead ? READ_WITHIN_MS : WRITE_WITHIN_MS) / speed;
  // The last of several attempts may be cut short by the deadline, whatever was answered to those before.
  const isOutOfTime = isRead && outcome === "unavailable" && tookMs > dueMs - TOLERANCE_MS / speed;
  const isExpected = isOutOfTime || expectedOf(ordeal, endpoint).some((expected) => expected === outcome);
  if (!isExpected) yield `became ${outcome}`;
  if (error !== undefined && !(error instanceof BankError)) yield `threw ${inspect(error)}`;
  if (tookMs > dueMs + TOLERANCE_MS) yield `took ${tookMs.toFixed(0)} ms`;
  const renewals = calls.filter(({ status }) => status === 401).length;
  if (requests > (isRead ? MOST_READS : 1) + Math.min(renewals, 1)) yield `sent ${requests} times`;
  for (const { kind, status } of calls.slice(0, -1)) {
    const mayGoAgain = status === 401 || (isRead && (kind === "unavailable" || kind === "rate-limited"));
    if (!mayGoAgain) yield `sent again after ${kind}`;
  }
  if (!isRead && executions > 1) yield `carried out ${executions} times`;
  if (!(error instanceof BankError) || isRead || isToken(endpoint)) return;
  const { mayHaveExecuted } = error.details;
  if (executions > 0 && mayHaveExecuted !== true) yield "carried out, and the client denies it";
  if (requests === 0 && mayHaveExecuted !== false) yield "never sent, and the client does not know";
}

/** What the log and the budget were told, and that nobody was told a secret. */
function* sayingsOf(ordeal: Ordeal, log: Log, ending: Ending & { secrets: readonly string[] }): Generator<string> {
  const { error, requests, secrets } = ending;
  const told = inspect([error, log.calls], { depth: 12 });
  if (secrets.some((secret) => told.includes(secret))) yield "told a secret";
  if (log.calls.length < requests) yield `${requests} calls, ${log.calls.length} in the log`;
  const [id] = log.calls.map((call) => call.id);
  if (error instanceof BankError && error.details.requestId !== id) yield "the error names another request";
  if (ordeal.retryAfterMs === undefined) return;
  const obeyed = ordeal.retryAfterMs;
  if (!log.slowedDownMs.every((ms) => ms === obeyed)) yield `slowed down by ${log.slowedDownMs.join(", ")}`;
  if (log.slowedDownMs.length !== requests) yield `slowed down ${log.slowedDownMs.length} times`;
  if (log.pausesMs.some((ms) => ms < (obeyed ?? 0))) yield `waited only ${log.pausesMs.join(", ")} ms`;
}

function arrange({ proxy }: Stage, ordeal: Ordeal, { route }: Endpoint): void {
  if (ordeal.fault !== null) proxy.harm(route, ordeal.fault);
  if (ordeal.delayMs !== undefined) proxy.delay(route, ordeal.delayMs);
}

const errorOf = (sending: Promise<unknown>): Promise<unknown> =>
  sending.then(
    () => undefined,
    (error: unknown) => error,
  );

/** Sends one call of the endpoint into the fault, and judges what comes of it. Keyed and in doubt: sends it again with its key. */
async function endure(stage: Stage, ordeal: Ordeal, endpoint: Endpoint): Promise<Cell> {
  const { proxy, service, speed } = stage;
  const { route } = endpoint;
  const log = emptyLog();
  const customer = hire(stage, log);
  const send = await endpoint.prepare();
  arrange(stage, ordeal, endpoint);
  const startedAtMs = performance.now();
  const error = await errorOf(send(customer));
  const tookMs = performance.now() - startedAtMs;
  const kind = error instanceof BankError ? error.kind : "untyped";
  const seen = proxy.seen(route).filter(({ label }) => label === log.label);
  const ending: Ending = {
    route,
    outcome: error === undefined ? "ok" : kind,
    requests: seen.length,
    executions: seen.filter(({ status }) => status !== null && status < 300).length,
    tookMs,
    error,
  };
  const secrets = [tokenOf(service), service.tenant.clientSecret];
  const wrong = [
    ...faultsOf(ordeal, endpoint, { ...ending, calls: log.calls, speed }),
    ...(isToken(endpoint) ? [] : sayingsOf(ordeal, log, { ...ending, secrets })),
  ];
  if (endpoint.isKeyed && error instanceof BankError && error.details.mayHaveExecuted === true) {
    proxy.heal(route);
    const again = await errorOf(send(hire(stage, emptyLog())));
    if (again !== undefined) wrong.push(`again with its key: ${inspect(again)}`);
  }
  const { outcome, requests, executions } = ending;
  return { route, outcome, requests, executions, tookMs, wrong };
}

const CROWD = 200;
const DEADLINE_MS = 2_000;
const GIBIBYTE = 2 ** 30;
/** Longer than an idle connection is kept. */
const CLOSED_WITHIN_MS = 6_000;

const callTo = ({ origin }: FaultProxy, totalMs: number) =>
  ({
    method: "GET",
    url: new URL("/v1/webhooks", origin),
    headers: {},
    limits: { connectMs: 3_000, firstByteMs: 10_000, totalMs, maxBytes: 5 * 2 ** 20 },
  }) as const;

async function fail(proxy: FaultProxy, totalMs: number): Promise<{ code: string; tookMs: number }> {
  const startedAtMs = performance.now();
  const error = await errorOf(sendOverHttp(callTo(proxy, totalMs)));
  return { code: error instanceof WireError ? error.code : "untyped", tookMs: performance.now() - startedAtMs };
}

/** What is left of the connections once the idle ones had time to close. */
async function connectionsLeft(proxies: readonly FaultProxy[]): Promise<number> {
  const left = () => proxies.reduce((sum, proxy) => sum + proxy.connections(), 0);
  const giveUpAtMs = performance.now() + CLOSED_WITHIN_MS;
  while (left() > 0 && performance.now() < giveUpAtMs) await pause(50);
  return left();
}

/** 200 calls that are never answered, all at once: they end on time, and the others hardly notice. */
async function crowdIntoBlackHole(proxy: FaultProxy): Promise<readonly Bound[]> {
  proxy.harm("*", blackHole);
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const ends = await Promise.all(Array.from({ length: CROWD }, () => fail(proxy, DEADLINE_MS)));
  delay.disable();
  proxy.heal();
  const offMs = Math.max(...ends.map(({ tookMs }) => Math.abs(tookMs - DEADLINE_MS)));
  return [
    bound(
      `of ${CROWD} calls into a black hole, answered in time by "no-answer"`,
      ends.filter(({ code }) => code === "no-answer").length,
      { exactly: CROWD },
    ),
    bound("furthest from their deadline, ms", Math.round(offMs), { atMost: 500 }),
    bound("delay of the event loop meanwhile, p99, ms", Math.round(delay.percentile(99) / 1e6), { below: 100 }),
    bound("connections left of them", await connectionsLeft([proxy]), { exactly: 0 }),
  ];
}

/** An answer of 1 GiB: what it takes of the memory at its worst. */
async function swallowGibibyte(proxy: FaultProxy): Promise<readonly Bound[]> {
  proxy.harm("*", endless(GIBIBYTE));
  const before = process.memoryUsage.rss();
  let worst = before;
  const watch = setInterval(() => (worst = Math.max(worst, process.memoryUsage.rss())), 1);
  const { code } = await fail(proxy, 20_000);
  clearInterval(watch);
  proxy.heal();
  const grownMib = Math.round((Math.max(worst, process.memoryUsage.rss()) - before) / 2 ** 20);
  return [
    { what: "an answer of 1 GiB", is: code, isMet: code === "answer-too-large" },
    bound("memory grown by it, MiB", grownMib, { below: 50 }),
  ];
}

/** Faults at once, each at a proxy of its own; one endpoint after the other would take an hour. */
const AT_ONCE = 4;

type Row = { ordeal: Ordeal; cells: readonly Cell[] };

async function endureAll(
  proxy: FaultProxy,
  ordeal: Ordeal,
  given: { service: Service; endpoints: readonly Endpoint[]; speed: number },
): Promise<Row> {
  const { service, endpoints, speed } = given;
  if (ordeal.isRefused) await proxy.close();
  const cells = await Promise.all(endpoints.map((endpoint) => endure({ service, proxy, speed }, ordeal, endpoint)));
  if (ordeal.isRefused) await proxy.open();
  proxy.heal();
  proxy.forget();
  return { ordeal, cells };
}

const most = (numbers: readonly number[]) => Math.max(0, ...numbers);

function lineOf({ ordeal, cells }: Row): string {
  const outcomes = new Map<string, number>();
  for (const { outcome } of cells) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  const became = [...outcomes].map(([outcome, times]) => `${outcome} ${times}`).join(", ");
  const sent = (isRead: boolean) =>
    most(cells.filter(({ route }) => route.startsWith("GET") === isRead).map(({ requests }) => requests));
  const executed = most(cells.filter(({ route }) => !route.startsWith("GET")).map(({ executions }) => executions));
  const slowest = `${Math.round(most(cells.map(({ tookMs }) => tookMs)))} ms`;
  const wrong = cells.filter((cell) => cell.wrong.length > 0).length;
  return [
    wrong === 0 ? "✓" : "✗",
    ordeal.name.padEnd(52),
    became.padEnd(34),
    `${sent(true)}/${sent(false)}`.padStart(5),
    `${executed}`.padStart(5),
    slowest.padStart(9),
  ].join(" ");
}

const Statement = z.object({
  data: z.object({
    transactions: z.array(z.object({ type: z.string(), description: z.string() })),
    totalPages: z.number(),
  }),
});

/** How many of the keyed transfers were paid, and how many of them more than once. */
async function paymentsOf(
  { origin, headers }: Service,
  { payer }: Ground,
): Promise<{ paid: number; paidAgain: number }> {
  const times = new Map<string, number>();
  const day = civilDay(new Date());
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const query = new URLSearchParams({ ...payer, initialDate: day, endDate: day, limit: "500", page: `${page}` });
    const { data } = Statement.parse(
      await answerOf(await fetch(`${origin}/v1/bank-accounts/history?${query}`, { headers })),
    );
    pages = data.totalPages;
    const transfers = data.transactions.filter(({ type }) => type === "INTERNAL" || type === "TED");
    for (const { description } of transfers) times.set(description, (times.get(description) ?? 0) + 1);
  }
  return { paid: times.size, paidAgain: [...times.values()].filter((count) => count > 1).length };
}

/** Where a redirect would lead. */
async function startCanary() {
  let visits = 0;
  const server = createServer((_, outgoing) => {
    visits += 1;
    outgoing.end("{}");
  });
  const port = await freePort();
  await once(server.listen(port, "127.0.0.1"), "listening");
  return { origin: `http://127.0.0.1:${port}/canary`, visits: () => visits, stop: () => void server.close() };
}

/** Shares the ordeals among the proxies, and says of each what came of it, in their order. */
async function endureEach(
  ordeals: readonly Ordeal[],
  proxies: readonly FaultProxy[],
  endured: (proxy: FaultProxy, ordeal: Ordeal) => Promise<Row>,
): Promise<readonly Row[]> {
  const rows = new Map<number, Row>();
  const next = ordeals.entries();
  let said = 0;
  const work = async (proxy: FaultProxy) => {
    for (const [index, ordeal] of next) {
      rows.set(index, await endured(proxy, ordeal));
      for (let row = rows.get(said); row !== undefined; row = rows.get(said)) {
        say(lineOf(row));
        said += 1;
      }
    }
  };
  await Promise.all(proxies.map(work));
  return [...rows.values()];
}

function countCrashes(): () => number {
  let crashes = 0;
  const crashed = (error: unknown) => {
    crashes += 1;
    say(`✗ nobody caught ${String(error)}`);
  };
  process.on("uncaughtException", crashed);
  process.on("unhandledRejection", crashed);
  return () => crashes;
}

/** Everything wrong, the first of each kind; nothing when all is well. */
function printWrongs(rows: readonly Row[]): void {
  const all = rows.flatMap(({ ordeal, cells }) =>
    cells.flatMap(({ route, wrong }) => wrong.map((what) => `${ordeal.name} · ${route}: ${what}`)),
  );
  all.slice(0, 60).forEach((what) => say(`✗ ${what}`));
}

function boundsOf(rows: readonly Row[]): readonly Bound[] {
  const cells = rows.flatMap((row) => row.cells);
  const wrong = (pattern: RegExp) => cells.filter((cell) => cell.wrong.some((what) => pattern.test(what))).length;
  return [
    bound("calls that became what they should not", wrong(/^(became|threw)/), { exactly: 0 }),
    bound("calls that took longer than they may", wrong(/^took/), { exactly: 0 }),
    bound("calls sent again where that is forbidden", wrong(/^sent/), { exactly: 0 }),
    bound("writes carried out twice", wrong(/^carried out \d/), { exactly: 0 }),
    bound("errors that tell a lie about what may have happened", wrong(/the client/), { exactly: 0 }),
    bound("calls wrongly logged, paused or told a secret of", wrong(/^(told|\d|the error|slowed|waited)/), {
      exactly: 0,
    }),
    bound("keyed writes not confirmed when sent again with their key", wrong(/^again/), { exactly: 0 }),
  ];
}

async function measure(
  service: Service,
  proxies: readonly FaultProxy[],
  { speed, only }: { speed: number; only: string },
): Promise<boolean> {
  const [first] = proxies;
  if (first === undefined) throw new Error("no proxy was started");
  const crashes = countCrashes();
  const canary = await startCanary();
  const ground = await layGround(service);
  const endpoints = endpointsOf(ground);
  const swallowed = await swallowGibibyte(first);
  const crowded = await crowdIntoBlackHole(first);
  first.forget();
  const ordeals = catalogue({ canary: canary.origin, speed }).filter(({ name }) => name.includes(only));
  say(`${ordeals.length} faults × ${endpoints.length} endpoints, the client's clock ${speed} times as fast\n`);
  say(`  ${"fault".padEnd(52)} ${"became".padEnd(34)} sent* done  slowest`);
  const rows = await endureEach(ordeals, proxies, (proxy, ordeal) =>
    endureAll(proxy, ordeal, { service, endpoints, speed }),
  );
  say("* how often at most: reads / writes\n");
  printWrongs(rows);
  const { paid, paidAgain } = await paymentsOf(service, ground);
  canary.stop();
  return printBounds([
    { what: "calls that met a fault", is: `${rows.flatMap((row) => row.cells).length}`, isMet: rows.length > 0 },
    ...boundsOf(rows),
    bound("payments that the statement shows", paid, { atLeast: 1 }),
    bound(`of ${paid} payments, paid more than once`, paidAgain, { exactly: 0 }),
    bound("requests where redirects led", canary.visits(), { exactly: 0 }),
    ...crowded,
    ...swallowed,
    bound("connections left at the end", await connectionsLeft(proxies), { exactly: 0 }),
    bound("crashes and rejections nobody handled", crashes(), { exactly: 0 }),
  ]);
}

export async function take(flags: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...flags],
    options: { speed: { type: "string", default: "4" }, only: { type: "string", default: "" } },
  });
  const service = await startService({});
  const proxies = await Promise.all(Array.from({ length: AT_ONCE }, () => startFaultProxy(service.origin)));
  try {
    return await measure(service, proxies, { speed: Number(values.speed), only: values.only });
  } finally {
    for (const proxy of proxies) await proxy.stop();
    await service.stop();
  }
}
