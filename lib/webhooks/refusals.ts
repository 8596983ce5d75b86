import { watchId } from "@/lib/permission/watches";
import { recordAll } from "@/lib/audit/record";
import { db } from "@/lib/db/connection";
import { withoutParameters } from "@/lib/db/error";
import { log } from "@/lib/log/log";

export type Refusal = "signature" | "unreadable";

type Gathered = { counts: Partial<Record<Refusal, number>>; lastAt: string };

export type Refused = Gathered & { tenant: string | null };

export type Clock = { after: (ms: number, run: () => void) => void; now: () => Date };

const MINUTE_MS = 60_000;

/** Reported after a minute, once per tenant, so that a flood leaves no more behind than one request. */
export function createRefusals(
  report: (refused: readonly Refused[]) => Promise<void>,
  { after, now }: Clock,
): (tenant: string | null, why: Refusal) => void {
  const gathered = new Map<string | null, Gathered>();

  function notifyAll() {
    const refused = [...gathered].map(([tenant, of]) => ({ tenant, ...of }));
    gathered.clear();
    void report(refused);
  }

  return (tenant, why) => {
    if (gathered.size === 0) after(MINUTE_MS, notifyAll);
    const counts = gathered.get(tenant)?.counts ?? {};
    gathered.set(tenant, { counts: { ...counts, [why]: (counts[why] ?? 0) + 1 }, lastAt: now().toISOString() });
  };
}

export async function reportRefused(refused: readonly Refused[]): Promise<void> {
  for (const { tenant, counts } of refused) log.warn({ tenant, refused: counts }, "webhook deliveries refused");
  const what = { code: "webhooks.refuse", outcome: "REFUSED", actor: watchId("webhooks") } as const;
  const entries = refused.flatMap(({ tenant, counts, lastAt }) =>
    tenant === null ? [] : [{ ...what, tenant, detail: { ...counts, lastAt } }],
  );
  const recorded = db().then((store) => recordAll(store, entries));
  await recorded.catch((error: unknown) => log.error({ err: withoutParameters(error) }, "refusals not on record"));
}
