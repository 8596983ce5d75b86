import { watchId } from "@/lib/permission/watches";
import { record } from "@/lib/audit/record";
import { db } from "@/lib/db/connection";
import { withoutParameters } from "@/lib/db/error";
import { publish } from "@/lib/db/publish";
import { log } from "@/lib/log/log";
import { noteDelivery } from "@/lib/metrics/note";
import type { Refusal } from "./view";

type Gathered = { counts: Partial<Record<Refusal, number>>; lastAt: string };

export type RefusedDelivery = Gathered & { tenant: string | null };

export type Clock = { after: (ms: number, run: () => void) => void; now: () => Date };

export type Refusals = {
  refuse: (tenant: string | null, why: Refusal) => void;
  /** Not audited yet; null: none. */
  gatheredOf: (tenant: string) => Gathered | null;
  /** Audits what is gathered: the process ends. */
  end: () => Promise<void>;
  /** The timers then find nothing left to audit. */
  clear: () => void;
};

/** After the answer, so that its time reveals nothing. */
const FIRST_MS = 1_000;
const MINUTE_MS = 60_000;

/** A tenant's first is reported at once, the rest once a minute, so that a flood leaves few rows. */
export function createRefusals(report: (refused: RefusedDelivery) => Promise<void>, { after, now }: Clock): Refusals {
  const gathered = new Map<string | null, Gathered>();
  const scheduled = new Set<string | null>();

  function tell(tenant: string | null) {
    const of = gathered.get(tenant);
    if (of === undefined) {
      scheduled.delete(tenant);
      return;
    }
    gathered.delete(tenant);
    after(MINUTE_MS, () => tell(tenant));
    void report({ tenant, ...of });
  }

  return {
    gatheredOf: (tenant) => gathered.get(tenant) ?? null,
    end: async () => {
      const left = [...gathered].map(([tenant, of]) => ({ tenant, ...of }));
      gathered.clear();
      await Promise.all(left.map(report));
    },
    clear: () => gathered.clear(),
    refuse: (tenant, why) => {
      noteDelivery(tenant, why);
      const counts = gathered.get(tenant)?.counts ?? {};
      gathered.set(tenant, { counts: { ...counts, [why]: (counts[why] ?? 0) + 1 }, lastAt: now().toISOString() });
      if (scheduled.has(tenant)) return;
      scheduled.add(tenant);
      after(FIRST_MS, () => tell(tenant));
    },
  };
}

async function recordRefused(tenant: string, { counts, lastAt }: Gathered): Promise<void> {
  const store = await db();
  const what = { code: "webhooks.refuse", outcome: "REFUSED", actor: watchId("webhooks") } as const;
  await store.transaction(async (tx) => {
    await record(tx, { ...what, tenant, detail: { ...counts, lastAt } });
    await publish(tx, { tenant, topic: "webhooks" });
  });
}

async function reportRefused({ tenant, ...gathered }: RefusedDelivery): Promise<void> {
  log.warn({ tenant, refused: gathered.counts }, "webhook deliveries refused");
  if (tenant === null) return;
  const recorded = recordRefused(tenant, gathered);
  await recorded.catch((error: unknown) => log.error({ err: withoutParameters(error) }, "refusals not on record"));
}

declare global {
  var retaguardaRefusals: Refusals | undefined;
}

export const later: Clock["after"] = (ms, run) => void setTimeout(run, ms).unref();

export const refusals = (): Refusals =>
  (globalThis.retaguardaRefusals ??= createRefusals(reportRefused, { after: later, now: () => new Date() }));
