import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { z } from "zod";
import { requireBuild, signIn } from "@/bench/bank/product";
import { startDurablePostgres } from "@/bench/service/durable-postgres";
import { startTemporaryProduct } from "@/scripts/checks/temporary-product.mjs";
import { root, runProgram, say } from "@/scripts/program.mjs";

const DEMO_PASSWORD = "retaguarda-demo";
const ROUNDS = 5;
const WARM_UP = 25;
/** The demo's first sweeps come to their end. */
const SETTLES_MS = 15_000;

type Screen = { name: string; role: string; path: (ids: Ids) => string };
type Ids = { kycUUID: string; ref: string };

const at = (path: string) => () => path;

const SCREENS: readonly Screen[] = [
  { name: "overview", role: "compliance", path: at("/") },
  { name: "kyc", role: "compliance", path: at("/kyc") },
  { name: "kyc/[id]", role: "compliance", path: ({ kycUUID }) => `/kyc/${kycUUID}` },
  { name: "accounts", role: "support", path: at("/accounts") },
  { name: "accounts/[ref]", role: "support", path: ({ ref }) => `/accounts/${ref}` },
  { name: "onboarding", role: "support", path: at("/onboarding") },
  { name: "wallets", role: "finance", path: at("/wallets") },
  { name: "transfers", role: "finance", path: at("/transfers") },
  { name: "approvals", role: "approver", path: at("/approvals") },
  { name: "approvals/owed", role: "approver", path: at("/api/approvals/owed") },
  { name: "webhooks", role: "admin", path: at("/webhooks") },
  { name: "calls", role: "auditor", path: at("/calls") },
  { name: "audit", role: "auditor", path: at("/audit") },
];

const Counted = z.object({
  cpu: z.object({ user: z.number(), system: z.number() }),
  statements: z.array(z.object({ text: z.string(), fromMs: z.number(), untilMs: z.number().nullable() })),
});
type Statement = z.output<typeof Counted>["statements"][number];

/** The longest chain of statements of which each begins when the one before has been answered. */
function inSeries(statements: readonly Statement[]): number {
  let [chain, endMs] = [0, Number.NEGATIVE_INFINITY];
  const until = ({ untilMs }: Statement) => untilMs ?? Number.POSITIVE_INFINITY;
  for (const one of statements.toSorted((a, b) => until(a) - until(b))) {
    if (one.fromMs < endMs) continue;
    chain += 1;
    endMs = until(one);
  }
  return chain;
}

type Product = { url: string; stop: () => Promise<void> };

async function startProduct(settings: Record<string, string>): Promise<Product> {
  return startTemporaryProduct({
    ...settings,
    NODE_OPTIONS: `--import=${pathToFileURL(join(root, "bench/queries/counting.mjs")).href}`,
    WATCH_INTERVAL_SECONDS: "600",
  });
}

const readCounted = async ({ url }: Product) => Counted.parse(await (await fetch(`${url}/counted`)).json());

type Visit = { address: string; cookie: string };

