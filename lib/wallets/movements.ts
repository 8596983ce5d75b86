import { and, eq, inArray } from "drizzle-orm";
import type { Tx } from "@/lib/db/connection";
import { decimalOf, unitsOf } from "@/lib/text/decimal";
import { chainMovement } from "@/lib/db/tables/wallets";
import type { WalletNetwork } from "./records";
import { directionOf } from "./view";
import type { MovementRow, ToldMovement } from "./walk-history";

export type Token = { address: string; asset: string | null };

type Attributed = ToldMovement & { total: number; tokens: readonly (Token & { times: number })[] };

const timesIn = (movements: readonly ToldMovement[], key: string) => movements.filter((one) => one.key === key).length;

/**
 * An entry names no asset: it has that of the token whose question told it. Told for several tokens more often than there are
 * of it in all, the provider does not part them, and the asset stays untold.
 */
export function attribute(
  all: readonly ToldMovement[],
  byToken: readonly { token: Token; movements: readonly ToldMovement[] }[],
): Attributed[] {
  const every = new Map([...all, ...byToken.flatMap(({ movements }) => movements)].map((one) => [one.key, one]));
  return [...every.values()].map((one) => {
    const inAll = timesIn(all, one.key);
    const tokens = byToken
      .map(({ token, movements }) => ({ ...token, times: timesIn(movements, one.key) }))
      .filter(({ times }) => times > 0);
    const told = tokens.reduce((sum, { times }) => sum + times, 0);
    if (inAll > 0 && tokens.length > 1 && told > inAll) return { ...one, total: inAll, tokens: [] };
    return { ...one, total: Math.max(inAll, told), tokens };
  });
}

type Fresh = Pick<MovementRow, "key" | "ordinal" | "hash" | "subtype" | "amount" | "at" | "tokenAddress">;

/** Once each, whichever question tells it again; what a token's question tells later is named then. */
export async function saveMovements(
  tx: Tx,
  tenant: string,
  { walletId, network }: WalletNetwork,
  told: readonly Attributed[],
): Promise<Fresh[]> {
  if (told.length === 0) return [];
  const isHere = and(
    eq(chainMovement.tenant, tenant),
    eq(chainMovement.walletId, walletId),
    eq(chainMovement.network, network),
  );
  const keys = told.map(({ key }) => key);
  const { key, ordinal, tokenAddress } = chainMovement;
  const stored = await tx
    .select({ key, ordinal, tokenAddress })
    .from(chainMovement)
    .where(and(isHere, inArray(chainMovement.key, keys)));
  const fresh: (typeof chainMovement.$inferInsert & Fresh)[] = [];
  for (const { total, tokens, ...one } of told) {
    const mine = stored.filter((row) => row.key === one.key);
    const untold = mine.filter((row) => row.tokenAddress === null);
    const missing: (Token | null)[] = [];
    for (const { times, ...token } of tokens) {
      const named = mine.filter((row) => row.tokenAddress === token.address).length;
      for (let nth = named; nth < times; nth += 1) {
        const claimed = untold.shift();
        if (claimed === undefined) missing.push(token);
        else {
          await tx
            .update(chainMovement)
            .set({ tokenAddress: token.address, asset: token.asset })
            .where(and(isHere, eq(chainMovement.key, one.key), eq(chainMovement.ordinal, claimed.ordinal)));
        }
      }
    }
    while (mine.length + missing.length < total) missing.push(null);
    for (const [nth, token] of missing.entries()) {
      const named = { tokenAddress: token?.address ?? null, asset: token?.asset ?? null };
      fresh.push({ ...one, tenant, walletId, network, ordinal: mine.length + nth, ...named });
    }
  }
  if (fresh.length > 0) await tx.insert(chainMovement).values(fresh);
  return fresh;
}

export type Native = { native: string; nativeAt: Date };

/** What the native balance lost beyond what one transaction sent; null where that cannot be said. */
export function derivedFee(
  before: Native | null,
  after: Native | null,
  fresh: readonly Pick<Fresh, "hash" | "subtype" | "amount" | "at" | "tokenAddress">[],
): { hash: string; fee: string } | null {
  if (before === null || after === null) return null;
  const isBetween = fresh.every(({ at }) => at > before.nativeAt && at <= after.nativeAt);
  const isCounted = fresh.every(({ amount, subtype }) => /^\d+(\.\d+)?$/.test(amount) && directionOf(subtype) !== null);
  const [hash, ...others] = new Set(
    fresh.filter(({ subtype }) => directionOf(subtype) === "out").map((one) => one.hash),
  );
  if (!isBetween || !isCounted || hash === undefined || hash === "" || others.length > 0) return null;
  const moved = fresh
    .filter(({ tokenAddress }) => tokenAddress === null)
    .reduce((sum, { subtype, amount }) => sum + (directionOf(subtype) === "in" ? 1n : -1n) * unitsOf(amount), 0n);
  const fee = unitsOf(before.native) - unitsOf(after.native) + moved;
  return fee > 0n ? { hash, fee: decimalOf(fee) } : null;
}
