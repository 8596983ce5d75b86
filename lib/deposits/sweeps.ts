import type { Network } from "@/lib/contract/crypto";
import { amountKey, tokenKey } from "@/lib/contract/identity";
import type { DepositCause, DepositClass, DepositStage } from "@/lib/db/enums/deposits";
import { decimalOf, unitsOf } from "@/lib/text/decimal";
import { isDecimal } from "@/lib/text/format";

/** `token` null: not told; empty: the network's coin, which was told. */
export type ToldAsset = { token: string | null; asset: string | null };

export type Arrival = ToldAsset & {
  addressKey: string;
  network: Network | null;
  txHash: string | null;
  amount: string;
  /** Null: no source tells when. */
  at: Date | null;
  seenAt: Date | null;
  stage: DepositStage;
  notices: string[];
  entry: string | null;
  sweep: string | null;
  expected: string | null;
  /** Null of what is gone from its network. */
  standing: DepositClass | null;
  cause: DepositCause | null;
};

/** What a master wallet received from a checkout address. `isRead`: the address was read since, or cannot be. */
export type Sweep = {
  id: string;
  addressKey: string;
  network: Network;
  token: string | null;
  asset: string | null;
  amount: string;
  at: Date;
  isDated: boolean;
  isRead: boolean;
};

/** Clocks of chains, blocks and deliveries differ. */
const SLACK_MS = 10 * 60_000;
const UNDATED_LAST_MS = 1e14;
/** More arrivals are tried only one by one, oldest first and all together. */
const MOST_COMBINED = 12;

function isOfAsset({ token, asset, network }: Arrival, sweep: Sweep): boolean {
  if (token === null || sweep.token === null)
    return asset === null || sweep.asset === null || asset.toLowerCase() === sweep.asset.toLowerCase();
  return tokenKey(network ?? sweep.network, token) === tokenKey(sweep.network, sweep.token);
}

const mayHaveTaken = (sweep: Sweep, arrival: Arrival): boolean =>
  arrival.addressKey === sweep.addressKey &&
  arrival.stage !== "unconfirmed" &&
  isDecimal(arrival.amount) &&
  (arrival.network === null || arrival.network === sweep.network) &&
  isOfAsset(arrival, sweep) &&
  (arrival.at === null || !sweep.isDated || arrival.at.getTime() <= sweep.at.getTime() + SLACK_MS);

/** What is dated stands before what an event alone tells without a time. */
const arrivedMs = ({ at, seenAt }: Arrival): number => at?.getTime() ?? (seenAt?.getTime() ?? 0) + UNDATED_LAST_MS;

const sumOf = (arrivals: readonly Arrival[]): bigint => arrivals.reduce((sum, { amount }) => sum + unitsOf(amount), 0n);

const spellingOf = (arrivals: readonly Arrival[]) =>
  arrivals
    .map(({ amount }) => amountKey(amount))
    .toSorted()
    .join();

function combinations(arrivals: readonly Arrival[]): Arrival[][] {
  if (arrivals.length > MOST_COMBINED) {
    const oldest = arrivals.map((_, at) => arrivals.slice(0, at + 1));
    return [...arrivals.map((one) => [one]), ...oldest.slice(1)];
  }
  return Array.from({ length: 2 ** arrivals.length - 1 }, (_, at) =>
    arrivals.filter((__, bit) => Math.floor((at + 1) / 2 ** bit) % 2 === 1),
  );
}

/** The arrivals that a sweep took along; null where several answers differ, or none fits. */
function partsOf(sweep: Sweep, candidates: readonly Arrival[]): Arrival[] | null {
  const units = unitsOf(sweep.amount);
  if (sumOf(candidates) < units) return null;
  const fitting = combinations(candidates).filter((parts) => sumOf(parts) === units);
  const [first, ...others] = fitting;
  if (first === undefined) return null;
  // Equal amounts at one address are alike: the oldest stands for them.
  return others.every((parts) => spellingOf(parts) === spellingOf(first)) ? first : null;
}

function take(sweep: Sweep, parts: readonly Arrival[]): void {
  for (const one of parts) {
    one.sweep = sweep.id;
    one.stage = "swept";
    one.network = sweep.network;
    one.token ??= sweep.token;
    one.asset ??= sweep.asset;
  }
}

/** What arrived as far as its sweep alone tells: an amount, and neither how often nor in which transactions. */
const sumRow = (sweep: Sweep, amount: string): Arrival => ({
  addressKey: sweep.addressKey,
  network: sweep.network,
  txHash: null,
  amount,
  token: sweep.token,
  asset: sweep.asset,
  at: sweep.isDated ? sweep.at : null,
  seenAt: sweep.at,
  stage: "summed",
  notices: [],
  entry: null,
  sweep: sweep.id,
  expected: null,
  standing: null,
  cause: null,
});

/** Each sweep finds what it took along; what one leaves open another may settle. Changes the arrivals. */
export function attributeSweeps(
  arrivals: readonly Arrival[],
  sweeps: readonly Sweep[],
): { arrivals: Arrival[]; sums: Arrival[] } {
  let open = sweeps
    .filter(({ amount }) => isDecimal(amount) && unitsOf(amount) > 0n)
    .toSorted((one, other) => one.at.getTime() - other.at.getTime() || (one.id < other.id ? -1 : 1));
  const candidatesOf = (sweep: Sweep) =>
    arrivals
      .filter((one) => one.sweep === null && mayHaveTaken(sweep, one))
      .toSorted((one, other) => arrivedMs(one) - arrivedMs(other));
  for (let before = -1; before !== open.length;) {
    before = open.length;
    const left: Sweep[] = [];
    for (const sweep of open) {
      const parts = partsOf(sweep, candidatesOf(sweep));
      if (parts === null) left.push(sweep);
      else take(sweep, parts);
    }
    open = left;
  }
  const sums: Arrival[] = [];
  for (const sweep of open) {
    const known = candidatesOf(sweep);
    const missing = unitsOf(sweep.amount) - sumOf(known);
    if (missing <= 0n || !sweep.isRead) continue;
    take(sweep, known);
    sums.push(sumRow(sweep, amountKey(decimalOf(missing))));
  }
  return { arrivals: [...arrivals], sums };
}
