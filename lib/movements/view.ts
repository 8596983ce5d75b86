import type { AssetTotals, Coin, MovementFormat, MovementState, SourceKind, Totals } from "@/lib/db/enums/movements";
import type { SafeLink } from "@/lib/text/safe-link";
import { decimalOf, unitsOf } from "@/lib/text/decimal";
import { civilDay } from "@/lib/text/time";

/** A wallet on a network; `asOf` null: never read. */
export type HistoryAge = { label: string; asOf: string | null };

/**
 * `wallets`: the number of histories; `histories`: the oldest readings among them; `neverRead`: those without a
 * reading. `unknown`: typed text that matches nothing.
 */
export type MovementPlan = {
  accounts: number;
  wallets: number;
  neverRead: number;
  histories: HistoryAge[];
  calls: number;
  minutes: number;
  unknown: string[];
};

export type MovementExportRow = {
  id: string;
  format: MovementFormat;
  from: string;
  to: string;
  state: MovementState;
  byName: string;
  createdAt: string;
  finishedAt: string | null;
  expiresAt: string | null;
  accounts: number;
  read: number;
  /** Wallet histories, and how many of them were read. */
  wallets: number;
  walletsRead: number;
  /** Of each kind those that were read, but may lack entries. */
  notWhole: Record<"accounts" | "wallets", number>;
  unread: string[];
  plannedCalls: number;
  plannedMinutes: number;
  totals: Totals | null;
  sha256: string | null;
  sizeBytes: number | null;
};

const placeOf = ({ coin }: AssetTotals): string =>
  coin === undefined ? "" : `${coin.network} ${coin.token === null ? 1 : 0} ${coin.asset ?? ""} ${coin.token ?? ""}`;

/** Reais, then network by network; an unknown asset at its network's end. */
export const listTotals = (totals: Totals): [string, AssetTotals][] =>
  Object.entries(totals).toSorted(([, one], [, other]) => (placeOf(one) < placeOf(other) ? -1 : 1));

/** `open`: not booked, or not confirmed by its network; what is dropped is no part of any sum, and listed where it is asked for. */
export const LISTED_STATES = ["booked", "open", "dropped"] as const;

/** `in` and `out` from and to somebody else; `own`: between two wallets or two accounts of the company. */
export const DIRECTIONS = ["in", "out", "own"] as const;

/** `booked`, `open` and `undated` of an account's entry, the others of a chain's. */
export type MovementStanding = "booked" | "open" | "undated" | "unconfirmed" | "failed" | "dropped";

export type ListedMovement = {
  /** Of the row within its account or wallet. */
  key: string;
  kind: SourceKind;
  source: { id: string; label: string };
  /** Null: not told. */
  at: string | null;
  direction: "in" | "out" | null;
  /** Without its sign; as told where `isExact` is false. */
  amount: string;
  isExact: boolean;
  /** Absent for reais. */
  coin?: Coin;
  type: string;
  standing: MovementStanding;
  status: string;
  /** What the bank writes to it; null where it does not open. */
  text: string | null;
  /** Masked, or an address. */
  counterpart: string | null;
  /** As the filter names the counterparty; null: it cannot. */
  counterpartKey: string | null;
  /** Of its transaction. */
  id: string;
  explorer: SafeLink | null;
  href: string;
  transfer: { id: string; isReturn: boolean } | null;
  /** Of what left and came back, whoever ordered it; null: nothing says so. */
  returnedAt: string | null;
  /** Whose account or wallet it is, by initials. */
  customer: { ref: string; name: string } | null;
  /** It moved between two wallets or two accounts of the company. */
  isOwn: boolean;
  /** Its other side; null where none is known, or the reader may not see it. */
  other: { label: string; href: string; accountRef: string | null } | null;
};

/** Entries with the id that is sought, of other days or otherwise beyond the filter, and the days they are of. */
export type EntriesElsewhere = { from: string; to: string; count: number };

/** `searched`: only that many of the newest entries were opened to look for a text in them; null: all, or none had to be. */
export type MovementPage = {
  rows: ListedMovement[];
  /** The account or wallet that the filter names. */
  named: string | null;
  older: string | null;
  newer: string | null;
  hasWallets: boolean;
  /** What the filter fits of each kind, up to `COUNTED_MAX` and one; `asOf` null: at least, as not all of that kind was read. */
  counts: Record<SourceKind, { count: number; asOf: string | null }> | null;
  searched: number | null;
  elsewhere: EntriesElsewhere | null;
  asOf: string;
};

type Sides = { in: string; out: string };

/** `own`: what of both moved between two wallets or two accounts of the company. */
export type OwnAndAll = Sides & { own: Sides };

export const outsideOf = ({ own, ...all }: OwnAndAll): Sides => ({
  in: decimalOf(unitsOf(all.in) - unitsOf(own.in)),
  out: decimalOf(unitsOf(all.out) - unitsOf(own.out)),
});

type Cut = Partial<
  Record<
    "account" | "wallet" | "state" | "type" | "min" | "max" | "search" | "counterpart" | "direction",
    string | undefined
  >
>;

/** Whether a filter leaves both sides of a move between own wallets or accounts in, where its period holds both. */
export const holdsBothSides = (filter: Cut): boolean =>
  (filter.direction === undefined || filter.direction === "own") &&
  [
    filter.account,
    filter.wallet,
    filter.state,
    filter.type,
    filter.min,
    filter.max,
    filter.search,
    filter.counterpart,
  ].every((one) => one === undefined);

/** Of one asset, what was added up by the provider's word. */
export type TypeSum = OwnAndAll & { type: string; count: number; unsigned: number };
export type AssetSum = AssetTotals & OwnAndAll & { key: string; types: TypeSum[] };
export type DayBar = OwnAndAll & { day: string };

export type SourceGap = {
  kind: SourceKind;
  label: string;
  href: string;
  /** Everything until then is kept; null: it was never read whole. */
  until: string | null;
  why: "never-read" | "awaiting-deposit" | "past-unread" | "failed" | "entries-unread" | "unfinished" | "behind";
};

/** The period goes on beyond what was read, by the days of São Paulo. */
export const goesBeyond = (completeUntil: string | null, { to }: { to: string }): boolean =>
  completeUntil === null || civilDay(new Date(completeUntil)) <= to;

/** How far all of a filter is kept; `completeInPart`, `partInPart`: some of its sources may lack entries of any day. */
export function wholenessOf(
  { sources, completeUntil, gaps }: Pick<MovementSummary, "sources" | "completeUntil" | "gaps">,
  filter: { to: string },
): "completeNever" | "completeInPart" | "partInPart" | "partUntil" | "completeUntil" {
  if (completeUntil === null || gaps.count === sources) return "completeNever";
  const isPart = goesBeyond(completeUntil, filter);
  if (gaps.count > 0) return isPart ? "partInPart" : "completeInPart";
  return isPart ? "partUntil" : "completeUntil";
}

export type MovementSummary = {
  count: number;
  assets: AssetSum[];
  /** Of the reais that left, what came back by another entry; null: nothing did. */
  returned: { count: number; sum: string } | null;
  /** Of the reais from and to others, what may be between two accounts of the company, for not all are read; null: nothing. */
  perhapsOwn: ({ count: number } & Sides) | null;
  /** Of which asset the bars are; null where nothing moved that can be added up. */
  drawn: AssetSum | null;
  days: DayBar[];
  sources: number;
  /** All sources are kept until then; null: none was read. */
  completeUntil: string | null;
  /** How many may lack entries of the period, and some of them by name. */
  gaps: { count: number; named: SourceGap[] };
};
