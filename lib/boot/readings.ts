import { setTimeout as sleep } from "node:timers/promises";
import { and, count, inArray, min, sql } from "drizzle-orm";
import { isLiving } from "@/lib/auth/sessions";
import { db } from "@/lib/db/connection";
import { withoutParameters } from "@/lib/db/error";
import { staffSession } from "@/lib/db/tables/auth";
import { providerIntent } from "@/lib/db/tables/provider";
import { watchState } from "@/lib/db/tables/watch";
import { liveHub } from "@/lib/live/live";
import { log } from "@/lib/log/log";
import { setFollowed } from "@/lib/metrics/follow";
import { instruments } from "@/lib/metrics/instruments";
import { standing } from "@/lib/provider/client";
import { isAbandoned, isUnanswered } from "@/lib/provider/intents/intent-record";
import { env } from "@/lib/settings/env";
import { intervalOf, type Watch } from "@/lib/watch/watch";
import { certificateEnd } from "@/lib/health/certificate";
import { readAuditHead, readWrites } from "@/lib/health/read";

/** `keptMs`: how long its figures serve. A failed one leaves none of them. */
type Reading = { name: string; keptMs: number; clear: () => void; read: () => Promise<void> };

const KEPT_MS = 5_000;
const CERTIFICATE_KEPT_MS = 10 * 60_000;

const tenants = () => env().tenants.map(({ clientId }) => clientId);

const ageS = (at: Parameters<typeof min>[0]) =>
  sql`extract(epoch from clock_timestamp() - ${min(at)})::float8`.mapWith((seconds) => Math.max(0, Number(seconds)));

const secondsSince = (at: string) => Math.max(0, (Date.now() - Date.parse(at)) / 1000);

function watches(started: readonly Watch[]): Reading {
  const { lag, failing } = instruments().watches;
  return {
    name: "watches",
    keptMs: KEPT_MS,
    clear: () => [lag, failing].forEach((gauge) => gauge.reset()),
    async read() {
      const { tenant, name, asOf, failedAt } = watchState;
      const rows = await (
        await db()
      )
        .select({
          tenant,
          name,
          sinceS: sql`extract(epoch from clock_timestamp() - ${asOf})::float8`.mapWith(Number),
          isFailing: sql<boolean>`${failedAt} is not null`,
        })
        .from(watchState)
        .where(inArray(tenant, tenants()));
      for (const at of tenants()) {
        for (const watch of started) {
          const row = rows.find((one) => one.tenant === at && one.name === watch.name);
          // One that never ended well is late since this process began.
          const sinceS = row?.sinceS ?? process.uptime();
          lag.set({ tenant: at, watch: watch.name }, Math.max(0, sinceS - intervalOf(watch) / 1000));
          failing.set({ tenant: at, watch: watch.name }, Number(row?.isFailing ?? false));
        }
      }
    },
  };
}

/** What is unknown is read as the health screen reads it, and counted in no other state. */
const writesByState = () => ({
  sending: sql`${providerIntent.state} = 'SENDING' and not (${isAbandoned(env().databaseUrl === null)})`,
  held: sql`${providerIntent.state} = 'HELD' and not ${isUnanswered}`,
});

function writes(): Reading {
  const { writes: counted, oldestWrite: age } = instruments();
  return {
    name: "writes",
    keptMs: KEPT_MS,
    clear: () => [counted, age].forEach((gauge) => gauge.reset()),
    async read() {
      const store = await db();
      const { tenant, createdAt } = providerIntent;
      for (const [state, which] of Object.entries(writesByState())) {
        const rows = await store
          .select({ tenant, rows: count(), oldestS: ageS(createdAt) })
          .from(providerIntent)
          .where(and(inArray(tenant, tenants()), which))
          .groupBy(tenant);
        for (const at of tenants()) {
          const row = rows.find((one) => one.tenant === at);
          counted.set({ tenant: at, state }, row?.rows ?? 0);
          age.set({ tenant: at, state }, row?.oldestS ?? 0);
        }
      }
      for (const at of tenants()) {
        const { open, oldestAt } = await readWrites(store, at);
        counted.set({ tenant: at, state: "unknown" }, open);
        age.set({ tenant: at, state: "unknown" }, oldestAt === null ? 0 : secondsSince(oldestAt));
      }
    },
  };
}

