import { readAnswerChanges } from "@/lib/conformance/records";
import { db } from "@/lib/db/connection";
import { remember } from "@/lib/db/watch-state";
import { env } from "@/lib/settings/env";
import { MINUTE_MS } from "@/lib/text/time";
import type { Watch } from "@/lib/watch/watch";
import { certificateEnd } from "./certificate";
import { databaseProbe } from "./database";
import { openKinds, settleChanges, settleIncidents } from "./incidents";
import { HEALTH_WATCH, readHealth, readSeen, type Seen } from "./read";
import { BOUNDS, faultsOf, judge } from "./verdict";
import type { HealthReading } from "./view";

const CERTIFICATE_EVERY_MS = 60 * MINUTE_MS;
/** After a longer pause of its own the other watches get a round before anything is said of them. */
const PAUSED_MS = 5 * MINUTE_MS;

const isOlder = (since: string | null, at: string, ms: number) =>
  since === null || Date.parse(at) - Date.parse(since) > ms;

async function lookAtCertificate(at: string, seen: Seen): Promise<Seen["certificate"]> {
  const { publicUrl } = env();
  if (publicUrl.protocol !== "https:") return null;
  if (!isOlder(seen.certificate?.lookedAt ?? null, at, CERTIFICATE_EVERY_MS)) return seen.certificate;
  return { endsAt: (await certificateEnd(publicUrl))?.toISOString() ?? null, lookedAt: at };
}

async function see({ at, budget, database }: HealthReading, before: Seen): Promise<Seen> {
  const isFull = budget.used >= BOUNDS.budget.fullShare * budget.limit;
  const isSlow = database.answeredInMs >= BOUNDS.database.slowMs;
  return {
    fullSince: isFull ? (before.fullSince ?? at) : null,
    slowSince: isSlow ? (before.slowSince ?? at) : null,
    certificate: await lookAtCertificate(at, before),
  };
}

/** Judges every part, opens and ends incidents, and queues their mails. Makes no calls to the provider. */
export const healthWatch: Watch = {
  name: HEALTH_WATCH,
  topic: "health",
  async sweep(tenant) {
    const store = await db();
    const { reading: read } = await readHealth(store, tenant);
    const seen = await see(read, await readSeen(store, tenant));
    await remember(store, { tenant, name: HEALTH_WATCH }, seen);
    const { fullSince, slowSince, certificate } = seen;
    const reading: HealthReading = {
      ...read,
      budget: { ...read.budget, fullSince },
      database: { ...read.database, slowSince },
      certificate,
    };
    const own = reading.watches.find(({ name }) => name === HEALTH_WATCH);
    const wasPaused = isOlder(own?.asOf ?? null, reading.at, PAUSED_MS);
    const faults = faultsOf(reading, judge(reading), await openKinds(store, tenant));
    const told = wasPaused ? faults.filter(({ kind }) => kind !== "watch-stalled") : faults;
    const changes = await readAnswerChanges(store, tenant);
    await store.transaction(async (tx) => {
      await settleIncidents(tx, tenant, told);
      await settleChanges(tx, tenant, changes);
    });
    databaseProbe().forget();
  },
};
