import { and, eq, inArray, isNull, notInArray, sql } from "drizzle-orm";
import { z } from "zod";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/permission/grant";
import { readRoster } from "@/lib/auth/roster";
import { publish, publishAll } from "@/lib/db/publish";
import { kycAway, kycCase } from "@/lib/db/tables/kyc";
import { db, type Db, type Tx } from "@/lib/db/connection";
import { civilMinute } from "@/lib/text/time";
import { noteEvents } from "./events";
import { decides, readAway } from "./assignees";

const MAX_AT_ONCE = 1_000;

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
    .where(and(eq(kycCase.tenant, tenant), inArray(kycCase.kycUUID, some)))
    .returning({ kycUUID: kycCase.kycUUID });
  const objects = released.map(({ kycUUID }) => kycUUID);
  const what = { tenant, kind: "released", actor: by, detail: { from: holder } } as const;
  await noteEvents(
    tx,
    objects.map((kycUUID) => ({ ...what, kycUUID })),
  );
  await publishAll(tx, { tenant, topic: "kyc", objects });
  return objects.length;
}

/** Returns how many cases went back; what they decided stays theirs. */
async function releaseAllOf(tx: Tx, leaving: Release): Promise<number> {
  let released = 0;
  for (;;) {
    const some = await releaseSome(tx, leaving);
    released += some;
    if (some < MAX_AT_ONCE) return released;
  }
}

const MAX_DAYS = 366;
const DAY_MS = 86_400_000;

function isUpcoming(minute: string): boolean {
  const now = Date.now();
  return minute > civilMinute(new Date(now)) && minute <= civilMinute(new Date(now + MAX_DAYS * DAY_MS));
}

/** `until` is a minute in São Paulo, `yyyy-MM-ddTHH:mm`, within a year; null: back again. */
export const Leaving = z.object({
  until: z.iso
    .datetime({ local: true, precision: -1 })
    .refine(isUpcoming, { params: { code: "future" } })
    .nullable(),
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
  const instant = sql<Date>`${until}::timestamp at time zone 'America/Sao_Paulo'`;
  const [stored] = await tx
    .insert(kycAway)
    .values({ tenant, staffId, until: instant })
    .onConflictDoUpdate({ target: [kycAway.tenant, kycAway.staffId], set: { until: instant } })
    .returning({ until: kycAway.until });
  return stored?.until ?? null;
}

export async function setAway(actor: Actor<"kyc:assign">, { until: chosen, releases }: Leaving): Promise<Away> {
  const { tenant, id } = actor;
  return (await db()).transaction(async (tx) => {
    const before = (await readAway(tx, tenant)).get(id);
    if (before === undefined && chosen === null) return { until: null, released: 0 };
    const stored = await saveAbsence(tx, actor, chosen);
    const until = stored?.toISOString() ?? null;
    const released = releases && stored !== null ? await releaseAllOf(tx, { tenant, holder: id, by: id }) : 0;
    await publish(tx, { tenant, topic: "kyc", object: `away:${id}` });
    const detail = { before: before?.toISOString() ?? null, after: until, released };
    await record(tx, { tenant, actor: id, code: "kyc.away", outcome: "DONE", object: `staff:${id}`, detail });
    return { until, released };
  });
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
  for (const holder of await formerDeciders(store, tenant)) {
    await store.transaction(async (tx) => {
      const count = await releaseAllOf(tx, { tenant, holder, by: null });
      const what = { code: "kyc.release", outcome: "DONE", object: `staff:${holder}` } as const;
      if (count > 0) await record(tx, { tenant, actor, ...what, detail: { formerHolder: holder, released: count } });
    });
  }
}