function audit(): Reading {
  const { auditHead: head, auditUnsigned: unsigned } = instruments();
  return {
    name: "audit",
    keptMs: KEPT_MS,
    clear: () => [head, unsigned].forEach((gauge) => gauge.reset()),
    async read() {
      const store = await db();
      for (const tenant of tenants()) {
        const { signedAt, unsignedSince } = await readAuditHead(store, tenant);
        if (signedAt !== null) head.set({ tenant }, secondsSince(signedAt));
        unsigned.set({ tenant }, unsignedSince === null ? 0 : secondsSince(unsignedSince));
      }
    },
  };
}

function sessions(): Reading {
  const { sessions: gauge } = instruments();
  return {
    name: "sessions",
    keptMs: KEPT_MS,
    clear: () => gauge.reset(),
    async read() {
      const { tenant } = staffSession;
      const open = await (
        await db()
      )
        .select({ tenant, rows: count() })
        .from(staffSession)
        .where(isLiving(env().sessionIdleMs))
        .groupBy(tenant);
      for (const at of tenants()) gauge.set({ tenant: at }, open.find((one) => one.tenant === at)?.rows ?? 0);
    },
  };
}

function budget(): Reading {
  const { used, limit, paused, waiting } = instruments().budget;
  return {
    name: "budget",
    keptMs: KEPT_MS,
    clear: () => [used, limit, paused, waiting].forEach((gauge) => gauge.reset()),
    async read() {
      const origins = new Map(env().tenants.map(({ baseUrl, clientId }) => [new URL(baseUrl).host, clientId]));
      for (const [address, clientId] of origins) {
        const { use } = await standing(clientId);
        const provider = { server_address: address };
        for (const [lane, calls] of Object.entries(use.byLane)) used.set({ ...provider, lane }, calls);
        for (const [lane, calls] of Object.entries(use.waiting)) waiting.set({ ...provider, lane }, calls);
        limit.set(provider, use.limit);
        paused.set(provider, Number(use.pausedUntil !== null));
      }
    },
  };
}

function certificate(): Reading {
  const { certificate: gauge } = instruments();
  return {
    name: "certificate",
    keptMs: CERTIFICATE_KEPT_MS,
    clear: () => gauge.reset(),
    async read() {
      const { publicUrl } = env();
      if (publicUrl.protocol !== "https:") return;
      const endsAt = await certificateEnd(publicUrl);
      if (endsAt === null) throw new Error("PUBLIC_URL shows no certificate");
      gauge.set({ server_address: publicUrl.host }, (endsAt.getTime() - Date.now()) / 1000);
    },
  };
}

/** A scrape must not wait for a silent store. */
const READ_WITHIN_MS = 6_000;

const late = async (): Promise<never> => {
  await sleep(READ_WITHIN_MS, undefined, { ref: false });
  throw new Error("no answer in time");
};

function followReading({ name, keptMs, clear, read }: Reading): () => Promise<void> {
  let readAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;
  const { readErrors } = instruments();
  readErrors.inc({ reading: name }, 0);

  async function readOnce(): Promise<void> {
    const isRead = await Promise.race([read(), late()]).then(
      () => true,
      (error: unknown) => {
        clear();
        readErrors.inc({ reading: name });
        log.warn({ reading: name, err: withoutParameters(error) }, "figures of /metrics not read");
        return false;
      },
    );
    if (isRead) readAtMs = performance.now();
    reading = null;
  }

  return async () => {
    if (readAtMs + keptMs > performance.now()) return;
    reading ??= readOnce();
    await reading;
  };
}

/** Returns what is run before each scrape: figures of this process, and of the store as they were at most 5 s ago. */
export function followReadings(started: readonly Watch[]): () => Promise<void> {
  const readings = [watches(started), writes(), audit(), sessions(), budget(), certificate()].map(followReading);
  return async () => {
    await Promise.all(readings.map((read) => read()));
    const open = liveHub().sizes();
    for (const tenant of tenants()) instruments().streams.set({ tenant }, open.get(tenant) ?? 0);
    setFollowed();
  };
}
