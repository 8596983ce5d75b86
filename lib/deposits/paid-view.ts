import type { Network } from "@/lib/contract/crypto";
import type { DepositCause, DepositClass, PaidVerdict } from "@/lib/db/enums/deposits";
import type { SafeLink } from "@/lib/text/safe-link";
import type { DepositRow } from "./view";

/** To the provider, for one question. */
export const MOST_CALLS = 12;

export const PAID_TEXT_MAX = 500;

/** `part`: not to its end; `left-out`: beyond the calls of one question; `unlisted`: its wallet is not in the list yet. */
export const READ_STATES = ["read", "part", "silent", "refused", "put-off", "left-out", "unlisted"] as const;
export type ReadState = (typeof READ_STATES)[number];

/** One query of a history. `asset` null: everything that the provider shows without a token; `asOf`: when it last answered. */
export type PaidRead = {
  address: string;
  /** Null of an address whose wallet is not listed. */
  network: Network | null;
  asset: string | null;
  state: ReadState;
  asOf: string | null;
  until: string | null;
};

/** `eventAt` null: no event told it. */
export type PaidDeposit = { row: DepositRow; eventAt: string | null; href: string | null };

/** What the sentence says, where that is known. */
export type PaidFacts = {
  amount: string | null;
  asset: string | null;
  network: Network | null;
  at: string | null;
  hash: string | null;
  explorer: SafeLink | null;
  reference: string | null;
  /** Of the deposit, which says more than that it arrived. */
  standing: DepositClass | null;
  /** Why it is of that class; `unexpected`: no amount is known to compare it with. */
  cause: DepositCause | null;
  expected: { amount: string; asset: string | null; network: Network | null } | null;
  /** Between what arrived and what was expected. */
  difference: string | null;
};

type Amount = { amount: string; asset: string | null };

export type PaidSum = Amount & { network: Network | null };

export type PaidTally = {
  /** Null: at the address that was asked about. */
  reference: string | null;
  count: number;
  isPart: boolean;
  sums: PaidSum[];
  /** Still, beyond what the verdict says did not arrive. */
  expected: Amount[];
};

export type PaidAnswer = {
  verdict: PaidVerdict;
  /** Null where the verdict is about all that arrived. */
  tally: PaidTally | null;
  isHandler: boolean;
  /** Pasted hashes that were not found, while something else of the text was: the verdict is about that. */
  unfound: string[];
  facts: PaidFacts;
  /** What arrived was sent by a wallet listed here. */
  isFromOwn: boolean;
  /** What the sentence is about was not read just now. */
  isFromBefore: boolean;
  deposits: PaidDeposit[];
  reads: PaidRead[];
  /** More of them than are listed. */
  moreUnread: number;
  calls: number;
  asOf: string;
};
