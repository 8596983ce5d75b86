import { eq, type SQL, sql } from "drizzle-orm";
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

/** An address or a hash as lists shorten it. */
export const isShortened = (typed: string): boolean => /^[\da-z]{4,}…[\da-z]{4,}$/i.test(typed);

/** Begins and ends as a screen's short form of it, in any case: `0x9858Ef…caEda94`. */
export function hasEnds(value: PgColumn | SQL, typed: string): SQL {
  const [head = "", tail = ""] = typed.toLowerCase().split("…");
  const text = sql`lower(${value}::text)`;
  return head.length < LEAST_HEAD
    ? sql`false`
    : sql`(starts_with(${text}, ${head}) and right(${text}, ${tail.length}) = ${tail})`;
}

/** The id in any case, its beginning, or its short form. */
export function isId(column: PgColumn, typed: string): SQL {
  const text = sql`lower(${column}::text)`;
  if (typed.includes("…")) return hasEnds(column, typed);
  if (ID_BEGINNING.test(typed) && !isUuid(typed)) return sql`starts_with(${text}, ${typed.toLowerCase()})`;
  if (column.columnType === "PgUUID") return isUuid(typed) ? eq(column, typed) : sql`false`;
  return sql`${text} = ${typed.toLowerCase()}`;
}
