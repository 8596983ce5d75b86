import { COINS } from "@/lib/contract/coins";
import type { Network } from "@/lib/contract/crypto";
import { amountKey, assetKey, tokenKey, transactionKey } from "@/lib/contract/identity";
import { isDecimal } from "@/lib/text/format";
import { type Arrival, attributeSweeps, type Sweep, type ToldAsset } from "./sweeps";

type Place = { id: string; addressKey: string };

/** `at` null: not told, so any sweep may have taken it along. */
export type Notice = Place &
  ToldAsset & {
    network: Network | null;
    txHash: string | null;
    amount: string | null;
    at: Date | null;
    receivedAt: Date;
  };

export type Entry = Place &
  ToldAsset & {
    network: Network;
    txHash: string;
    amount: string;
    at: Date;
    isDated: boolean;
    state: "confirmed" | "unconfirmed" | "failed" | "dropped";
  };

export type Expected = {
  id: string;
  amount: string;
  network: Network | null;
  /** A symbol or a contract. */
  asset: string | null;
  dueAt: Date | null;
  typedAt: Date;
};

/** Of one reference, or of one address that has none. */
export type Facts = {
  reference: "known" | "none" | "unknown-address";
  notices: readonly Notice[];
  entries: readonly Entry[];
  sweeps: readonly Sweep[];
  expected: readonly Expected[];
};

const isGone = ({ stage }: Pick<Arrival, "stage">) => stage === "dropped" || stage === "failed";

const isOfNetwork = (one: Network | null, other: Network | null) => one === null || other === null || one === other;

const txOf = (network: Network, txHash: string | null) => (txHash === null ? null : transactionKey(network, txHash));

const HOURS_AROUND_MS = 24 * 60 * 60 * 1000;

type Taken = ReadonlyMap<string, readonly Notice[]>;

/** An entry that this event may be about: by transaction, else by amount, the nearest in time. */
function entryOf(notice: Notice, entries: readonly Entry[], taken: Taken): Entry | null {
  const there = entries.filter(
    (one) => one.addressKey === notice.addressKey && isOfNetwork(notice.network, one.network),
  );
  const isOfAmount = ({ amount }: Entry) => notice.amount !== null && amountKey(amount) === amountKey(notice.amount);
  const isFree = ({ id }: Entry) => !taken.has(id);
  if (notice.txHash !== null) {
    const same = there.filter((one) => txOf(one.network, one.txHash) === txOf(one.network, notice.txHash));
    return same.find((one) => isFree(one) && isOfAmount(one)) ?? same.find(isFree) ?? same[0] ?? null;
  }
  const when = (notice.at ?? notice.receivedAt).getTime();
  const distance = ({ at }: Entry) => Math.abs(at.getTime() - when);
  const isNear = (one: Entry) => !one.isDated || distance(one) <= HOURS_AROUND_MS;
  return (
    there
      .filter((one) => isFree(one) && isOfAmount(one) && isNear(one) && !isGone({ stage: one.state }))
      .toSorted((one, other) => distance(one) - distance(other))[0] ?? null
  );
}

const standingNowhere = { sweep: null, expected: null, standing: null, cause: null } as const;

function arrivalOfEntry(entry: Entry, notices: readonly Notice[]): Arrival {
  const told = notices.find(({ token, asset }) => token !== null || asset !== null);
  const { addressKey, network, txHash, amount, at } = entry;
  return {
    ...standingNowhere,
    addressKey,
    network,
    txHash,
    amount,
    at: entry.isDated ? at : null,
    seenAt: notices[0]?.receivedAt ?? at,
    token: entry.token ?? told?.token ?? null,
    asset: entry.asset ?? told?.asset ?? null,
    stage: entry.state,
    notices: notices.map(({ id }) => id),
    entry: entry.id,
  };
}

const arrivalOfNotice = (notice: Notice, amount: string): Arrival => ({
  ...standingNowhere,
  addressKey: notice.addressKey,
  network: notice.network,
  txHash: notice.txHash,
  amount,
  at: notice.at,
  seenAt: notice.receivedAt,
  token: notice.token,
  asset: notice.asset,
  stage: "told",
  notices: [notice.id],
  entry: null,
});

/** Each entry once, and each event that no entry bears out; an event without an amount says nothing that can be listed. */
function arrivalsOf({ notices, entries }: Facts): Arrival[] {
  const taken = new Map<string, Notice[]>();
  const alone: Arrival[] = [];
  const once = [...new Map(notices.map((notice) => [notice.id, notice])).values()];
  const hashedFirst = once.toSorted(
    (one, other) => Number(one.txHash === null) - Number(other.txHash === null) || order(one, other),
  );
  for (const notice of hashedFirst) {
    const entry = entryOf(notice, entries, taken);
    if (entry !== null) taken.set(entry.id, [...(taken.get(entry.id) ?? []), notice]);
    else if (notice.amount !== null && isDecimal(notice.amount)) alone.push(arrivalOfNotice(notice, notice.amount));
  }
  return [...entries.map((entry) => arrivalOfEntry(entry, taken.get(entry.id) ?? [])), ...alone];
}

