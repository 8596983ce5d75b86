import type { ErrorKind } from "@/lib/errors/result";

/** Why nothing could be read; `code` is the gateway's or one of ours, `since` is ISO, null where that is not known. */
export type ReadFailure = { kind: ErrorKind | "unexpected"; code: string | null; since: string | null };

/** How fresh what a watch feeds is: `asOf` is when the provider last answered for all of it (ISO), null if never. */
export type Fresh = {
  asOf: string | null;
  isStale: boolean;
  /** Of the last sweep; null: it came to its end, or there was none yet. */
  failure: ReadFailure | null;
  /** How many records were read while it is not known whether they are all; null or absent: they are. */
  readSoFar?: number | null;
};

/** Why rows may be old: the session ended, the last refresh failed, or it is overdue. */
export type Trouble = "signed-out" | "failed" | "late";

export const troubleOf = ({ isStale, failure }: Fresh): Trouble | null =>
  failure !== null ? "failed" : isStale ? "late" : null;

/** A count of what was never read to its end is no number when it is 0, and else the least there is. */
export function countKnown(
  text: string,
  count: number,
  { asOf, readSoFar = null }: Pick<Fresh, "asOf" | "readSoFar">,
): string | undefined {
  if (asOf !== null && readSoFar === null) return text;
  return count === 0 ? undefined : `${text.replace(/\+$/, "")}+`;
}

/** One page of rows read from the store. */
export type Page<Row> = Fresh & {
  rows: Row[];
  /** 1-based. */
  page: number;
  totalPages: number;
  total: number;
};

export const PAGE_SIZE = 25;

/** Rows to skip and the page that is really shown when `wanted` lies past the end. */
export function pageWindow(wanted: number, total: number): { page: number; totalPages: number; offset: number } {
  const totalPages = Math.max(1, Math.ceil(total / PAGE_SIZE));
  const page = Math.min(Math.max(1, wanted), totalPages);
  return { page, totalPages, offset: (page - 1) * PAGE_SIZE };
}

type Values = Record<string, string | number | boolean | null | undefined>;

/** A path with the query it needs; what is absent, false or empty is left out, so that the plain list has a plain address. */
export function hrefWith(path: string, values: Values): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== null && value !== false && value !== "") search.set(name, String(value));
  }
  return search.size === 0 ? path : `${path}?${search}`;
}

/** The screen that an address belongs to: what it says beyond that is a record or a filter of one tenant. */
export function screenAddress(path: string): string {
  const [, screen = ""] = path.split("/");
  return `/${screen}`;
}
