import { z } from "zod";
import type { WebhookEvent } from "@/lib/contract/webhook-events";
import { storeNow } from "@/lib/db/clock";
import { type Db, db } from "@/lib/db/connection";
import { publish } from "@/lib/db/publish";
import { recall, remember } from "@/lib/db/watch-state";
import { AppError } from "@/lib/errors/app-error";
import { readListWholeAt } from "@/lib/onboarding/records";
import type { Actor } from "@/lib/permission/grant";
import { endIncident, openIncident } from "@/lib/health/records";
import { env } from "@/lib/settings/env";
import { type HintsOf, judgeExpected, pairArrivals } from "./expected";
import { isLossGrave, readLosses } from "./loss";
import { noteObserved } from "./observed";
import { coveredEvents, readSubscriptions } from "./subscriptions";

export const EXPECTED_WATCH = "missing-events";

const READ_EVERY_MS = 300_000;

const Memory = z
  .object({
    readAt: z.iso.datetime().nullable(),
    /** By type: since when a subscription of ours is known to cover it. */
    covered: z.record(z.string(), z.iso.datetime()),
    listedSince: z.iso.datetime().nullable(),
    seq: z.int().min(0).nullable(),
    sweptAt: z.iso.datetime().nullable(),
  })
  .catch({ readAt: null, covered: {}, listedSince: null, seq: null, sweptAt: null });
type Memory = z.output<typeof Memory>;

const keyOf = (tenant: string) => ({ tenant, name: EXPECTED_WATCH });

/** As last read from the provider; `readAt` null: never. */
export type Coverage = Pick<Memory, "readAt" | "covered">;

export async function readCoverage(store: Db, tenant: string): Promise<Coverage> {
  const { readAt, covered } = Memory.parse(await recall(store, keyOf(tenant)));
  return { readAt, covered };
}

const isReadDue = ({ readAt }: Memory, now: Date) =>
  readAt === null || now.getTime() - Date.parse(readAt) >= Math.min(READ_EVERY_MS, env().webhookGraceMs);

async function readCovered(actor: Actor<"webhooks:read">, memory: Memory, now: Date): Promise<Memory> {
  const { rows } = await readSubscriptions(actor);
  const since = (event: string) => memory.covered[event] ?? now.toISOString();
  const covered = Object.fromEntries(coveredEvents(rows).map((event) => [event, since(event)]));
  return { ...memory, covered, readAt: now.toISOString() };
}

const dateOf = (at: string | null | undefined) => (at === null || at === undefined ? null : new Date(at));

type Turn = { memory: Memory; now: Date; hints: HintsOf };

async function work(store: Db, tenant: string, { memory, now, hints }: Turn) {
  const { covered, readAt } = memory;
  const sinceOf = (event: WebhookEvent) => dateOf(covered[event]);
  const listedSince = dateOf(memory.listedSince);
  const cursor = { seq: memory.seq, from: dateOf(memory.sweptAt) ?? now };
  return store.transaction(async (tx) => {
    const noted = await noteObserved(tx, { tenant, sinceOf, listedSince }, cursor);
    const paired = await pairArrivals(tx, tenant, hints);
    const graceMs = env().webhookGraceMs;
    const terms = { graceMs, covered: Object.keys(covered), readAt: dateOf(readAt) ?? new Date(0) };
    const judged = await judgeExpected(tx, tenant, terms);
    if (noted.noted + paired + judged > 0) await publish(tx, { tenant, topic: "webhooks" });
    return noted;
  });
}

async function tellLosses(store: Db, tenant: string): Promise<void> {
  await store.transaction(async (tx) => {
    const tell = isLossGrave(await readLosses(tx, tenant)) ? openIncident : endIncident;
    await tell(tx, { tenant, kind: "events-lost" });
  });
}

/** Beside its reading of subscriptions it makes no calls: areas have noted what they saw. Throws when that failed. */
export async function sweepExpected(actor: Actor<"webhooks:read">, hints: HintsOf): Promise<"done" | "unfinished"> {
  const { tenant } = actor;
  const store = await db();
  const now = await storeNow(store);
  const before = Memory.parse(await recall(store, keyOf(tenant)));
  const read = isReadDue(before, now)
    ? await readCovered(actor, before, now).catch((error: unknown) => {
        if (error instanceof AppError) return error;
        throw error;
      })
    : before;
  const known = read instanceof AppError ? before : read;
  const wholeAt = known.listedSince === null ? await readListWholeAt(tenant) : null;
  const memory = wholeAt === null ? known : { ...known, listedSince: now.toISOString() };
  const { seq, isAll } = await work(store, tenant, { memory, now, hints });
  await tellLosses(store, tenant);
  await remember(store, keyOf(tenant), { ...memory, seq, sweptAt: isAll ? now.toISOString() : memory.sweptAt });
  if (read instanceof AppError) throw read;
  return isAll ? "done" : "unfinished";
}
