import { and, eq, isNull, sql } from "drizzle-orm";
import { z } from "zod";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/auth/grant";
import { publish } from "@/lib/live/publish";
import { kycCase } from "@/lib/store/schema";
import { db, type Tx } from "@/lib/store/store";
import { civilMinute } from "@/lib/time";
import { readAway } from "./assignees";
import { releaseAllOf } from "./release-all";
import { kycAway } from "./schema";

const MOST_DAYS = 366;
const DAY_MS = 86_400_000;

function isUpcoming(minute: string): boolean {
  const now = Date.now();
  return minute > civilMinute(new Date(now)) && minute <= civilMinute(new Date(now + MOST_DAYS * DAY_MS));
}

/** `until` is a minute on São Paulo's clock, `yyyy-MM-ddTHH:mm`, within a year; null: here again. */
export const Leaving = z.object({
  until: z.iso
    .datetime({ local: true, precision: -1 })
    .refine(isUpcoming, { params: { code: "future" } })
    .nullable(),
  /** Whether the person's open cases go back to the queue. */
  releases: z.boolean(),
});
export type Leaving = z.output<typeof Leaving>;

/** `until` is ISO. */
export type Away = { until: string | null; released: number };

async function keep(tx: Tx, { tenant, id: staffId }: Actor, until: string | null): Promise<Date | null> {
  const own = and(eq(kycAway.tenant, tenant), eq(kycAway.staffId, staffId));
  if (until === null) {
    await tx.delete(kycAway).where(own);
    return null;
  }
  const instant = sql<Date>`${until}::timestamp at time zone 'America/Sao_Paulo'`;
  const [kept] = await tx
    .insert(kycAway)
    .values({ tenant, staffId, until: instant })
    .onConflictDoUpdate({ target: [kycAway.tenant, kycAway.staffId], set: { until: instant } })
    .returning({ until: kycAway.until });
  return kept?.until ?? null;
}

/** The person is away until then and is given no cases; it ends by itself, or when they say that they are here again. */
export async function setAway(actor: Actor<"kyc:assign">, { until: chosen, releases }: Leaving): Promise<Away> {
  const { tenant, id } = actor;
  return (await db()).transaction(async (tx) => {
    const before = (await readAway(tx, tenant)).get(id);
    if (before === undefined && chosen === null) return { until: null, released: 0 };
    const kept = await keep(tx, actor, chosen);
    const until = kept?.toISOString() ?? null;
    const released = releases && kept !== null ? await releaseAllOf(tx, { tenant, holder: id, by: id }) : 0;
    await publish(tx, { tenant, topic: "kyc", object: `away:${id}` });
    const detail = { before: before?.toISOString() ?? null, after: until, released };
    await record(tx, { tenant, actor: id, code: "kyc.away", outcome: "DONE", object: `staff:${id}`, detail });
    return { until, released };
  });
}

/** `until` is ISO, null: they are here. */
export type Absence = { until: string | null; openCases: number };

export async function readAbsence({ tenant, id }: Actor<"kyc:assign">): Promise<Absence> {
  const store = await db();
  const until = (await readAway(store, tenant)).get(id)?.toISOString() ?? null;
  const own = and(eq(kycCase.tenant, tenant), eq(kycCase.assigneeId, id), isNull(kycCase.decidedAt));
  return { until, openCases: await store.$count(kycCase, own) };
}
