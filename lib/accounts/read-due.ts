import { and, eq, min, or, type SQL, sql } from "drizzle-orm";
import type { Actor } from "@/lib/permission/grant";
import { isProviderTrouble } from "@/lib/provider/answer";
import { AppError } from "@/lib/errors/app-error";
import { accountDocument } from "@/lib/db/document";
import { publish } from "@/lib/db/publish";
import { startOfDayIn } from "@/lib/db/clock";
import { accountEntry, accountReading } from "@/lib/db/tables/accounts";
import { account } from "@/lib/db/tables/customers";
import { unsealedOrNull } from "@/lib/db/seal";
import { type Db, db } from "@/lib/db/connection";
import { env } from "@/lib/settings/env";
import { log } from "@/lib/log/log";
import { civilDay, civilDaysAgo, civilInstant, DAY_MS } from "@/lib/text/time";
import { inSteps } from "@/lib/watch/in-steps";
import { entriesOf } from "./export";
import { StatementFilter } from "./inputs";

/** Entries come late, and some change for days. */
const OVERLAP_DAYS = 3;
/** Of an account that was never read: what is older comes once all others were. */
const FIRST_DAYS = 31;
const AGAIN_MINUTES = 30;
const MAX_DUE = 100;

type AccountRow = typeof account.$inferSelect;
type Due = { row: AccountRow; reading: typeof accountReading.$inferSelect | null };

const earliest = (days: readonly string[]): string => days.toSorted()[0] ?? civilDaysAgo(0);
const latest = (days: readonly string[]): string => days.toSorted().at(-1) ?? civilDaysAgo(0);

/** The first day of what is kept. */
const floorOf = ({ createdAt }: AccountRow): string =>
  latest([civilDaysAgo(env().entriesDays - 1), ...(createdAt === null ? [] : [civilDay(createdAt)])]);

const floorSql = () =>
  sql`greatest(${civilDaysAgo(env().entriesDays - 1)}::text, coalesce(((${account.createdAt} at time zone 'America/Sao_Paulo')::date)::text, ''))`;

/** Named by an event, then never read, then not yet today, then with a past that is not kept. Closed ones a week later once more. */
async function accountsDue(store: Db, tenant: string): Promise<Due[]> {
  const { until, movedAt, fromDay, triedAt, failures } = accountReading;
  const hasMoved = sql`coalesce(${movedAt} > coalesce(${until}, '-infinity'), false)`;
  const isNew = sql`${until} is null`;
  const isOfYesterday = sql`(${until} <= ${startOfDayIn(0)} and (${account.standing} <> 'CLOSED' or ${until} < clock_timestamp() - interval '7 days'))`;
  const hasPast = sql`coalesce(${fromDay} > ${floorSql()}, false)`;
  const pause = sql`${AGAIN_MINUTES} * least(${failures}, 24) * interval '1 minute'`;
  const isRested = sql`(coalesce(${triedAt} <= clock_timestamp() - ${pause}, true) or coalesce(${movedAt} > ${triedAt}, false))`;
  const ofAccount = and(eq(accountReading.tenant, account.tenant), eq(accountReading.accountRef, account.ref));
  const order: SQL[] = [
    sql`${hasMoved} desc`,
    sql`${isNew} desc`,
    sql`${isOfYesterday} desc`,
    sql`${until}`,
    sql`${account.ref}`,
  ];
  return store
    .select({ row: account, reading: accountReading })
    .from(account)
    .leftJoin(accountReading, ofAccount)
    .where(and(eq(account.tenant, tenant), isRested, or(hasMoved, isNew, isOfYesterday, hasPast)))
    .orderBy(...order)
    .limit(MAX_DUE);
}

/** Of what may still change. */
async function oldestOpen(store: Db, { tenant, ref }: AccountRow): Promise<string[]> {
  const isOpen = and(
    eq(accountEntry.tenant, tenant),
    eq(accountEntry.accountRef, ref),
    eq(accountEntry.isBooked, false),
    sql`${accountEntry.droppedAt} is null and ${accountEntry.at} > clock_timestamp() - interval '31 days'`,
  );
  const [oldest] = await store
    .select({ at: min(accountEntry.at) })
    .from(accountEntry)
    .where(isOpen);
  return oldest?.at ? [civilDay(oldest.at)] : [];
}

const daysBefore = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T12:00:00Z`) - days * DAY_MS).toISOString().slice(0, 10);

async function periodOf(store: Db, { row, reading }: Due): Promise<{ from: string; to: string }> {
  const floor = floorOf(row);
  const today = civilDaysAgo(0);
  if (reading === null || reading.until === null || reading.fromDay === null)
    return { from: latest([floor, daysBefore(today, FIRST_DAYS - 1)]), to: today };
  const { until, fromDay, movedAt } = reading;
  const isOfToday = until > civilInstant(`${today}T00:00:00`) && (movedAt === null || movedAt <= until);
  if (isOfToday && fromDay > floor) return { from: floor, to: daysBefore(fromDay, 1) };
  const since = earliest([daysBefore(civilDay(until), OVERLAP_DAYS), ...(await oldestOpen(store, row))]);
  return { from: latest([floor, since]), to: today };
}

async function readAccount(store: Db, actor: Actor, due: Due): Promise<void> {
  const { row } = due;
  const documentNumber = unsealedOrNull(() => accountDocument(row));
  if (documentNumber === null) throw new AppError("malformed", { code: "document-unopened" });
  const filter = StatementFilter.parse(await periodOf(store, due));
  const asked = { accountId: row.accountId, documentNumber };
  // Reading is what keeps them.
  for await (const _ of entriesOf(actor, { asked, object: `account:${row.ref}`, filter, isPatient: true }));
}

async function noteFailure(
  store: Db,
  { tenant, ref: accountRef }: AccountRow,
  { kind, details }: AppError,
): Promise<void> {
  const failed = { triedAt: new Date(), why: details.code ?? kind };
  await store
    .insert(accountReading)
    .values({ tenant, accountRef, ...failed, failures: 1 })
    .onConflictDoUpdate({
      target: [accountReading.tenant, accountReading.accountRef],
      set: { ...failed, failures: sql`${accountReading.failures} + 1` },
    });
}

async function readOn(store: Db, actor: Actor, one: Due): Promise<"read" | "failed" | "out-of-turn"> {
  try {
    await readAccount(store, actor, one);
    return "read";
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.kind === "rate-limited") return "out-of-turn";
    await noteFailure(store, one.row, error);
    if (isProviderTrouble(error.kind)) throw error;
    log.warn({ kind: error.kind, requestId: error.details.requestId }, "a statement was not read");
    return "failed";
  }
}

/** Each account's statement once a night, and once it is told that it moved; everybody else's calls go first. */
export async function readDueStatements(actor: Actor<"accounts:read">): Promise<"done" | "unfinished"> {
  const store = await db();
  const untilMs = Date.now() + env().watchIntervalMs;
  const due = await accountsDue(store, actor.tenant);
  const publishRead = () => publish(store, { tenant: actor.tenant, topic: "movements" });
  const showProgress = inSteps(publishRead);
  let read = 0;
  try {
    for (const one of due) {
      if (Date.now() >= untilMs) return "unfinished";
      const end = await readOn(store, actor, one);
      if (end === "out-of-turn") return "done";
      if (end === "read") read += 1;
      if (read > 0) await showProgress();
    }
    return due.length === MAX_DUE ? "unfinished" : "done";
  } finally {
    if (read > 0) await publishRead();
  }
}
