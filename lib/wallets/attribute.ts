import type { Network } from "@/lib/contract/crypto";
import { assetKey } from "@/lib/contract/identity";
import { highestOf } from "./paid-fees";
import { mayBeCoin } from "./view";
import type { ToldAsset, ToldMovement } from "./walk-history";

export type Token = { address: string; asset: string | null };

/** `by`: the entry itself, the token's query that returned it, or a word of the entry that names neither contract nor coin. */
type Named = ToldAsset & { key: string; by: "entry" | "query" | "word" };

export type Share = Named & { times: number };

/** `total`: how often it exists; what no share says is untold. `inAll`: without a token's query. */
export type Attributed = ToldMovement & { total: number; inAll: number; shares: readonly Share[] };

/** Two spellings are one movement; two entries in one spelling are two equal ones in a transaction. */
function timesIn(movements: readonly ToldMovement[]): number {
  const bySpelling = new Map<string, number>();
  for (const { spelling } of movements) bySpelling.set(spelling, (bySpelling.get(spelling) ?? 0) + 1);
  return Math.max(0, ...bySpelling.values());
}

const saysMore = (one: ToldMovement, other: ToldMovement | undefined): boolean =>
  other === undefined ||
  Number(one.time !== null) * 2 + Number(one.blockNumber !== null) >=
    Number(other.time !== null) * 2 + Number(other.blockNumber !== null);

const keyOf = (network: Network, { tokenAddress, asset }: ToldAsset) =>
  assetKey(network, { asset: asset ?? "", tokenAddress });

/** What the entry tells of itself wins over the query that returned it: a provider may ignore the token that was asked. */
function nameOf(network: Network, { moved }: ToldMovement, token: Token | null): Named | null {
  const ofToken = token === null ? null : { tokenAddress: token.address, asset: token.asset };
  const askedKey = ofToken === null ? null : keyOf(network, ofToken);
  const isCertain = moved !== null && (moved.tokenAddress !== null || mayBeCoin({ network, ...moved }));
  if (isCertain) {
    const key = keyOf(network, moved);
    return { ...moved, asset: moved.asset ?? (key === askedKey ? (token?.asset ?? null) : null), key, by: "entry" };
  }
  if (ofToken !== null && askedKey !== null)
    return { ...ofToken, asset: ofToken.asset ?? moved?.asset ?? null, key: askedKey, by: "query" };
  return moved === null ? null : { ...moved, key: keyOf(network, moved), by: "word" };
}

type Answer = { token: Token | null; movements: readonly ToldMovement[] };

/** `told`: how often the entries say so themselves. */
type Found = Share & { told: number };

function joined(one: Found, other: Found | undefined): Found {
  if (other === undefined) return one;
  const [sure, less] = one.by === "entry" && other.by !== "entry" ? [one, other] : [other, one];
  const told = Math.max(one.told, other.told);
  return { ...sure, asset: sure.asset ?? less.asset, told, times: Math.max(one.times, other.times) };
}

/** By asset, what one movement's entries say: several answers return the same ones. */
function assetsOf(network: Network, answers: readonly Answer[]): Found[] {
  const found = new Map<string, Found>();
  for (const { token, movements } of answers) {
    const named = movements.flatMap((movement) => {
      const name = nameOf(network, movement, token);
      return name === null ? [] : [{ name, movement }];
    });
    for (const { name } of named) {
      const same = named.filter((one) => one.name.key === name.key);
      const own = same.filter((one) => one.name.by === "entry");
      const [told, times] = [own, same].map((some) => timesIn(some.map(({ movement }) => movement)));
      found.set(name.key, joined({ ...name, told: told ?? 0, times: times ?? 0 }, found.get(name.key)));
    }
  }
  return [...found.values()].toSorted((one, other) => (one.key < other.key ? -1 : 1));
}

const countOf = (shares: readonly Share[]) => shares.reduce((sum, { times }) => sum + times, 0);

/** Without those that are the symbol of a token whose query returned them; beside other tokens as far as there is room. */
function wordsBeside(network: Network, words: readonly Share[], asked: readonly Share[], room: number): Share[] {
  const symbolOf = ({ asset }: Share) => keyOf(network, { tokenAddress: null, asset });
  let left = asked.length === 0 ? Number.POSITIVE_INFINITY : Math.max(0, room);
  return words.flatMap((word) => {
    const same = countOf(asked.filter((one) => symbolOf(one) === word.key));
    const times = Math.max(0, Math.min(left, word.times - same));
    left -= times;
    return times === 0 ? [] : [{ ...word, times }];
  });
}

/**
 * An entry that tells no asset has that of the token queried. When tokens return it more often than it exists, the
 * provider does not separate them, and the asset stays unknown.
 */
export function attribute(
  network: Network,
  all: readonly ToldMovement[],
  byToken: readonly { token: Token; movements: readonly ToldMovement[] }[],
): Attributed[] {
  const answers: Answer[] = [{ token: null, movements: all }, ...byToken];
  const every = new Map<string, ToldMovement>();
  const byKey = new Map<string, Answer[]>();
  for (const { token, movements } of answers) {
    const here = new Map<string, ToldMovement[]>();
    for (const one of movements) {
      if (saysMore(one, every.get(one.key))) every.set(one.key, one);
      here.set(one.key, [...(here.get(one.key) ?? []), one]);
    }
    for (const [key, same] of here) byKey.set(key, [...(byKey.get(key) ?? []), { token, movements: same }]);
  }
  return [...every.values()].map((one) => {
    const own = byKey.get(one.key) ?? [];
    const inAll = timesIn(own.flatMap(({ token, movements }) => (token === null ? movements : [])));
    const found = assetsOf(network, own);
    const named = found.filter(({ by }) => by !== "word");
    const isMuddled = inAll > 0 && named.length > 1 && countOf(named) > inAll;
    const sure = isMuddled
      ? named.flatMap((share) => (share.told > 0 ? [{ ...share, times: share.told }] : []))
      : named;
    const asked = sure.filter(({ by }) => by === "query");
    const words = found.filter(({ by }) => by === "word");
    const shares = [...sure, ...wordsBeside(network, words, asked, inAll - countOf(sure))];
    const fee = highestOf(own.flatMap(({ movements }) => movements.flatMap((told) => told.fee ?? [])));
    return { ...one, fee, total: Math.max(inAll, countOf(shares)), inAll, shares };
  });
}
