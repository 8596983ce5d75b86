import { and, eq, isNull, notInArray, sql } from "drizzle-orm";
import { z } from "zod";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/permission/grant";
import { readRoster } from "@/lib/auth/roster";
import { publish, publishAll } from "@/lib/db/publish";
import { kycAway, kycCase } from "@/lib/db/tables/kyc";
import { db, type Db, type Tx } from "@/lib/db/connection";
import { civilMinute } from "@/lib/text/time";
import { noteCaseEvents } from "./events";
import { decides, readAway } from "./assignees";

const MAX_AT_ONCE = 200;

type Release = {
  tenant: string;
  holder: string;
  by: string | null;
};

async function releaseSome(tx: Tx, { tenant, holder, by }: Release): Promise<number> {
  const some = tx
    .select({ kycUUID: kycCase.kycUUID })
    .from(kycCase)
    .where(and(eq(kycCase.tenant, tenant), eq(kycCase.assigneeId, holder), isNull(kycCase.decidedAt)))
    .limit(MAX_AT_ONCE)
    .for("update");
  const released = await tx
    .update(kycCase)
    .set({ assigneeId: null, assignedAt: null })
    // As an array: a joined subquery may be evaluated again with other rows.
    .where(and(eq(kycCase.tenant, tenant), sql`${kycCase.kycUUID} = any(array(${some}))`))
    .returning({ kycUUID: kycCase.kycUUID });
  const objects = released.map(({ kycUUID }) => kycUUID);
  const what = { tenant, kind: "released", actor: by, detail: { from: holder } } as const;
  await noteCaseEvents(
    tx,
    objects.map((kycUUID) => ({ ...what, kycUUID })),
  );
  await publishAll(tx, { tenant, topic: "kyc", objects });
  return objects.length;
}

/** In batches, each audited. Returns how many cases were released; their decisions stay theirs. */
async function releaseAll(store: Db, leaving: Release, actor: string): Promise<number> {
  const { tenant, holder } = leaving;
  const what = { tenant, actor, code: "kyc.release", outcome: "DONE", object: `staff:${holder}` } as const;
  let all = 0;
  for (;;) {
    const released = await store.transaction(async (tx) => {
      const some = await releaseSome(tx, leaving);
      if (some > 0) await record(tx, { ...what, detail: { formerHolder: holder, released: some } });
      return some;
    });
    all += released;
    if (released < MAX_AT_ONCE) return all;
  }
}

const MAX_DAYS = 366;
const DAY_MS = 86_400_000;

function isUpcoming(minute: string): boolean {
  const now = Date.now();
  return minute > civilMinute(new Date(now)) && minute <= civilMinute(new Date(now + MAX_DAYS * DAY_MS));
}

/** A minute in São Paulo, `yyyy-MM-ddTHH:mm`, within a year. */
export const UpcomingMinute = z.iso
  .datetime({ local: true, precision: -1 })
  .refine(isUpcoming, { params: { code: "future" } });

export const instantOf = (minute: string) => sql<Date>`${minute}::timestamp at time zone 'America/Sao_Paulo'`;

/** `until` null: back again. */
export const Leaving = z.object({
  until: UpcomingMinute.nullable(),
  releases: z.boolean(),
});
export type Leaving = z.output<typeof Leaving>;

type Away = { until: string | null; released: number };

async function saveAbsence(tx: Tx, { tenant, id: staffId }: Actor, until: string | null): Promise<Date | null> {
  const own = and(eq(kycAway.tenant, tenant), eq(kycAway.staffId, staffId));
  if (until === null) {
    await tx.delete(kycAway).where(own);
    return null;
  }
  const instant = instantOf(until);
  const [stored] = await tx
    .insert(kycAway)
    .values({ tenant, staffId, until: instant })
    .onConflictDoUpdate({ target: [kycAway.tenant, kycAway.staffId], set: { until: instant } })
    .returning({ until: kycAway.until });
  return stored?.until ?? null;
}

export async function setAway(actor: Actor<"kyc:assign">, { until: chosen, releases }: Leaving): Promise<Away> {
  const { tenant, id } = actor;
  const store = await db();
  const leaving = { tenant, holder: id, by: id };
  const away = await store.transaction(async (tx) => {
    const before = (await readAway(tx, tenant)).get(id);
    if (before === undefined && chosen === null) return { until: null, released: 0 };
    const stored = await saveAbsence(tx, actor, chosen);
    const until = stored?.toISOString() ?? null;
    const released = releases && stored !== null ? await releaseSome(tx, leaving) : 0;
    await publish(tx, { tenant, topic: "kyc", object: `away:${id}` });
    const detail = { before: before?.toISOString() ?? null, after: until, released };
    await record(tx, { tenant, actor: id, code: "kyc.away", outcome: "DONE", object: `staff:${id}`, detail });
    return { until, released };
  });
  if (away.released < MAX_AT_ONCE) return away;
  return { ...away, released: away.released + (await releaseAll(store, leaving, id)) };
}

/** Holders of open cases who no longer decide: disabled, or with other roles. */
async function formerDeciders(store: Db, tenant: string): Promise<string[]> {
  const former = (await readRoster(store, tenant)).filter((member) => !decides(member));
  const found: string[] = [];
  for (const { staffId } of former) {
    const [one] = await store
      .select({ kycUUID: kycCase.kycUUID })
      .from(kycCase)
      .where(
        and(
          eq(kycCase.tenant, tenant),
          eq(kycCase.assigneeId, staffId),
          notInArray(kycCase.status, ["APPROVED", "REPROVED"]),
          isNull(kycCase.decidedAt),
        ),
      )
      .limit(1);
    if (one !== undefined) found.push(staffId);
  }
  return found;
}

export async function releaseOrphans(store: Db, { id: actor, tenant }: { id: string; tenant: string }): Promise<void> {
  for (const holder of await formerDeciders(store, tenant))
    await releaseAll(store, { tenant, holder, by: null }, actor);
}
