/** One page of rows read from the store; `asOf` is when the provider last answered for them (ISO), null if never. */
export type Page<Row> = {
  rows: Row[];
  /** 1-based. */
  page: number;
  totalPages: number;
  total: number;
  asOf: string | null;
  isStale: boolean;
};

export const PAGE_SIZE = 25;

/** Rows to skip and the page that is really shown when `wanted` lies past the end. */
export function pageWindow(wanted: number, total: number): { page: number; totalPages: number; offset: number } {
  const totalPages = Math.max(1, Math.ceil(total / PAGE_SIZE));
  const page = Math.min(Math.max(1, wanted), totalPages);
  return { page, totalPages, offset: (page - 1) * PAGE_SIZE };
}
