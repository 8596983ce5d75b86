import { and, desc, eq, gte, inArray, ne, notExists, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { familyOf } from "@/lib/contract/addresses";
import { addressSpellings, tokenKey } from "@/lib/contract/identity";
import type { Db, Tx } from "@/lib/db/connection";
import { chainMovement, cryptoOrder, hashKey } from "@/lib/db/tables/wallets";
import { isNotRuledOut } from "@/lib/provider/intents/candidates";
import { movementState } from "./chain-state";
import { amountValue, type CoinOrder, spelt } from "./fingerprint";
import { mayBeCoin, movementDirection } from "./view";
import { tokenOf } from "./xrpl-token";

export type LikeMovement = {
  hash: string;
  at: Date;
  /** The order's own token was named, or the order is for the network's coin. */
  isSure: boolean;
};

export type LikeOf = {
  tenant: string;
  walletId: string;
  order: CoinOrder;
  /** The order whose own hash counts; null for one without an intent. */
  except: string | null;
  since: Date | SQL;
};

const DECIMAL = /^-?\d+(\.\d+)?$/;

type Stored = typeof chainMovement.$inferSelect;

function isLike(order: CoinOrder, movement: Stored): boolean {
  const { network, to, amount, issuer } = order;
  const { counterAddress, subtype, tokenAddress: told } = movement;
  const state = movementState(movement);
  if (state === "failed" || state === "dropped") return false;
  if (movementDirection(subtype) === "in" || !DECIMAL.test(movement.amount)) return false;
  const isSameAmount = amountValue(movement.amount.replace("-", "")) === amountValue(amount);
  const tokens = [tokenOf(order) ?? "", issuer ?? ""].map((token) => tokenKey(network, token));
  const isSameToken = told === null || tokens.includes(tokenKey(network, told));
  return isSameAmount && isSameToken && spelt(network, counterAddress) === spelt(network, to);
}

/** Stored movements out of the wallet that may be this order's: not another's, not ruled out. Newest first. */
export async function likeMovements(store: Db | Tx, like: LikeOf): Promise<LikeMovement[]> {
  const { tenant, walletId, order, except, since } = like;
  const claimant = alias(cryptoOrder, "claimant");
  const claimed = store
    .select({ intentId: claimant.intentId })
    .from(claimant)
    .where(
      and(
        eq(claimant.tenant, tenant),
        eq(hashKey(claimant.txHash), hashKey(chainMovement.hash)),
        except === null ? undefined : ne(claimant.intentId, except),
      ),
    );
  const { hash, at, counterAddress } = chainMovement;
  const rows = await store
    .select()
    .from(chainMovement)
    .where(
      and(
        eq(chainMovement.tenant, tenant),
        eq(chainMovement.walletId, walletId),
        eq(chainMovement.network, order.network),
        gte(at, since),
        // In any case: the family's spelling tells addresses apart.
        inArray(sql`lower(trim(${counterAddress}))`, addressSpellings(familyOf(order.network), order.to)),
        notExists(claimed),
        except === null ? undefined : isNotRuledOut(store, { tenant, intentId: except }, hash),
      ),
    )
    .orderBy(desc(at));
  const isOfCoin = tokenOf(order) === null;
  return rows
    .filter((row) => isLike(order, row))
    .map((row) => ({
      hash: row.hash,
      at: row.at,
      isSure: movementState(row) === "confirmed" && (isOfCoin ? mayBeCoin(row) : row.tokenAddress !== null),
    }));
}
