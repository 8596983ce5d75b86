import { and, eq, inArray, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "@/lib/db/connection";
import { accountEntry, accountReading } from "@/lib/db/tables/accounts";
import { entryHref } from "@/lib/movements/records";
import { civilDay } from "@/lib/text/time";
import type { ChangeEntry, EntryGap } from "./view";

export type Interval = { ref: string; after: Date; until: Date };

export type KnownEntries = {
  entries: ChangeEntry[];
  left: number;
  untold: number;
  sum: string;
  readUntil: string | null;
  gap: EntryGap | null;
};

const Found = z.object({
  rows: z.array(
    z.object({
      ref: z.string(),
      transaction_id: z.string(),
      type: z.string(),
      direction: z.enum(["in", "out"]).nullable(),
      amount: z.string(),
      at: z.coerce.date(),
      told: z.coerce.number(),
      untold: z.coerce.number(),
      sum: z.string(),
    }),
  ),
});
type FoundRow = z.output<typeof Found>["rows"][number];

async function findEntries(store: Db, tenant: string, most: number, intervals: readonly Interval[]) {
  const places = intervals.map(
    ({ ref, after, until }) =>
      sql`(${ref}::uuid, ${after.toISOString()}::timestamptz, ${until.toISOString()}::timestamptz)`,
  );
  const { at, accountRef, direction, value, isBooked, isDated, droppedAt, key, ordinal } = accountEntry;
  const signed = sql`case ${direction} when 'in' then ${value} when 'out' then -${value} else 0 end`;
  const found = await store.execute(sql`
    select * from (
      select ${accountRef}::text as ref, ${accountEntry.transactionId}, ${accountEntry.type}, ${direction}, ${accountEntry.amount}, ${at},
        row_number() over (partition by ${accountRef} order by ${direction} is null, ${at}, ${key}, ${ordinal}) as nth,
        count(${direction}) over account as told, count(*) filter (where ${direction} is null) over account as untold,
        (sum(${signed}) over account)::text as sum
      from (values ${sql.join(places, sql`, `)}) as reading (ref, after, until)
      join ${accountEntry} on ${accountEntry.tenant} = ${tenant} and ${accountRef} = reading.ref
        and ${at} > reading.after and ${at} <= reading.until and ${isBooked} and ${isDated} and ${droppedAt} is null
      window account as (partition by ${accountRef})
    ) as entry where nth <= ${most} order by ref, nth`);
  return Found.parse(found).rows;
}

type Reading = Pick<typeof accountReading.$inferSelect, "fromDay" | "until" | "unread">;

function gapOf(reading: Reading | undefined, { after, until }: Interval): EntryGap | null {
  if (reading === undefined || reading.until === null || reading.fromDay === null) return { why: "never-read" };
  if (reading.until < until) return { why: "read-until", at: reading.until.toISOString() };
  if (reading.fromDay > civilDay(after)) return { why: "read-from", at: reading.fromDay };
  return reading.unread > 0 ? { why: "unreadable", count: reading.unread } : null;
}

function entryOf({ ref: accountRef, transaction_id: transactionId, type, direction, amount, at }: FoundRow) {
  if (direction === null) return [];
  const href = entryHref({ accountRef, transactionId, at, isDated: true });
  return [{ as: direction, at: at.toISOString(), amount, type, href }];
}

/** The kept entries of accounts, the first `most` of each, with what is not known of them; by the account's reference. */
export async function knownEntries(
  store: Db,
  tenant: string,
  { intervals, most }: { intervals: readonly Interval[]; most: number },
): Promise<Map<string, KnownEntries>> {
  if (intervals.length === 0) return new Map();
  const refs = intervals.map(({ ref }) => ref);
  const { accountRef, fromDay, until, unread } = accountReading;
  const [rows, read] = await Promise.all([
    findEntries(store, tenant, most, intervals),
    store
      .select({ accountRef, fromDay, until, unread })
      .from(accountReading)
      .where(and(eq(accountReading.tenant, tenant), inArray(accountRef, refs))),
  ]);
  const readings = new Map(read.map((one) => [one.accountRef, one]));
  return new Map(
    intervals.map((interval) => {
      const own = rows.filter(({ ref }) => ref === interval.ref);
      const { told = 0, untold = 0, sum = "0" } = own[0] ?? {};
      const entries = own.flatMap(entryOf);
      const reading = readings.get(interval.ref);
      const readUntil = reading?.until?.toISOString() ?? null;
      const known = { entries, left: told - entries.length, untold, sum, readUntil, gap: gapOf(reading, interval) };
      return [interval.ref, known];
    }),
  );
}
