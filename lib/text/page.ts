import type { ReadFailure } from "@/lib/errors/result";

/** Characters of a search within a list. */
export const SEARCH_MAX = 120;

/** Characters of a document, an id or an address that identifies one record. */
export const QUERY_MAX = 200;

/** `asOf`: when the provider last answered completely, null if never. */
export type Fresh = {
  asOf: string | null;
  /** `asOf` is that of the row that was read longest ago: what was done here since then shows, too. */
  isOldest?: boolean;
  isStale: boolean;
  /** The last sweep's failure; null: it succeeded, or there was none. */
  failure: ReadFailure | null;
  /** While it is unknown whether they are all; null or absent: they are. */
  readSoFar?: number | null;
};

export type Trouble = "signed-out" | "failed" | "late";

export const troubleOf = ({ isStale, failure }: Fresh): Trouble | null =>
  failure !== null ? "failed" : isStale ? "late" : null;

export type Counted = Pick<Fresh, "asOf" | "readSoFar">;

export const isWhole = ({ asOf, readSoFar = null }: Counted): boolean => asOf !== null && readSoFar === null;

/** For a list never read to its end, 0 is unknown and any other count a minimum. */
export function countKnown(text: string, count: number, counted: Counted): string | undefined {
  if (isWhole(counted)) return text;
  return count === 0 ? undefined : `${text.replace(/\+$/, "")}+`;
}

export type Waiting = Counted & { count: number };

export type Page<Row> = Fresh & {
  rows: Row[];
  page: number;
  totalPages: number;
  total: number;
};

export const PAGE_SIZE = 25;

/** The last page when `wanted` lies past the end. */
export function pageWindow(wanted: number, total: number): { page: number; totalPages: number; offset: number } {
  const totalPages = Math.max(1, Math.ceil(total / PAGE_SIZE));
  const page = Math.min(Math.max(1, wanted), totalPages);
  return { page, totalPages, offset: (page - 1) * PAGE_SIZE };
}

type Values = Record<string, string | number | boolean | null | undefined>;

/** Leaves out what is absent, false or empty. */
export function hrefWith(path: string, values: Values): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== null && value !== false && value !== "") search.set(name, String(value));
  }
  return search.size === 0 ? path : `${path}?${search}`;
}

/** Without records and filters, which belong to one tenant. */
export function screenAddress(path: string): string {
  const [, screen = ""] = path.split("/");
  return `/${screen}`;
}