async function visit({ address, cookie }: Visit, headers: Record<string, string> = {}): Promise<string> {
  const answer = await fetch(address, { headers: { cookie, ...headers }, redirect: "manual" });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${address} answered ${answer.status}`);
  return text;
}

type Figures = { statements: Statement[]; cpuMs: number; tookMs: number };

const middle = (figures: readonly number[]): number =>
  figures.toSorted((one, other) => one - other)[Math.floor(figures.length / 2)] ?? Number.NaN;

async function timeOf(product: Product, page: Visit, requests: number): Promise<Pick<Figures, "cpuMs" | "tookMs">> {
  const before = await readCounted(product);
  const tookMs: number[] = [];
  for (let nth = 0; nth < requests; nth += 1) {
    const begunMs = performance.now();
    await visit(page);
    tookMs.push(performance.now() - begunMs);
  }
  const after = await readCounted(product);
  const used = after.cpu.user + after.cpu.system - before.cpu.user - before.cpu.system;
  return { cpuMs: used / 1_000 / requests, tookMs: middle(tookMs) };
}

async function measure(product: Product, screens: readonly Screen[], requests: number): Promise<Map<string, Figures>> {
  const cookies = new Map<string, string>();
  for (const { role } of SCREENS) {
    if (!cookies.has(role)) cookies.set(role, await signIn(product.url, `${role}@retaguarda.demo`, DEMO_PASSWORD));
  }
  const cookieOf = (role: string) => cookies.get(role) ?? "";
  const open = (role: string, path: string) => visit({ address: product.url + path, cookie: cookieOf(role) });
  await pause(SETTLES_MS);
  const [, kycUUID = ""] = /href="\/kyc\/([0-9a-f-]{36})/.exec(await open("compliance", "/kyc")) ?? [];
  const [, ref = ""] = /href="\/accounts\/([^"?]+)/.exec(await open("support", "/accounts")) ?? [];
  const figures = new Map<string, Figures>();
  for (const { name, role, path } of screens) {
    const page = { address: product.url + path({ kycUUID, ref }), cookie: cookieOf(role) };
    for (let nth = 0; nth < WARM_UP; nth += 1) await visit(page);
    await visit(page, { "x-counted": "1" });
    const { statements } = await readCounted(product);
    const rounds: Pick<Figures, "cpuMs" | "tookMs">[] = [];
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await timeOf(product, page, requests));
    const cpuMs = middle(rounds.map((round) => round.cpuMs));
    figures.set(name, { statements, cpuMs, tookMs: middle(rounds.map((round) => round.tookMs)) });
  }
  return figures;
}

async function on(settings: Record<string, string>, screens: readonly Screen[], requests: number) {
  const product = await startProduct(settings);
  try {
    return await measure(product, screens, requests);
  } finally {
    await product.stop();
  }
}

async function onPostgres(screens: readonly Screen[], requests: number) {
  const server = await startDurablePostgres();
  try {
    const settings = {
      DATABASE_URL: await server.createDatabase("console"),
      SERVICE_DATABASE_URL: await server.createDatabase("service"),
      DATA_KEY: Buffer.alloc(32, 1).toString("base64"),
      AUTH_SECRET: Buffer.alloc(32, 2).toString("base64"),
      AUDIT_KEY: Buffer.alloc(32, 3).toString("base64"),
    };
    return await on(settings, screens, requests);
  } finally {
    await server.stop();
  }
}

function printStatements(statements: readonly Statement[]): void {
  const begunMs = statements[0]?.fromMs ?? 0;
  for (const { text, fromMs, untilMs } of statements) {
    const [from, until] = [fromMs - begunMs, (untilMs ?? Number.NaN) - begunMs].map((ms) => ms.toFixed(1).padStart(6));
    say(`    ${from} – ${until}  ${text.replaceAll(/\s+/g, " ").slice(0, 240)}`);
  }
}

const count = (figure: number | undefined, width: number) => String(figure ?? "-").padStart(width);
const ms = (figure: number | undefined, width: number) => (figure?.toFixed(1) ?? "-").padStart(width);

const USAGE =
  "npm run bench:queries -- [--screens kyc,overview] [--requests 40] [--database both|postgres|pglite] [--sql]";

async function bench(): Promise<void> {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    options: { screens: text, requests: text, database: text, sql: { type: "boolean" } },
  });
  const { requests = "40", database = "both", screens: wanted } = values;
  const names = wanted?.split(",");
  const screens = SCREENS.filter(({ name }) => names === undefined || names.includes(name));
  if (screens.length === 0 || !["both", "postgres", "pglite"].includes(database)) return say(USAGE);
  await requireBuild();
  const postgres = database === "pglite" ? new Map<string, Figures>() : await onPostgres(screens, Number(requests));
  const pglite = database === "postgres" ? new Map<string, Figures>() : await on({}, screens, Number(requests));
  say("screen           statements  in series   CPU ms: PostgreSQL  PGlite   took ms: PostgreSQL  PGlite");
  for (const { name } of screens) {
    const [server, embedded] = [postgres.get(name), pglite.get(name)];
    const counts = [count(server?.statements.length, 10), count(server && inSeries(server.statements), 10)];
    const cpu = [ms(server?.cpuMs, 20), ms(embedded?.cpuMs, 7)];
    say(`${name.padEnd(16)} ${[...counts, ...cpu, ms(server?.tookMs, 21), ms(embedded?.tookMs, 7)].join(" ")}`);
    if (values.sql === true && server !== undefined) printStatements(server.statements);
  }
}

await runProgram(import.meta.url, bench);
