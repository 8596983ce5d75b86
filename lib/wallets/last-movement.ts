import { and, eq, gte, inArray, isNull, not, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "@/lib/db/connection";
import { chainMovement, chainReading, wallet, walletBalance } from "@/lib/db/tables/wallets";
import { movementState } from "./chain-state";
import { movementDirection } from "./view";

/** A balance of any asset other than zero. */
export const holdsSomething = (entries: SQLWrapper): SQL =>
  sql`coalesce(jsonb_path_exists(${entries}, '$[*].balance ? (@ like_regex "[1-9]")'), false)`;

type ToldMovement = [walletId: string, atMs: number | null, asOfMs: number | null];

/** `asOfMs`: until when its chains are known, by their reading or by a balance that has not moved since; null: no chain was read. */
export type KnownMovement = { atMs: number | null; asOfMs: number | null };

/** When each wallet last moved, by its chains, or by its balance where that moved since they were read; of all wallets without `ids`. */
export async function lastMovements(
  store: Db,
  tenant: string,
  ids: readonly string[] | null,
): Promise<ReadonlyMap<string, KnownMovement>> {
  if (ids?.length === 0) return new Map();
  const onChain = sql`(select movement.at from ${chainMovement} as movement
    where movement.tenant = ${wallet.tenant} and movement.wallet_id = ${wallet.id} and movement.dropped_at is null
    order by movement.at desc limit 1)`;
  const inBalance = sql`(select max(balance.moved_at) from ${walletBalance} as balance
    left join ${chainReading} as reading on reading.tenant = balance.tenant and reading.wallet_id = balance.wallet_id
      and reading.network = balance.network and reading.token_address = ''
    where balance.tenant = ${wallet.tenant} and balance.wallet_id = ${wallet.id}
      and balance.moved_at > coalesce(reading.as_of, '-infinity'))`;
  const knownTo = sql`(select min(case when balance.moved_at > reading.as_of then reading.as_of
      else greatest(reading.as_of, balance.as_of) end)
    from ${chainReading} as reading left join ${walletBalance} as balance on balance.tenant = reading.tenant
      and balance.wallet_id = reading.wallet_id and balance.network = reading.network
    where reading.tenant = ${wallet.tenant} and reading.wallet_id = ${wallet.id} and reading.token_address = ''
      and reading.as_of is not null)`;
  const one = sql`json_build_array(${wallet.id}, extract(epoch from greatest(${onChain}, ${inBalance})) * 1000,
    extract(epoch from ${knownTo}) * 1000)`;
  const [all] = await store
    .select({ told: sql<ToldMovement[]>`coalesce(json_agg(${one}), '[]')` })
    .from(wallet)
    .where(and(eq(wallet.tenant, tenant), ids === null ? undefined : inArray(wallet.id, [...ids])));
  return new Map((all?.told ?? []).map(([id, atMs, asOfMs]) => [id, { atMs, asOfMs }]));
}

/** Wallets with a confirmed entry that came from no wallet of the tenant. */
export async function receivedSince(store: Db, tenant: string, since: SQL): Promise<ReadonlySet<string>> {
  const rows = await store
    .select()
    .from(chainMovement)
    .where(
      and(
        eq(chainMovement.tenant, tenant),
        gte(chainMovement.at, since),
        isNull(chainMovement.droppedAt),
        eq(chainMovement.isOwn, false),
      ),
    );
  const isReceived = (row: (typeof rows)[number]) =>
    movementDirection(row.subtype) === "in" && movementState(row) === "confirmed";
  return new Set(rows.filter(isReceived).map(({ walletId }) => walletId));
}

export type LastMove = { atMs: number; direction: "in" | "out" | "own" };

const ToldMoves = z.array(
  z.object({ walletId: z.string(), last: z.object({ at: z.coerce.date(), subtype: z.string(), own: z.boolean() }) }),
);

/** Which way the last entry of each wallet's chains went; none where its word says no way. */
export async function lastMoves(
  store: Db,
  tenant: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, LastMove>> {
  const last = sql`(select json_build_object('at', movement.at, 'subtype', movement.subtype, 'own', movement.is_own)
    from ${chainMovement} as movement where movement.tenant = ${wallet.tenant} and movement.wallet_id = ${wallet.id}
    and movement.dropped_at is null order by movement.at desc limit 1)`;
  const rows = await store
    .select({ walletId: wallet.id, last })
    .from(wallet)
    .where(and(eq(wallet.tenant, tenant), inArray(wallet.id, [...ids])));
  const told = ToldMoves.parse(rows.filter((row) => row.last !== null));
  return new Map(
    told.flatMap(({ walletId, last: { at, subtype, own } }) => {
      const direction = movementDirection(subtype);
      return direction === null
        ? []
        : [[walletId, { atMs: at.getTime(), direction: own ? "own" : direction }] as const];
    }),
  );
}

const isHistoryRead = (isWanted: SQL) => sql`exists (select from ${chainReading} as reading
  where reading.tenant = ${wallet.tenant} and reading.wallet_id = ${wallet.id} and reading.token_address = ''
  and reading.as_of is not null and ${isWanted})`;

/** Wallets, of all without `ids`, of which no history was read, or none of a network on which they hold something. */
export async function unreadHolders(
  store: Db,
  tenant: string,
  ids: readonly string[] | null,
): Promise<ReadonlySet<string>> {
  const holdsUnread = sql`exists (select from ${walletBalance} as balance
    where balance.tenant = ${wallet.tenant} and balance.wallet_id = ${wallet.id}
    and ${holdsSomething(sql`balance.entries`)} and not ${isHistoryRead(sql`reading.network = balance.network`)})`;
  const isUnread = or(not(isHistoryRead(sql`true`)), holdsUnread);
  const rows = await store
    .select({ id: wallet.id })
    .from(wallet)
    .where(and(eq(wallet.tenant, tenant), ids === null ? undefined : inArray(wallet.id, [...ids]), isUnread));
  return new Set(rows.map(({ id }) => id));
}
