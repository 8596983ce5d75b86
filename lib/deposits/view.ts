import type { Network } from "@/lib/contract/crypto";
import type { DepositCause, DepositClass, DepositReason, DepositStage } from "@/lib/db/enums/deposits";
import type { Fresh } from "@/lib/text/page";
import type { SafeLink } from "@/lib/text/safe-link";

/** What is expected and not due yet is no exception. */
export const DEPOSIT_VIEWS = ["exceptions", "expected", "arrived", "all"] as const;
export type DepositView = (typeof DEPOSIT_VIEWS)[number];

export const CLASSES_OF_VIEW = {
  exceptions: ["late", "twice", "unattributed", "untold"],
  expected: ["expected"],
  arrived: ["arrived"],
} as const satisfies Record<Exclude<DepositView, "all">, readonly DepositClass[]>;

export const DEPOSIT_OWNERS = ["me", "nobody"] as const;

export const NOTE_MAX = 500;
export const ASSET_MAX = 200;

export type DepositPerson = { name: string; isMine: boolean };

export type DepositRow = {
  id: string;
  kind: "expected" | "arrival";
  /** Null of what is gone, or of what was expected and has arrived. */
  class: DepositClass | null;
  cause: DepositCause | null;
  stage: DepositStage | null;
  /** Null: none is known, or it does not open (`isUnopened`). */
  reference: string | null;
  isUnopened: boolean;
  address: string | null;
  network: Network | null;
  hash: string | null;
  amount: string;
  isExact: boolean;
  /** Null: not told, or any. */
  asset: string | null;
  /** Null of the network's coin, and where none is told. */
  token: string | null;
  at: string;
  dueAt: string | null;
  ageDays: number;
  owner: DepositPerson | null;
  reason: DepositReason | null;
  note: string | null;
  explorer: SafeLink | null;
};

/** Exact decimals of one asset: in, on its way, and expected but not there. */
export type DepositSum = {
  /** Expected as whatever answers to `asset`, which no contract tells apart; `network` null: on any. */
  isAny: boolean;
  network: Network | null;
  asset: string | null;
  token: string | null;
  arrived: string;
  open: string;
  expected: string;
};

/** Symbols are shorter than contracts. */
const SYMBOL_MAX = 20;

/** What is meant by the asset of an expectation. */
export const meantBy = (asset: string | null): "any" | "symbol" | "contract" =>
  asset === null ? "any" : asset.length > SYMBOL_MAX ? "contract" : "symbol";

export type DepositList = Fresh & {
  rows: DepositRow[];
  older: string | null;
  newer: string | null;
  counts: Record<DepositView, number>;
  sums: DepositSum[];
  /** How many have an amount that is no number, and so are in no sum. */
  unsummed: number;
  networks: Network[];
  /** Wallets of which something is unread, so that what arrived there may be missing; null: none is known yet. */
  unreadWallets: number | null;
};

/** `at` null: not seen, or the source does not say when. */
export type TraceStep = {
  kind: "reference" | "address" | "event" | "hash" | "sweep" | "matched";
  isSeen: boolean;
  at: string | null;
  source: "here" | "event" | "chain" | "master" | "typed";
  text: string | null;
  byName: string | null;
  href: string | null;
  explorer: SafeLink | null;
};

export type DepositRecord = {
  row: DepositRow;
  trace: TraceStep[];
  handled: { byName: string; at: string } | null;
  /** Of owner, reason and note. */
  version: string;
  /** Where its address is a wallet of the list. */
  walletId: string | null;
  /** The row in which what was expected arrived. */
  arrivalId: string | null;
  asOf: string;
};

export type ExpectReport = {
  line: number;
  reference: string;
  outcome:
    | "saved"
    | "same"
    | "held"
    | "bad-columns"
    | "bad-reference"
    | "bad-amount"
    | "ambiguous-amount"
    | "bad-asset"
    | "bad-network"
    | "bad-day"
    | "repeated";
};

export type HandleReport = {
  line: number;
  id: string;
  outcome:
    | "saved"
    | "same"
    | "held"
    | "changed"
    | "bad-columns"
    | "unknown-deposit"
    | "bad-reason"
    | "bad-note"
    | "repeated";
};
