import { createHmac, randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Client } from "pg";
import { z } from "zod";
import { type Bound, bound, printBounds } from "@/bench/provider/bound";
import { requireBuild, startInstance, withProduct } from "@/bench/provider/product";
import { say } from "@/scripts/program.mjs";

const SECRET = "the secret of the bench alone";
/** interface: Limits, webhook response time. */
const ANSWERED_WITHIN_MS = 30_000;
const P99_MS = 300;

type Answer = { status: number; tookMs: number };

/** 0 without an answer. */
async function deliver(address: string, n: number): Promise<Answer> {
  const body = JSON.stringify({ onBoardingId: `bench-${n}`, status: "PROCESSING" });
  const sentAtMs = performance.now();
  const status = await fetch(address, {
    method: "POST",
    body,
    headers: {
      "content-type": "application/json",
      "x-webhook-event": "onboarding-create",
      "x-webhook-event-id": randomUUID(),
      "x-webhook-signature": createHmac("sha256", SECRET).update(body).digest("hex"),
    },
    signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
  }).then(
    (answer) => answer.status,
    () => 0,
  );
  return { status, tookMs: performance.now() - sentAtMs };
}

type Load = { rate: number; seconds: number };

/** Each leaves in its time, whatever became of those before. */
async function deliverAll(address: string, { rate, seconds }: Load): Promise<Answer[]> {
  const begunAtMs = performance.now();
  const sent: Promise<Answer>[] = [];
  for (let n = 0; n < rate * seconds; n += 1) {
    const waitMs = begunAtMs + (n * 1_000) / rate - performance.now();
    if (waitMs > 0) await pause(waitMs);
    sent.push(deliver(address, n));
  }
  return Promise.all(sent);
}

function percentile(sorted: readonly number[], part: number): number {
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN);
}

async function countStored(url: string): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query("select count(*)::int as stored from webhook_event");
  await client.end();
  return z.tuple([z.object({ stored: z.number() })]).parse(rows)[0].stored;
}

type Database = "embedded" | "postgres";

async function measureOn(database: Database, load: Load): Promise<Bound[]> {
  return withProduct(async ({ service, consoleEnvironment }, onClose) => {
    const { DATABASE_URL, ...others } = consoleEnvironment(service.origin);
    const environment = { ...others, ...(database === "postgres" && { DATABASE_URL }), BANK_WEBHOOK_SECRET: SECRET };
    const { origin, stop } = await startInstance(environment);
    onClose(stop);
    const address = `${origin}/api/hooks/${encodeURIComponent(service.tenant.clientId)}`;
    // The first one loads the route.
    const warm = await deliver(address, -1);
    const answers = await deliverAll(address, load);
    const taken = answers.filter(({ status }) => status === 204).length;
    const times = answers.map(({ tookMs }) => tookMs).toSorted((one, other) => one - other);
    const [p50, p99, most] = [percentile(times, 0.5), percentile(times, 0.99), percentile(times, 1)];
    say(`${database}: ${load.rate} a second for ${load.seconds} s: p50 ${p50} ms, p99 ${p99} ms, longest ${most} ms`);
    const acknowledged = bound(`${database}: acknowledged of ${answers.length}`, taken, { exactly: answers.length });
    if (database === "embedded") return [acknowledged];
    const stored = await countStored(DATABASE_URL);
    return [
      acknowledged,
      bound("postgres: p99 in ms", p99, { atMost: P99_MS }),
      bound("postgres: kept", stored, { exactly: taken + Number(warm.status === 204) }),
    ];
  });
}

export async function measure(flags: string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: flags,
    options: {
      rate: { type: "string", default: "100" },
      seconds: { type: "string", default: "60" },
      database: { type: "string", default: "both" },
    },
  });
  const load = { rate: Number(values.rate), seconds: Number(values.seconds) };
  await requireBuild();
  const databases = (["postgres", "embedded"] as const).filter(
    (one) => values.database === "both" || values.database === one,
  );
  const bounds: Bound[] = [];
  for (const database of databases) bounds.push(...(await measureOn(database, load)));
  return printBounds(bounds);
}
