import { type Column, sql, type SQL } from "drizzle-orm";

export type CivilPeriod = { initialDate: string; endDate: string };

/** PostgreSQL's calendar has no year 0. */
const inCalendar = (civilDate: string) => (civilDate.startsWith("0000") ? "0001-01-01" : civilDate);

/** Whether a moment lies in a period of civil days of America/Sao_Paulo (`yyyy-MM-dd`), both included. */
export function inCivilPeriod(moment: Column, { initialDate, endDate }: CivilPeriod): SQL {
  return sql`${moment} >= ${inCalendar(initialDate)}::timestamp at time zone 'America/Sao_Paulo'
    and ${moment} < (${inCalendar(endDate)}::timestamp + interval '1 day') at time zone 'America/Sao_Paulo'`;
}

/** How many pages the rows fill; an empty list is one empty page. */
export function pagesOf(rows: number, limit: number): number {
  return Math.max(1, Math.ceil(rows / limit));
}
