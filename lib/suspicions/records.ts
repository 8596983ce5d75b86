import { and, asc, count, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { calendarOf } from "@/lib/calendar/calendar";
import { maskWithin } from "@/lib/contract/document";
import { isStorable } from "@/lib/contract/shared";
import { storeNow } from "@/lib/db/clock";
import { type Db, db } from "@/lib/db/connection";
import { shownSealed } from "@/lib/db/seal";
import { staff } from "@/lib/db/tables/staff";
import { suspicion, suspicionStep } from "@/lib/db/tables/suspicions";
import type { Actor } from "@/lib/permission/grant";
import { isUuid } from "@/lib/text/decode";
import { PAGE_SIZE, pageWindow } from "@/lib/text/page";
import { civilDay, daysBetween } from "@/lib/text/time";
import type { SuspicionFilter } from "./inputs";
import { dueDay } from "./due";
import { OPEN_STATES, type SuspicionList, type SuspicionRecord, type SuspicionRow, type SuspicionView } from "./view";

type Reader = Pick<Actor<"suspicions:handle">, "tenant">;

type Stored = { row: typeof suspicion.$inferSelect; raisedBy: string };

const select = (store: Db, where: SQL | undefined) =>
  store
    .select({ row: suspicion, raisedBy: staff.name })
    .from(suspicion)
    .innerJoin(staff, eq(staff.id, suspicion.staffId))
    .where(where);

async function clockOf(store: Db, { tenant }: Reader) {
  const { calendar } = await calendarOf(store, tenant);
  const now = await storeNow(store);
  return { closed: new Set(calendar.holidays.map(({ day }) => day)), today: civilDay(now), now };
}

type Clock = Awaited<ReturnType<typeof clockOf>>;

function rowOf({ row, raisedBy }: Stored, { closed, today }: Clock): SuspicionRow {
  const { id, kycUUID, document, state, occurredOn, enteredOn, reportNumber, reportedOn, createdAt } = row;
  const dueOn = dueDay(row, closed);
  return {
    id,
    kycUUID,
    document,
    state,
    occurredOn,
    enteredOn,
    dueOn,
    daysLeft: dueOn === null ? null : daysBetween(today, dueOn),
    reportNumber,
    reportedOn,
    raisedBy,
    createdAt: createdAt.toISOString(),
  };
}

const STATES: Readonly<Record<SuspicionView, readonly SuspicionRow["state"][]>> = {
  due: OPEN_STATES,
  reported: ["reported"],
  dismissed: ["dismissed"],
};

const ofView = (view: SuspicionView) => inArray(suspicion.state, [...STATES[view]]);

/** Newest first, but those that are due by their deadline: it moves with the calendar, so it is reckoned here. */
export async function readSuspicions(reader: Reader, { view, page }: SuspicionFilter): Promise<SuspicionList> {
  const store = await db();
  const isTheirs = eq(suspicion.tenant, reader.tenant);
  const [clock, perState] = [
    await clockOf(store, reader),
    await store
      .select({ state: suspicion.state, count: count() })
      .from(suspicion)
      .where(isTheirs)
      .groupBy(suspicion.state),
  ];
  const countOf = (one: SuspicionView) =>
    perState.filter(({ state }) => STATES[one].includes(state)).reduce((sum, { count: more }) => sum + more, 0);
  const counts = { due: countOf("due"), reported: countOf("reported"), dismissed: countOf("dismissed") };
  const { offset, ...pages } = pageWindow(page, counts[view]);
  const found = select(store, and(isTheirs, ofView(view)));
  const shared = { counts, ...pages, asOf: clock.now.toISOString(), isStale: false, failure: null } as const;
  if (view !== "due") {
    const stored = await found.orderBy(desc(suspicion.changedAt), desc(suspicion.id)).limit(PAGE_SIZE).offset(offset);
    return { rows: stored.map((one) => rowOf(one, clock)), ...shared };
  }
  const open = (await found).map((one) => rowOf(one, clock));
  const inOrder = open.toSorted(
    (one, other) => (one.daysLeft ?? 0) - (other.daysLeft ?? 0) || one.createdAt.localeCompare(other.createdAt),
  );
  return { rows: inOrder.slice(offset, offset + PAGE_SIZE), ...shared };
}

/** With every step and what was written to it; null when there is none of this id. */
export async function readSuspicion(reader: Reader, id: string): Promise<SuspicionRecord | null> {
  if (!isUuid(id)) return null;
  const store = await db();
  const { tenant } = reader;
  const [found] = await select(store, and(eq(suspicion.tenant, tenant), eq(suspicion.id, id)));
  if (found === undefined) return null;
  const steps = await store
    .select({ step: suspicionStep, byName: staff.name })
    .from(suspicionStep)
    .innerJoin(staff, eq(staff.id, suspicionStep.staffId))
    .where(and(eq(suspicionStep.tenant, tenant), eq(suspicionStep.suspicionId, id)))
    .orderBy(asc(suspicionStep.seq));
  return {
    row: rowOf(found, await clockOf(store, reader)),
    version: steps.at(-1)?.step.id ?? id,
    steps: steps.map(({ step, byName }) => ({
      id: step.id,
      state: step.state,
      byName,
      at: step.at.toISOString(),
      text: maskWithin(shownSealed(step.textSealed, { column: "suspicion_step.text_sealed", row: [tenant, step.id] })),
    })),
  };
}

export async function readSuspicionsOf(reader: Reader, kycUUID: string): Promise<SuspicionRow[]> {
  if (!isStorable(kycUUID)) return [];
  const store = await db();
  const isAbout = and(eq(suspicion.tenant, reader.tenant), eq(suspicion.kycUUID, kycUUID));
  const stored = await select(store, isAbout).orderBy(desc(suspicion.createdAt));
  const clock = await clockOf(store, reader);
  return stored.map((one) => rowOf(one, clock));
}

export const storeToday = sql<string>`(clock_timestamp() at time zone 'America/Sao_Paulo')::date`;
