import { randomUUID } from "node:crypto";
import { and, desc, eq, isNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { z } from "zod";
import { type AuditEntry, record } from "@/lib/audit/record";
import { readSetting } from "@/lib/audit/tenant-setting";
import { startOfDayIn, storeTimeBefore } from "@/lib/db/clock";
import { type Db, db, type Tx } from "@/lib/db/connection";
import { publish } from "@/lib/db/publish";
import { lookupHash, seal, unseal, unsealedOrNull } from "@/lib/db/seal";
import type { AlarmCause } from "@/lib/db/enums/privacy";
import { reveal, revealAlarm } from "@/lib/db/tables/privacy";
import { staff } from "@/lib/db/tables/staff";
import { AppError } from "@/lib/errors/app-error";
import { queueMail } from "@/lib/mail/outbox";
import type { Actor } from "@/lib/permission/grant";
import { ALARM_BOUNDS } from "./alarm-bounds";
import type { AlarmBounds, AlarmRow } from "./alarm-view";
import type { AlarmEnding, AlarmTaking } from "./inputs";

const HOUR_MS = 3_600_000;
const MEDIAN_DAYS = 30;

const Counted = z.object({
  rows: z.tuple([z.object({ hour: z.coerce.number(), day: z.coerce.number(), median: z.coerce.number() })]),
});

type Revealer = { tenant: string; id: string };

/** Of this hour and this day, since the end of their last alarm, and the median of the days on which they revealed anything. */
async function countReveals(tx: Tx, { tenant, id }: Revealer) {
  const at = reveal.createdAt;
  const isTheirs = sql`${reveal.tenant} = ${tenant} and ${reveal.actor} = ${id}`;
  const today = startOfDayIn(0);
  const found = await tx.execute(sql`
    with ended as (select max(${revealAlarm.endedAt}) as at from ${revealAlarm}
      where ${revealAlarm.tenant} = ${tenant} and ${revealAlarm.actor} = ${id})
    select
      count(*) filter (where ${at} > ${storeTimeBefore(HOUR_MS)}) as hour,
      count(*) filter (where ${at} >= ${today}) as day,
      (select coalesce(percentile_cont(0.5) within group (order by times), 0) from (
        select count(*) as times from ${reveal} where ${isTheirs}
          and ${at} >= ${startOfDayIn(-MEDIAN_DAYS)} and ${at} < ${today}
        group by (${at} at time zone 'America/Sao_Paulo')::date) as days) as median
    from ${reveal}, ended
    where ${isTheirs} and ${at} >= least(${today}, ${storeTimeBefore(HOUR_MS)}) and (ended.at is null or ${at} > ended.at)`);
  return Counted.parse(found).rows[0];
}

type Excess = { cause: AlarmCause; reveals: number; bound: number };

/** What goes beyond the bounds; the hour before the day. */
export function excessOf(
  { hour, day, median }: { hour: number; day: number; median: number },
  { perHour, timesMedian, dayFloor }: AlarmBounds,
): Excess | null {
  if (hour > perHour) return { cause: "hour", reveals: hour, bound: perHour };
  const bound = Math.max(dayFloor, Math.ceil(timesMedian * median));
  return day > bound ? { cause: "day", reveals: day, bound } : null;
}

const ofPerson = ({ tenant, id }: Revealer) => and(eq(revealAlarm.tenant, tenant), eq(revealAlarm.actor, id));
const isOpen = isNull(revealAlarm.endedAt);

/**
 * Opens an alarm and queues its one mail when this person revealed unusually much; call it in the reveal's own transaction,
 * with their reveals locked. Returns what to put on record.
 */
export async function openAlarm(tx: Tx, person: Revealer): Promise<AuditEntry[]> {
  const { tenant, id: actor } = person;
  if ((await tx.$count(revealAlarm, and(ofPerson(person), isOpen))) > 0) return [];
  const { value: bounds } = await readSetting(tx, tenant, ALARM_BOUNDS);
  const excess = excessOf(await countReveals(tx, person), bounds);
  if (excess === null) return [];
  const id = randomUUID();
  await tx.insert(revealAlarm).values({ tenant, id, actor, ...excess, openedAt: sql`clock_timestamp()` });
  await queueMail(tx, { tenant, subject: "alarm", object: id, to: { permission: "settings:manage", except: actor } });
  await publish(tx, { tenant, topic: "audit" });
  const { cause: within, reveals, bound } = excess;
  const detail = { alarm: id, within, reveals, bound };
  return [{ tenant, actor, code: "alarm.open", outcome: "DONE", object: `staff:${actor}`, detail }];
}

const noteTarget = (tenant: string, id: string) => ({ column: "reveal_alarm.note_sealed", row: [tenant, id] }) as const;

const MAX_ROWS = 200;

export async function listAlarms(store: Db, { tenant, id: reader }: Revealer): Promise<AlarmRow[]> {
  const owner = alias(staff, "owner");
  const ender = alias(staff, "ender");
  const rows = await store
    .select({ row: revealAlarm, name: staff.name, ownerName: owner.name, endedByName: ender.name })
    .from(revealAlarm)
    .leftJoin(staff, eq(sql`${staff.id}::text`, revealAlarm.actor))
    .leftJoin(owner, eq(sql`${owner.id}::text`, revealAlarm.ownerId))
    .leftJoin(ender, eq(sql`${ender.id}::text`, revealAlarm.endedBy))
    .where(eq(revealAlarm.tenant, tenant))
    .orderBy(desc(isOpen), desc(revealAlarm.openedAt))
    .limit(MAX_ROWS);
  return rows.map(
    ({ row: { id, actor, cause, reveals, bound, ownerId, openedAt, endedAt, noteSealed }, ...names }) => ({
      id,
      staffId: actor,
      cause,
      reveals,
      bound,
      openedAt: openedAt.toISOString(),
      ownerId,
      endedAt: endedAt?.toISOString() ?? null,
      ...names,
      note: noteSealed === null ? null : unsealedOrNull(() => unseal(noteSealed, noteTarget(tenant, id))),
      isOwn: actor === reader,
      isMine: ownerId === reader,
    }),
  );
}

type Manager = Actor<"staff:manage">;

/** The open alarm, locked. Nobody judges their own reveals. */
async function holdAlarm(tx: Tx, { tenant, id: manager }: Manager, alarmId: string) {
  const isIt = and(eq(revealAlarm.tenant, tenant), eq(revealAlarm.id, alarmId));
  const [alarm] = await tx.select().from(revealAlarm).where(isIt).for("update");
  if (alarm === undefined) throw new AppError("not-found");
  if (alarm.actor === manager) throw new AppError("forbidden", { code: "own-alarm" });
  if (alarm.endedAt !== null) throw new AppError("conflict", { code: "alarm-ended" });
  return { alarm, isIt };
}

/** Throws conflict `alarm-taken` when somebody else than `seen` has it by now, and `alarm-ended`. */
export async function takeAlarm(manager: Manager, { alarmId, seen }: AlarmTaking): Promise<null> {
  const { tenant, id: ownerId } = manager;
  return (await db()).transaction(async (tx) => {
    const { alarm, isIt } = await holdAlarm(tx, manager, alarmId);
    if (alarm.ownerId === ownerId) return null;
    if (alarm.ownerId !== seen) throw new AppError("conflict", { code: "alarm-taken" });
    await tx.update(revealAlarm).set({ ownerId }).where(isIt);
    await publish(tx, { tenant, topic: "audit" });
    const what = { code: "alarm.take", outcome: "DONE", object: `staff:${alarm.actor}` } as const;
    await record(tx, { tenant, actor: ownerId, ...what, detail: { alarm: alarmId, formerHolder: alarm.ownerId } });
    return null;
  });
}

/** Whoever ends an alarm that nobody took becomes its owner. Throws forbidden `own-alarm`, conflict `alarm-ended`. */
export async function endAlarm(manager: Manager, { alarmId, note }: AlarmEnding): Promise<null> {
  const { tenant, id: endedBy } = manager;
  return (await db()).transaction(async (tx) => {
    const { alarm, isIt } = await holdAlarm(tx, manager, alarmId);
    const noteSealed = seal(note, noteTarget(tenant, alarmId));
    const ended = { endedAt: sql`clock_timestamp()`, endedBy, ownerId: alarm.ownerId ?? endedBy, noteSealed };
    await tx.update(revealAlarm).set(ended).where(isIt);
    await publish(tx, { tenant, topic: "audit" });
    const what = { code: "alarm.end", outcome: "DONE", object: `staff:${alarm.actor}` } as const;
    await record(tx, { tenant, actor: endedBy, ...what, detail: { alarm: alarmId, note: lookupHash(note) } });
    return null;
  });
}
