import { and, eq, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Locale } from "next-intl";
import type { getTranslations } from "next-intl/server";
import type { Actor } from "@/lib/permission/grant";
import type { Db } from "@/lib/db/connection";
import { isUuid } from "@/lib/text/decode";

export type Searcher = Actor<"accounts:read">;

/** Shown per group; one more is read to know whether there are more. */
export const MAX = 5;

export type Translator = Awaited<ReturnType<typeof getTranslations<never>>>;

export type AskedSearch = {
  store: Db;
  tenant: string;
  typed: string;
  document: string | null;
  /** The text is a mask, of a document as stored; null: of a name. */
  mask: { shown: string | null } | null;
  t: Translator;
  locale: Locale;
};

const ID_BEGINNING = /^[\da-f]{8}[\da-f-]{0,27}$/i;

const LEAST_HEAD = 4;

/** The id in any case, its beginning, or a screen's short form of it: `0x9858Ef…caEda94`. */
export function isId(column: PgColumn, typed: string): SQL | undefined {
  const [head = "", tail] = typed.split("…");
  const text = sql`lower(${column}::text)`;
  const begins = sql`starts_with(${text}, ${head.toLowerCase()})`;
  if (tail !== undefined)
    return head.length < LEAST_HEAD
      ? sql`false`
      : and(begins, sql`right(${text}, ${tail.length}) = ${tail.toLowerCase()}`);
  if (ID_BEGINNING.test(typed) && !isUuid(typed)) return begins;
  if (column.columnType === "PgUUID") return isUuid(typed) ? eq(column, typed) : sql`false`;
  return sql`${text} = ${typed.toLowerCase()}`;
}
