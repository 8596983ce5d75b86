import { amountKey, assetKey } from "@/lib/contract/identity";
import { FAMILY_NETWORKS, type Network, NETWORKS } from "@/lib/contract/crypto";
import { pasted, pastedWords } from "@/lib/contract/fold";
import type { AskedBy, DepositStage, PaidVerdict } from "@/lib/db/enums/deposits";
import { unitsOf } from "@/lib/text/decimal";
import { isDecimal } from "@/lib/text/format";
import { pastedAddress } from "@/lib/wallets/inputs";
import type { WalletNetwork } from "@/lib/wallets/records";
import { networkOfLink } from "./link-network";
import { MOST_CALLS, type ReadState } from "./paid-view";

type Linked = ReadonlyMap<string, Network>;

/** Each text as each of what it may be. */
export type PaymentClues = { hashes: string[]; addresses: string[]; references: string[]; linked: Linked };

const HEX_HASH = /^(?:0x)?[\da-f]{64}$/i;
const SIGNATURE = /^[1-9A-HJ-NP-Za-km-z]{80,90}$/;
const ADDRESS = /^(?:0x[\da-f]{40}|[1-9A-HJ-NP-Za-km-z]{25,60}|bc1[\da-z]{20,70})$/i;

const isHash = (word: string) => HEX_HASH.test(word) || SIGNATURE.test(word);

function linkedIn(word: string): [string, Network][] {
  const network = networkOfLink(word);
  if (network === null) return [];
  return pastedWords(word).parts.flatMap((part) => [part, pastedAddress(part)].map((one) => [one, network]));
}

/** A hash, address or reference, alone or within what a customer wrote, also as a link of an explorer. */
export function askedIn(text: string): PaymentClues {
  const { words, parts } = pastedWords(text);
  const addresses = parts.map(pastedAddress).filter((word) => ADDRESS.test(word) && !isHash(word));
  return {
    hashes: parts.filter(isHash),
    addresses: [...new Set(addresses)],
    references: [...new Set([pasted(text), ...words])].filter((one) => one !== ""),
    linked: new Map(words.flatMap(linkedIn)),
  };
}

const IN_HEX = NETWORKS.filter((network) => network !== "SOLANA");

function networksOfForm(hash: string): readonly Network[] {
  if (SIGNATURE.test(hash)) return ["SOLANA"];
  return /^0x/i.test(hash) ? FAMILY_NETWORKS.EVM : IN_HEX;
}

/** Those whose hashes are written so, of them the one that a link names. */
export function networksOfHash(hash: string, linked: Linked): readonly Network[] {
  const written = networksOfForm(hash);
  const named = linked.get(hash);
  return named !== undefined && written.includes(named) ? [named] : written;
}

/** `isLikely`: where it should have arrived, as far as anybody said. */
export type PaidPlace = WalletNetwork & { isLikely: boolean };

/** `times`: how often it is named here. */
export type KnownToken = {
  network: Network;
  address: string;
  asset: string | null;
  times: number;
  isWanted: boolean;
};

/** `token` null: everything. */
export type PlannedRead = { place: PaidPlace; token: KnownToken | null };

function rankOf({ place: { isLikely }, token }: PlannedRead): number {
  if (token === null) return isLikely ? 0 : 2;
  if (token.isWanted) return isLikely ? 1 : 3;
  return 4;
}

/** A call each, at most twelve, the likeliest first; no token where everything is left out. */
export function planReads(
  places: readonly PaidPlace[],
  tokens: readonly KnownToken[],
  most: number = MOST_CALLS,
): { reads: PlannedRead[]; leftOut: PlannedRead[] } {
  const wanted = places.flatMap((place) => [
    { place, token: null },
    ...tokens.flatMap((token) => (token.network === place.network ? [{ place, token }] : [])),
  ]);
  const inOrder = wanted.toSorted(
    (one, other) => rankOf(one) - rankOf(other) || (other.token?.times ?? 0) - (one.token?.times ?? 0),
  );
  return { reads: inOrder.slice(0, most), leftOut: inOrder.slice(most) };
}

export type FoundArrival = {
  id: string;
  reference: string | null;
  network: Network | null;
  amount: string;
  token: string | null;
  asset: string | null;
  at: Date;
  stage: DepositStage | null;
  hasEvent: boolean;
  expectedId: string | null;
};

export type FoundExpectation = {
  id: string;
  amount: string;
  network: Network | null;
  asset: string | null;
  typedAt: Date;
  isOpen: boolean;
};

export type Findings = {
  /** What was asked for and is known here, the most precise of it. */
  subject: AskedBy;
  /** The one that was asked for, if it is known. */
  reference: string | null;
  arrivals: readonly FoundArrival[];
  expected: readonly FoundExpectation[];
  /** What else carries the hash. */
  elsewhere: "own-wallet" | "left" | "dropped" | "failed" | null;
  /** Of everything that could have been read, whether it was; of a foreign address the list of wallets, where that is not read. */
  reads: readonly { state: ReadState }[];
};

export type Judgement = {
  verdict: PaidVerdict;
  arrival: FoundArrival | null;
  expected: FoundExpectation | null;
};

