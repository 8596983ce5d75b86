import { and, desc, eq, gte, inArray, sql } from "drizzle-orm";
import { CAPABILITIES, type CapabilityName } from "@/lib/contract/capabilities";
import { DIFFERENCE_KINDS, type DifferenceKind } from "@/lib/contract/differences";
import { READS } from "@/lib/contract/reads";
import { db } from "@/lib/db/connection";
import { providerFinding } from "@/lib/db/tables/provider";
import { query } from "@/lib/query";
import type { FigureDays } from "@/lib/text/filter";
import { firstOfLastDays } from "@/lib/text/time";
import { explorableReads } from "./parameters";
import type { CapabilityRow, ChangeRow, Changes, ExplorableRead } from "./view";

const MAX_ROWS = 200;
const CAPABILITY_DAYS = 90;

type Stored = typeof providerFinding.$inferSelect;

const isDifference = (is: string): is is DifferenceKind => DIFFERENCE_KINDS.some((kind) => kind === is);

const ofDay = ({ operation, day }: Pick<Stored, "operation" | "day">) => `${day} ${operation}`;

/** One row of all days of a field. */
function joinDays(found: readonly Stored[], answered: ReadonlyMap<string, number>): ChangeRow[] {
  const rows = new Map<string, ChangeRow>();
  for (const one of found) {
    const { operation, is, field, found: type, documented, answers, day } = one;
    if (!isDifference(is)) continue;
    const key = JSON.stringify([operation, is, field, type]);
    const before = rows.get(key);
    const of = answered.get(ofDay(one)) ?? answers;
    const firstAt = one.firstAt.toISOString();
    const row = before ?? {
      operation,
      is,
      field,
      found: type,
      documented,
      answers: 0,
      of: 0,
      firstAt,
      lastAt: one.lastAt.toISOString(),
      days: [],
    };
    rows.set(key, {
      ...row,
      answers: row.answers + answers,
      of: row.of + of,
      firstAt: firstAt < row.firstAt ? firstAt : row.firstAt,
      days: [...row.days, { day, answers, of }],
    });
  }
  return [...rows.values()];
}

/** What differs from the contract in the answers of the last days, latest first. */
export const listChanges = query("audit:read", async ({ tenant }, days: FigureDays): Promise<Changes> => {
  const store = await db();
  const isOfPeriod = and(eq(providerFinding.tenant, tenant), gte(providerFinding.day, firstOfLastDays(days)));
  const asOf = new Date().toISOString();
  const answered = await store
    .select({ day: providerFinding.day, operation: providerFinding.operation, answers: providerFinding.answers })
    .from(providerFinding)
    .where(and(isOfPeriod, eq(providerFinding.is, "ANSWERED")));
  const found = await store
    .select()
    .from(providerFinding)
    .where(and(isOfPeriod, inArray(providerFinding.is, [...DIFFERENCE_KINDS])))
    .orderBy(desc(providerFinding.day), desc(providerFinding.lastAt), providerFinding.operation, providerFinding.field)
    .limit(MAX_ROWS * days);
  const rows = joinDays(found, new Map(answered.map((one) => [ofDay(one), one.answers])));
  return {
    rows: rows.slice(0, MAX_ROWS),
    hasMore: rows.length > MAX_ROWS,
    compared: answered.reduce((sum, { answers }) => sum + answers, 0),
    asOf,
  };
});

const capabilityNames = Object.keys(CAPABILITIES).filter((name): name is CapabilityName =>
  Object.hasOwn(CAPABILITIES, name),
);

const summed = (is: "TOLD" | "UNTOLD") =>
  sql<number>`coalesce(sum(${providerFinding.answers}) filter (where ${providerFinding.is} = ${is}), 0)`.mapWith(
    Number,
  );

const toldAt = (time: ReturnType<typeof sql>) =>
  sql<Date | null>`${time} filter (where ${providerFinding.is} = 'TOLD')`.mapWith(providerFinding.lastAt);

/** Which optional parts the provider's answers told within 90 days, and when. */
export const listCapabilities = query("audit:read", async ({ tenant }): Promise<CapabilityRow[]> => {
  const found = await (
    await db()
  )
    .select({
      name: providerFinding.field,
      told: summed("TOLD"),
      untold: summed("UNTOLD"),
      firstAt: toldAt(sql`min(${providerFinding.firstAt})`),
      lastAt: toldAt(sql`max(${providerFinding.lastAt})`),
    })
    .from(providerFinding)
    .where(
      and(
        eq(providerFinding.tenant, tenant),
        gte(providerFinding.day, firstOfLastDays(CAPABILITY_DAYS)),
        inArray(providerFinding.is, ["TOLD", "UNTOLD"]),
      ),
    )
    .groupBy(providerFinding.field);
  const byName = new Map(found.map((one) => [one.name, one]));
  return capabilityNames.map((name) => {
    const { told = 0, untold = 0, firstAt = null, lastAt = null } = byName.get(name) ?? {};
    return {
      name,
      operation: `GET ${READS[CAPABILITIES[name].read].path}`,
      told,
      of: told + untold,
      firstAt: firstAt?.toISOString() ?? null,
      lastAt: lastAt?.toISOString() ?? null,
    };
  });
});

export const listReads = query("explorer:use", async (): Promise<ExplorableRead[]> => explorableReads());
