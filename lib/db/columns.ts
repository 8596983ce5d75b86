import { and, gte, inArray, like, lt, or, type SQL, sql } from "drizzle-orm";
import { type AnyPgColumn, customType, text, timestamp } from "drizzle-orm/pg-core";

export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });

/** The number that a column `amount` is; null of any other text. */
export const valueOfAmount = sql`case when length(amount) <= 1000 and amount ~ '^[0-9]+([.][0-9]+)?$' then amount::numeric end`;

/** The civil day of a column `at`. */
export const civilDayOfAt = sql`(at at time zone 'America/Sao_Paulo')::date`;

/** The tenant's Client_ID. */
export const tenant = text("tenant").notNull();

/** PGlite writes bytes ten times as slowly as text. */
export const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({
  dataType: () => "bytea",
  toDriver: (value) => sql`decode(${Buffer.from(value).toString("base64")}::text, 'base64')`,
});

/** In `on conflict do update`: the column of the row to be inserted. */
export const excluded = (column: AnyPgColumn): SQL => sql.raw(`excluded.${column.name}`);

const BEGINNING = /^[0-9a-f]{6,12}$/i;

/**
 * Finds objects (`kyc:<kycUUID>`) by the whole text, by their id, or by the first six to twelve hexadecimal digits that
 * lists show; each through an index on the column, in any collation.
 */
export function namesObject(column: AnyPgColumn, search: string, kinds: readonly string[]): SQL | undefined {
  const whole = inArray(column, [search, ...kinds.map((kind) => `${kind}:${search}`)]);
  if (!BEGINNING.test(search)) return whole;
  const beginnings = kinds.map((kind) => `${kind}:${search.toLowerCase()}`);
  return or(
    whole,
    ...beginnings.map((from) => and(gte(column, from), lt(column, `${from}g`), like(column, `${from}%`))),
  );
}
