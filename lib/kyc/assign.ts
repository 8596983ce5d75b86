import { and, eq, gt, inArray, isNull, notInArray, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { AuditCode } from "@/lib/audit/codes";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/permission/grant";
import { can } from "@/lib/permission/permission";
import { type Member, readRoster } from "@/lib/auth/roster";
import { AppError } from "@/lib/errors/app-error";
import { Required } from "@/lib/contract/shared";
import type { Holder } from "@/lib/errors/result";
import { publish, publishAll } from "@/lib/db/publish";
import { staff } from "@/lib/db/tables/staff";
import { kycAway, kycCase } from "@/lib/db/tables/kyc";
import { db, type Db, type Tx } from "@/lib/db/connection";
import { civilMinute } from "@/lib/text/time";
import { holdCase, whereCase } from "./holder";
import { noteEvents } from "./events";
import type { CaseEventKind } from "@/lib/db/enums/kyc";

export type Assignee = { id: string; name: string; awayUntil: string | null };

export async function readAway(store: Db | Tx, tenant: string): Promise<Map<string, Date>> {
  const rows = await store
    .select({ staffId: kycAway.staffId, until: kycAway.until })
    .from(kycAway)
    .where(and(eq(kycAway.tenant, tenant), gt(kycAway.until, sql`clock_timestamp()`)));
  return new Map(rows.map(({ staffId, until }) => [staffId, until]));
}

const decides = ({ isActive, roles }: Member): boolean => isActive && can(roles, "kyc:decide");

export async function readAssignees(store: Db | Tx, tenant: string): Promise<Assignee[]> {
  const roster = await readRoster(store, tenant);
  const deciders = roster.filter(decides);
  const away = await readAway(store, tenant);
  const people = await store.select({ id: staff.id, name: staff.name }).from(staff);
  const names = new Map(people.map(({ id, name }) => [id, name]));
  return deciders
    .map(({ staffId: id }) => ({ id, name: names.get(id) ?? "", awayUntil: away.get(id)?.toISOString() ?? null }))
    .toSorted((one, other) => one.name.localeCompare(other.name, "pt-BR"));
}

/** Cases go to people who decide at the tenant and are not away. Throws conflict `not-a-decider` and `person-away`. */
export async function requireAssignable(
  tx: Db | Tx,
  { tenant, by }: { tenant: string; by: string },
  to: string,
): Promise<void> {
  const person = (await readAssignees(tx, tenant)).find(({ id }) => id === to);
  if (person === undefined) throw new AppError("conflict", { code: "not-a-decider" });
  const { id, name, awayUntil } = person;
  if (awayUntil !== null && id !== by) {
    throw new AppError("conflict", { code: "person-away", holder: { id, name, since: awayUntil } });
  }
}

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

export type Absence = { until: string | null; openCases: number };

export function absenceOf({ tenant, id }: { tenant: string; id: string }): SQL {
  const isAway = and(eq(kycAway.tenant, tenant), eq(kycAway.staffId, id), gt(kycAway.until, sql`clock_timestamp()`));
  const isOwn = and(eq(kycCase.tenant, tenant), eq(kycCase.assigneeId, id), isNull(kycCase.decidedAt));
  return sql`json_build_object('until', (select ${kycAway.until} from ${kycAway} where ${isAway}),
    'openCases', (select count(*) from ${kycCase} where ${isOwn}))`;
}

const Instant = z.coerce.date().transform((at) => at.toISOString());

export const ReadAbsence = z.object({ until: Instant.nullable(), openCases: z.int() });

export async function readAbsence(actor: Actor<"kyc:assign">): Promise<Absence> {
  const found = await (await db()).execute(sql`select ${absenceOf(actor)} as absence`);
  return z.object({ rows: z.tuple([z.object({ absence: ReadAbsence })]) }).parse(found).rows[0].absence;
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

/** `takeFrom`: the colleague whom the person agreed to take it from. */
export const Claiming = z.object({ kycUUID: Required, takeFrom: z.uuid().nullable() });
export type Claiming = z.output<typeof Claiming>;

export const Releasing = z.object({ kycUUID: Required });
export type Releasing = z.output<typeof Releasing>;

/** `to` null: back to the queue. `from`: the assignee on the screen where this was chosen. */
export const Assigning = z.object({ kycUUID: Required, to: z.uuid().nullable(), from: z.uuid().nullable() });
export type Assigning = z.output<typeof Assigning>;

type Claimed = { assignedAt: string };

type Assigner = Actor<"kyc:assign">;
type Detail = Record<string, string | boolean | null>;

type Handover = {
  tenant: string;
  by: string;
  kycUUID: string;
  to: string | null;
  event: CaseEventKind;
  code: AuditCode;
  detail?: Detail;
  facts?: Detail;
};

const isPerson = (by: string) => !by.startsWith("watch:");

export async function handOver(tx: Tx, handover: Handover): Promise<Date> {
  const { tenant, by, kycUUID, to, event, code, detail = {}, facts = {} } = handover;
  const assignedAt = to === null ? null : sql`clock_timestamp()`;
  const [row] = await tx
    .update(kycCase)
    .set({ assigneeId: to, assignedAt })
    .where(whereCase({ tenant, kycUUID }))
    .returning({ assignedAt: kycCase.assignedAt });
  await noteEvents(tx, [{ tenant, kycUUID, kind: event, actor: isPerson(by) ? by : null, detail }]);
  await publish(tx, { tenant, topic: "kyc", object: kycUUID });
  const onRecord = { ...(to !== null && to !== by && { to }), ...facts };
  await record(tx, { tenant, actor: by, code, outcome: "DONE", object: `kyc:${kycUUID}`, detail: onRecord });
  return row?.assignedAt ?? new Date(0);
}

const held = (holder: Holder | null) => new AppError("conflict", { code: "case-held", holder });

/** Throws conflict `case-held`, with whose it is and since when, unless it is nobody's or `takeFrom`'s. */
export async function claim(actor: Assigner, { kycUUID, takeFrom }: Claiming): Promise<Claimed> {
  const { tenant, id: by } = actor;
  return (await db()).transaction(async (tx) => {
    const holder = await holdCase(tx, { tenant, kycUUID });
    if (holder?.id === by) return { assignedAt: holder.since };
    if (holder !== null && holder.id !== takeFrom) throw held(holder);
    const how =
      holder === null
        ? ({ event: "claimed", code: "kyc.claim" } as const)
        : ({
            event: "taken-over",
            code: "kyc.take-over",
            detail: { from: holder.id },
            facts: { formerHolder: holder.id },
          } as const);
    const assignedAt = await handOver(tx, { tenant, by, kycUUID, to: by, ...how });
    return { assignedAt: assignedAt.toISOString() };
  });
}

/** Throws conflict `case-held` for a colleague's case. */
export async function release(actor: Assigner, { kycUUID }: Releasing): Promise<null> {
  const { tenant, id: by } = actor;
  return (await db()).transaction(async (tx) => {
    const holder = await holdCase(tx, { tenant, kycUUID });
    if (holder === null) return null;
    if (holder.id !== by) throw held(holder);
    await handOver(tx, { tenant, by, kycUUID, to: null, event: "released", code: "kyc.release" });
    return null;
  });
}

/** `to` null: back to the queue. Throws conflict `case-held` when the assignee is not `from`, and as `requireAssignable`. */
export async function assign(actor: Assigner, { kycUUID, to, from }: Assigning): Promise<Claimed | null> {
  const { tenant, id: by } = actor;
  return (await db()).transaction(async (tx) => {
    const holder = await holdCase(tx, { tenant, kycUUID });
    if (holder !== null && holder.id === to) return { assignedAt: holder.since };
    if (holder === null && to === null) return null;
    if (holder !== null && holder.id !== from) throw held(holder);
    const [former, facts] = [holder?.id ?? null, { formerHolder: holder?.id ?? null }];
    const handed = { tenant, by, kycUUID, to, facts } as const;
    if (to === null) {
      await handOver(tx, { ...handed, event: "released", code: "kyc.release", detail: { from: former } });
      return null;
    }
    await requireAssignable(tx, { tenant, by }, to);
    const detail = { to, from: former };
    const assignedAt = await handOver(tx, { ...handed, event: "assigned", code: "kyc.assign", detail });
    return { assignedAt: assignedAt.toISOString() };
  });
}