const order = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : Number(one.id > other.id));

const isAssetTold = ({ token, asset, network }: Arrival): boolean =>
  token !== null || asset !== null || network === "BITCOIN";

const named = ({ token, asset, network }: Arrival): string[] => [
  ...(asset === null ? [] : [asset.toLowerCase()]),
  ...(token === null || token === "" || network === null ? [] : [tokenKey(network, token).toLowerCase()]),
  ...(network !== null && (token === "" || network === "BITCOIN") ? [COINS[network].toLowerCase()] : []),
];

type Fit = "fits" | "untold" | "other";

function fitOf(arrival: Arrival, expected: Expected): Fit {
  const isSame = amountKey(arrival.amount) === amountKey(expected.amount);
  if (!isSame || !isOfNetwork(arrival.network, expected.network)) return "other";
  if (expected.asset === null) return "fits";
  if (!isAssetTold(arrival)) return "untold";
  const { network, asset } = { network: arrival.network, asset: expected.asset };
  const isName = named(arrival).includes(asset.toLowerCase());
  const isContract =
    network !== null &&
    arrival.token !== null &&
    assetKey(network, { asset: "", tokenAddress: asset }) ===
      assetKey(network, { asset: "", tokenAddress: arrival.token });
  return isName || isContract ? "fits" : "other";
}

const NEVER = Number.POSITIVE_INFINITY;
const dueOf = ({ dueAt }: Expected) => dueAt?.getTime() ?? NEVER;

/** What says most of an arrival is asked for first, then what was due first. */
const byPrecision = (one: Expected, other: Expected): number =>
  Number(other.asset !== null) - Number(one.asset !== null) ||
  Number(other.network !== null) - Number(one.network !== null) ||
  (dueOf(one) === dueOf(other) ? 0 : dueOf(one) - dueOf(other)) ||
  one.typedAt.getTime() - other.typedAt.getTime() ||
  order(one, other);

type Verdict = Pick<Arrival, "standing" | "cause">;

function unmatched(arrival: Arrival, { reference, expected }: Facts): Verdict {
  if (reference !== "known") {
    const cause = reference === "none" ? "no-reference" : "unknown-address";
    return { standing: "unattributed", cause };
  }
  const fits = expected.map((one) => fitOf(arrival, one));
  if (fits.includes("fits")) return { standing: "twice", cause: null };
  if (arrival.stage === "summed") return { standing: "unattributed", cause: "sum" };
  if (fits.includes("untold")) return { standing: "untold", cause: null };
  if (expected.length > 0) return { standing: "unattributed", cause: "other-amount" };
  return isAssetTold(arrival)
    ? { standing: "arrived", cause: "unexpected" }
    : { standing: "untold", cause: "unexpected" };
}

const momentOf = ({ at, seenAt }: Pick<Arrival, "at" | "seenAt">) => at ?? seenAt;

const keyOf = ({ notices, entry, sweep }: Arrival) => `${entry ?? ""} ${notices.join()} ${sweep ?? ""}`;

const moment = (one: Arrival) => momentOf(one)?.getTime() ?? NEVER;

/** The whole standing of one reference, whatever came first: each arrival in its class, and what is still expected. */
export function assembleDeposits(facts: Facts): { arrivals: Arrival[]; fulfilled: ReadonlySet<string> } {
  const found = arrivalsOf(facts);
  const standing = found.filter((one) => !isGone(one));
  const swept = attributeSweeps(standing, facts.sweeps);
  const arrivals = [...swept.arrivals, ...swept.sums].toSorted(
    (one, other) =>
      (moment(one) === moment(other) ? 0 : moment(one) - moment(other)) || (keyOf(one) < keyOf(other) ? -1 : 1),
  );
  const fulfilled = new Set<string>();
  for (const one of arrivals) {
    if (facts.reference !== "known") break;
    const open = facts.expected.filter(({ id }) => !fulfilled.has(id)).toSorted(byPrecision);
    const expected = open.find((candidate) => fitOf(one, candidate) === "fits");
    if (expected === undefined) continue;
    fulfilled.add(expected.id);
    one.expected = expected.id;
    const isLate = expected.dueAt !== null && (momentOf(one) ?? expected.dueAt) > expected.dueAt;
    one.standing = isLate ? "late" : "arrived";
  }
  for (const one of arrivals) if (one.expected === null) Object.assign(one, unmatched(one, facts));
  return { arrivals: [...arrivals, ...found.filter(isGone)], fulfilled };
}
