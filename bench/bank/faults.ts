import { once } from "node:events";
import { createServer } from "node:http";
import { parseArgs } from "node:util";
import { z } from "zod";
import { civilDay } from "@/lib/text/time";
import { answerOf, type Service, startService } from "@/bench/service/service-process";
import { say } from "@/scripts/program.mjs";
import { freePort } from "@/scripts/checks/temporary-product.mjs";
import { type Bound, bound, printBounds } from "./bound";
import { catalogue, type Ordeal } from "./fault-catalogue";
import { type Cell, endure } from "./fault-cell";
import { connectionsLeft, crowdIntoBlackHole, swallowGibibyte } from "./fault-crowd";
import { type Endpoint, endpointsOf } from "./fault-endpoints";
import { type Ground, layGround } from "./fault-ground";
import { type FaultProxy, startFaultProxy } from "./fault-proxy";

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
