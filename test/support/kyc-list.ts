import type { KycList, KycRecord } from "@/lib/contract/kyc";
import type { Db } from "@/lib/db/connection";
import { type ListSource, sweepList } from "@/lib/kyc/sweep";

/** How a provider lists, within the interface's freedom. */
export type Listing = {
  size: number;
  /** The number of the page returned without one. */
  first: number;
  /** How it treats a page's number: `ignored` returns the first page for every one. */
  paging: "kept" | "ignored";
  /** Its answer beyond the last page. */
  beyond: "empty" | "last" | "around";
  /** Records that a page repeats from the previous one. */
  overlap: number;
  /** The first differing field orders the list. */
  order: (one: Listed, other: Listed) => number;
  totals: "none" | "pages" | "records";
};

/** A record in the provider, with the fields it may order by. */
export type Listed = Pick<KycRecord, "kycUUID" | "process" | "status"> & { age: number; movedAt: number };

export const ORDERS = {
  newest: (one, other) => other.age - one.age,
  oldest: (one, other) => one.age - other.age,
  "last moved": (one, other) => other.movedAt - one.movedAt,
  "first moved": (one, other) => one.movedAt - other.movedAt,
  "by id": (one, other) => (one.kycUUID < other.kycUUID ? -1 : 1),
  "by process": (one, other) => one.process.localeCompare(other.process) || other.age - one.age,
  "by status": (one, other) => one.status.localeCompare(other.status) || other.age - one.age,
} as const satisfies Record<string, Listing["order"]>;

/** A provider in memory whose records may move between any two calls. */
export function createListing(listing: Listing, onCall: (calls: number) => void = () => {}) {
  const { size, first, overlap, order } = listing;
  const records: Listed[] = [];
  const asked: (string | undefined)[] = [];
  let moves = 0;
  let inOrder = { key: "", sorted: records };

  const step = Math.max(1, size - overlap);
  const pagesOf = (sorted: readonly Listed[]) => Math.max(1, Math.ceil((sorted.length - overlap) / step));

  function placeOf(page: number, pages: number): number {
    if (listing.paging === "ignored") return 0;
    const place = page - first;
    if (place < pages || listing.beyond === "empty") return place;
    return listing.beyond === "last" ? pages - 1 : place % pages;
  }

  const sort = (among: readonly Listed[]) =>
    among.toSorted(
      (one, other) => order(one, other) || one.age - other.age || one.process.localeCompare(other.process),
    );

  function sortedFor(kycUUID: string | undefined): readonly Listed[] {
    if (kycUUID !== undefined) return sort(records.filter((one) => one.kycUUID === kycUUID));
    const key = `${records.length} ${moves}`;
    if (inOrder.key !== key) inOrder = { key, sorted: sort(records) };
    return inOrder.sorted;
  }

  function listed({ page = first, kycUUID }: { page?: number; kycUUID?: string }): KycList {
    const sorted = sortedFor(kycUUID);
    const pages = pagesOf(sorted);
    const place = kycUUID === undefined ? placeOf(page, pages) : 0;
    const shown = sorted.slice(place * step, place * step + size);
    return {
      page,
      limit: size,
      ...(listing.totals === "pages" && { totalPages: pages }),
      ...(listing.totals === "records" && { total: sorted.length }),
      result: shown.map(({ age: _age, movedAt: _movedAt, ...record }) => ({
        ...record,
        vatNumber: "***.456.789-**",
        kycType: "PF",
      })),
    };
  }

  return {
    records,
    calls: () => asked.length,
    /** The requested ids, and undefined for each page. */
    asked: () => asked,
    move(record: Listed, status: KycRecord["status"]) {
      moves += 1;
      Object.assign(record, { status, movedAt: moves });
    },
    ask: async (one: { page?: number; kycUUID?: string }): Promise<KycList> => {
      asked.push(one.kycUUID);
      onCall(asked.length);
      return listed(one);
    },
  };
}

export type ListProvider = ReturnType<typeof createListing>;

/** Sweeps half a minute apart, by a clock that each call advances by 20 ms. */
export function createSweeper(store: Db, provider: Pick<ListSource, "ask">, tenant = "aurora") {
  let atMs = Date.parse("2026-03-02T10:00:00Z");
  const source = {
    ask: provider.ask,
    now: async () => {
      atMs += 20;
      return new Date(atMs);
    },
  };
  return {
    elapsedMs: () => atMs - Date.parse("2026-03-02T10:00:00Z"),
    pass: async (ms: number) => {
      atMs += ms;
    },
    async sweep() {
      const { isUnfinished } = await sweepList({ store, tenant, source });
      if (!isUnfinished) atMs += 30_000;
      return { isUnfinished };
    },
  };
}