const isGone = ({ stage }: FoundArrival) => stage === "dropped" || stage === "failed";
const newest = (arrivals: readonly FoundArrival[]): FoundArrival | undefined =>
  arrivals.toSorted((one, other) => other.at.getTime() - one.at.getTime() || (one.id < other.id ? -1 : 1))[0];

const isAmount = (one: string, other: string) => amountKey(one) === amountKey(other);

const isOfNetwork = ({ network }: FoundArrival, expected: FoundExpectation) =>
  network === null || expected.network === null || network === expected.network;

function isOfAsset({ network, asset, token }: FoundArrival, expected: FoundExpectation): boolean {
  if (expected.asset === null || (asset === null && token === null)) return true;
  if (asset?.toLowerCase() === expected.asset.toLowerCase()) return true;
  if (network === null || token === null) return false;
  const contract = { asset: "", tokenAddress: expected.asset };
  return assetKey(network, { asset: "", tokenAddress: token }) === assetKey(network, contract);
}

const gap = (arrival: FoundArrival, expected: FoundExpectation): bigint =>
  unitsOf(arrival.amount) - unitsOf(expected.amount);
const size = (units: bigint) => (units < 0n ? -units : units);

const isLater = ({ at }: FoundArrival, { typedAt }: FoundExpectation) => at >= typedAt;

/** An arrival from before it was typed is not what is expected, unless in its amount. */
const isAbout = (arrival: FoundArrival, expected: FoundExpectation): boolean =>
  isLater(arrival, expected) || isAmount(expected.amount, arrival.amount);

/** Why an arrival is not what is still expected of its reference. */
function otherThan(arrival: FoundArrival, open: readonly FoundExpectation[]): Judgement | null {
  if (arrival.expectedId !== null || !isDecimal(arrival.amount)) return null;
  const alike = open.filter((one) => isAmount(one.amount, arrival.amount));
  const fits = alike.find((one) => isOfNetwork(arrival, one) && isOfAsset(arrival, one));
  if (fits !== undefined) return null;
  const [same] = alike;
  if (same !== undefined)
    return { verdict: isOfNetwork(arrival, same) ? "other-asset" : "other-network", arrival, expected: same };
  const counted = open.filter((one) => isLater(arrival, one) && isDecimal(one.amount) && isOfAsset(arrival, one));
  const [nearest] = counted.toSorted((one, other) => {
    const difference = size(gap(arrival, one)) - size(gap(arrival, other));
    return difference === 0n ? 0 : difference < 0n ? -1 : 1;
  });
  if (nearest === undefined) return null;
  return { verdict: gap(arrival, nearest) < 0n ? "short" : "over", arrival, expected: nearest };
}

const AS_ITS_STAGE: Readonly<Record<DepositStage, PaidVerdict>> = {
  told: "told",
  unconfirmed: "unconfirmed",
  confirmed: "no-event",
  swept: "swept",
  summed: "swept",
  dropped: "dropped",
  failed: "failed",
};

const IS_THERE: ReadonlySet<PaidVerdict> = new Set(["no-event", "swept"]);

function judgeArrival(arrival: FoundArrival, { reference, expected }: Findings): Judgement {
  const byStage = AS_ITS_STAGE[arrival.stage ?? "told"];
  if (!IS_THERE.has(byStage)) return { verdict: byStage, arrival, expected: null };
  if (reference !== null && arrival.reference !== null && arrival.reference !== reference)
    return { verdict: "other-reference", arrival, expected: null };
  const other = otherThan(
    arrival,
    expected.filter(({ isOpen }) => isOpen),
  );
  if (other !== null) return other;
  return { verdict: arrival.hasEvent ? "paid" : byStage, arrival, expected: null };
}

const IS_READ: ReadonlySet<ReadState> = new Set(["read", "part"]);

/** Nothing was found: what that means depends on what was read. */
function judgeNothing({ subject, elsewhere, reads, expected }: Findings): PaidVerdict {
  if (elsewhere !== null) return elsewhere;
  if (subject === "nothing") return "unknown";
  if (subject === "foreign-address") return reads.length === 0 ? "not-ours" : "unread";
  if (subject === "reference" && reads.length === 0) return expected.length > 0 ? "no-address" : "unknown";
  if (reads.length > 0 && !reads.some(({ state }) => IS_READ.has(state))) return "unread";
  if (subject === "hash") return "hash-nowhere";
  return reads.length > 0 && reads.every(({ state }) => state === "read") ? "not-seen" : "not-seen-in-part";
}

/** One answer. What is still expected is asked about, not what was expected earlier and arrived. */
export function judgePayment(findings: Findings): Judgement {
  const { arrivals, expected, subject } = findings;
  const open = expected.filter(({ isOpen }) => isOpen);
  const isCounted = (one: FoundArrival) => one.expectedId === null && open.some((wanted) => isAbout(one, wanted));
  const about = subject === "hash" || open.length === 0 ? arrivals : arrivals.filter(isCounted);
  const found = newest(about.filter((one) => !isGone(one))) ?? newest(about);
  if (found !== undefined) return judgeArrival(found, findings);
  return { verdict: judgeNothing(findings), arrival: null, expected: open[0] ?? null };
}
