import { randomUUID } from "node:crypto";
import { and, desc, eq, lte, sql } from "drizzle-orm";
import { watchId } from "@/lib/permission/watches";
import { record } from "@/lib/audit/record";
import { db, type Tx } from "@/lib/db/connection";
import { withoutParameters } from "@/lib/db/error";
import { publish } from "@/lib/db/publish";
import { webhookRefusal } from "@/lib/db/tables/webhooks";
import type { KeptHeaders, SignatureForm } from "@/lib/db/enums/webhooks";
import { log } from "@/lib/log/log";
import { noteDelivery } from "@/lib/metrics/note";
import type { Refusal } from "./view";

/** What is known of a refused delivery; `sizeBytes` and `fingerprint` are null where its body did not arrive whole. */
export type RefusedRequest = {
  form: SignatureForm | null;
  event: string;
  eventId: string | null;
  headers: KeptHeaders;
  sizeBytes: number | null;
  fingerprint: string | null;
};

export type SeenRefusal = RefusedRequest & { id: string; at: string; why: Refusal };

/** `seen`: the first few of them, oldest first. */
type Gathered = { counts: Partial<Record<Refusal, number>>; lastAt: string; seen: readonly SeenRefusal[] };

export type RefusedDelivery = Gathered & { tenant: string | null };

export type Clock = { after: (ms: number, run: () => void) => void; now: () => Date };

export type Refusals = {
  refuse: (tenant: string | null, why: Refusal, request?: RefusedRequest) => void;
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
/** Listed of a minute, and of one that follows a minute that had more: a flood must not push out what came before it. */
const LISTED_OF_MINUTE = 50;
const LISTED_OF_FLOOD = 2;

const countOf = ({ counts }: Gathered) => Object.values(counts).reduce((sum, count) => sum + count, 0);

/** A tenant's first is reported at once, the rest once a minute, so that a flood leaves few rows. */
export function createRefusals(report: (refused: RefusedDelivery) => Promise<void>, { after, now }: Clock): Refusals {
  const gathered = new Map<string | null, Gathered>();
  const scheduled = new Set<string | null>();
  const flooded = new Set<string | null>();

  function tell(tenant: string | null) {
    const of = gathered.get(tenant);
    if (of === undefined) {
      scheduled.delete(tenant);
      flooded.delete(tenant);
      return;
    }
    if (countOf(of) > LISTED_OF_MINUTE) flooded.add(tenant);
    else flooded.delete(tenant);
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
    refuse: (tenant, why, request) => {
      noteDelivery(tenant, why);
      const { counts = {}, seen = [] } = gathered.get(tenant) ?? {};
      const at = now().toISOString();
      const isListed = tenant !== null && seen.length < (flooded.has(tenant) ? LISTED_OF_FLOOD : LISTED_OF_MINUTE);
      gathered.set(tenant, {
        counts: { ...counts, [why]: (counts[why] ?? 0) + 1 },
        lastAt: at,
        seen: isListed && request !== undefined ? [...seen, { ...request, id: randomUUID(), at, why }] : seen,
      });
      if (scheduled.has(tenant)) return;
      scheduled.add(tenant);
      after(FIRST_MS, () => tell(tenant));
    },
  };
}

/** Kept of each tenant. */
const REFUSED_KEPT = 500;

async function keepSeen(tx: Tx, tenant: string, seen: readonly SeenRefusal[]): Promise<void> {
  if (seen.length === 0) return;
  const rows = seen.map((one) => ({ ...one, tenant, at: new Date(one.at) }));
  await tx.insert(webhookRefusal).values(rows).onConflictDoNothing();
  const beyond = tx
    .select({ seq: webhookRefusal.seq })
    .from(webhookRefusal)
    .where(eq(webhookRefusal.tenant, tenant))
    .orderBy(desc(webhookRefusal.seq))
    .offset(REFUSED_KEPT)
    .limit(1);
  await tx
    .delete(webhookRefusal)
    .where(and(eq(webhookRefusal.tenant, tenant), lte(webhookRefusal.seq, sql`(${beyond})`)));
}

export async function recordRefused(tenant: string, { counts, lastAt, seen }: Gathered): Promise<void> {
  const store = await db();
  const what = { code: "webhooks.refuse", outcome: "REFUSED", actor: watchId("webhooks") } as const;
  await store.transaction(async (tx) => {
    await record(tx, { ...what, tenant, detail: { ...counts, lastAt } });
    await keepSeen(tx, tenant, seen);
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
