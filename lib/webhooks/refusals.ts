import { watchId } from "@/lib/permission/watches";
import { recordAll } from "@/lib/audit/record";
import { db } from "@/lib/db/connection";
import { withoutParameters } from "@/lib/db/error";
import { log } from "@/lib/log/log";

export type Refusal = "signature" | "unreadable";

export type Refused = { tenant: string | null; counts: Partial<Record<Refusal, number>> };

const MINUTE_MS = 60_000;

/** Reported after a minute, once per tenant, so that a flood leaves no more behind than one request. */
export function createRefusals(
  report: (refused: readonly Refused[]) => Promise<void>,
  after: (ms: number, run: () => void) => void,
): (tenant: string | null, why: Refusal) => void {
  const counts = new Map<string | null, Partial<Record<Refusal, number>>>();

  function notifyAll() {
    const refused = [...counts].map(([tenant, counted]) => ({ tenant, counts: counted }));
    counts.clear();
    void report(refused);
  }

  return (tenant, why) => {
    if (counts.size === 0) after(MINUTE_MS, notifyAll);
    const counted = counts.get(tenant) ?? {};
    counts.set(tenant, { ...counted, [why]: (counted[why] ?? 0) + 1 });
  };
}

export async function reportRefused(refused: readonly Refused[]): Promise<void> {
  for (const { tenant, counts } of refused) log.warn({ tenant, refused: counts }, "webhook deliveries refused");
  const what = { code: "webhooks.refuse", outcome: "REFUSED", actor: watchId("webhooks") } as const;
  const entries = refused.flatMap(({ tenant, counts }) =>
    tenant === null ? [] : [{ ...what, tenant, detail: counts }],
  );
  const recorded = db().then((store) => recordAll(store, entries));
  await recorded.catch((error: unknown) => log.error({ err: withoutParameters(error) }, "refusals not on record"));
}
