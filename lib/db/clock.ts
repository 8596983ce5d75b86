import { and, type SQL, sql, type SQLWrapper } from "drizzle-orm";
import { z } from "zod";
import type { Span } from "@/lib/text/period";
import { civilDaysAgo, civilInstant, MINUTE_MS } from "@/lib/text/time";
import type { Db, Tx } from "./connection";

const Now = z.object({ rows: z.array(z.object({ now: z.coerce.date() })).min(1) });

/** The store's clock, as instances' clocks may differ. */
export async function storeNow(db: Db | Tx): Promise<Date> {
  const [row] = Now.parse(await db.execute(sql`select clock_timestamp() as now`)).rows;
  return row?.now ?? new Date(Number.NaN);
}

export const storeTimeBefore = (ms: number) => sql`clock_timestamp() - ${ms} * interval '1 millisecond'`;

const isDay = (text: string) => text.length === "yyyy-MM-dd".length;

const startOf = (text: string) => civilInstant(isDay(text) ? `${text}T00:00` : text);

const endOf = (text: string) =>
  isDay(text)
    ? civilInstant(`${civilDaysAgo(-1, startOf(text))}T00:00`)
    : new Date(startOf(text).getTime() + MINUTE_MS);

/** Within days or minutes of São Paulo, both included. */
export function within(at: SQLWrapper, { from, to }: Span): SQL | undefined {
  return and(
    from === undefined ? undefined : sql`${at} >= ${startOf(from).toISOString()}::timestamptz`,
    to === undefined ? undefined : sql`${at} < ${endOf(to).toISOString()}::timestamptz`,
  );
}

export const startOfDay = (day: string) => sql`${civilInstant(`${day}T00:00:00`).toISOString()}::timestamptz`;

const SPAN_MS = { minute: 60_000, hour: 3_600_000 } as const;

type ClockSpan = keyof typeof SPAN_MS;

/** The beginning of the minute or hour of the clock that holds an instant, in ISO. */
export const spanStart = (span: ClockSpan, at: string | Date): string =>
  new Date(Math.floor(new Date(at).getTime() / SPAN_MS[span]) * SPAN_MS[span]).toISOString();

export const startOfSpan = (span: ClockSpan, at: SQLWrapper) =>
  (span === "minute" ? sql<string>`date_trunc('minute', ${at})` : sql<string>`date_trunc('hour', ${at})`).mapWith(
    (told: string | Date) => spanStart(span, told),
  );

export function dayAmong(days: readonly string[], at: SQLWrapper) {
  const [names, starts] = [days.map((day) => sql`${day}`), days.map(startOfDay)].map((list) => sql.join(list, sql`, `));
  return sql<string | null>`(array[${names}]::text[])[width_bucket(${at}, array[${starts}])]`;
}

export const startOfDayIn = (days: number) =>
  sql`(date_trunc('day', now() at time zone 'America/Sao_Paulo') + ${days}::int * interval '1 day') at time zone 'America/Sao_Paulo'`;
