import { and, eq, gt, inArray, or, type SQL, sql } from "drizzle-orm";
import type { Network } from "@/lib/contract/crypto";
import { tokenKey, transactionKey } from "@/lib/contract/identity";
import type { Tx } from "@/lib/db/connection";
import { decimalOf, unitsOf } from "@/lib/text/decimal";
import { chainMovement } from "@/lib/db/tables/wallets";
import type { Attributed, Token } from "./attribute";
import { movementState } from "./chain-state";
import { planRows, rankRows } from "./match-rows";
import type { WalletNetwork } from "./records";
import { mayBeCoin, movementDirection } from "./view";
import { hashesOf, movementKey, type MovementRow, type ToldMovement, type Walked } from "./walk-history";

type Place = SQL | undefined;
type Changes = Partial<
  Pick<MovementRow, "key" | "ordinal" | "at" | "isDated" | "blockNumber" | "status" | "toldFee" | "droppedAt">
> &
  Partial<Pick<MovementRow, "tokenAddress" | "asset">>;

const idOf = ({ key, ordinal }: Pick<MovementRow, "key" | "ordinal">) =>
  and(eq(chainMovement.key, key), eq(chainMovement.ordinal, ordinal));

async function change(tx: Tx, isHere: Place, row: MovementRow, changes: Changes): Promise<MovementRow> {
  await tx
    .update(chainMovement)
    .set(changes)
    .where(and(isHere, idOf(row)));
  return { ...row, ...changes };
}

const nextOrdinal = (rows: readonly MovementRow[]) => Math.max(-1, ...rows.map(({ ordinal }) => ordinal)) + 1;

/** Merges the rows of one movement under its key. Old rows may have other keys, from other spellings. */
async function underOneKey(tx: Tx, isHere: Place, key: string, rows: readonly MovementRow[]): Promise<MovementRow[]> {
  const byKey = new Map<string, MovementRow[]>();
  for (const row of rows) byKey.set(row.key, [...(byKey.get(row.key) ?? []), row]);
  if (byKey.size === 1 && byKey.has(key)) return [...rows];
  const most = Math.max(...[...byKey.values()].map((told) => told.length));
  const byWorth = rows.toSorted(
    (one, other) =>
      Number(other.tokenAddress !== null) - Number(one.tokenAddress !== null) ||
      Number(other.asset !== null) - Number(one.asset !== null) ||
      Number(other.key === key) - Number(one.key === key),
  );
  for (const spare of byWorth.slice(most)) await tx.delete(chainMovement).where(and(isHere, idOf(spare)));
  const kept: MovementRow[] = byWorth.slice(0, most).filter((row) => row.key === key);
  for (const row of byWorth.slice(0, most).filter((one) => one.key !== key))
    kept.push(await change(tx, isHere, row, { key, ordinal: nextOrdinal(kept) }));
  return kept.toSorted((one, other) => one.ordinal - other.ordinal);
}

function newsOf(row: MovementRow, { time, blockNumber, status, fee }: ToldMovement, readAt: Date): Changes | null {
  const isSameSecond =
    time !== null && time.isCoarse && Math.floor(row.at.getTime() / 1_000) * 1_000 === time.at.getTime();
  const at = time === null ? (row.isDated ? readAt : row.at) : isSameSecond && row.isDated ? row.at : time.at;
  const isDated = time !== null;
  const toldFee = fee ?? row.toldFee;
  const isSame =
    row.at.getTime() === at.getTime() &&
    row.isDated === isDated &&
    row.blockNumber === blockNumber &&
    row.status === status &&
    row.toldFee === toldFee &&
    row.droppedAt === null;
  return isSame ? null : { at, isDated, blockNumber, status, toldFee, droppedAt: null };
}

type ListedMovement = {
  readAt: Date;
  told: readonly Attributed[];
  whole: Walked;
  byToken: readonly { token: Token; walked: Walked }[];
};

const reaches = ({ reach }: Walked, row: MovementRow) => reach === "all" || (reach !== null && row.at > reach);

/** Whether its network was read so far that the movement would appear if it still existed. `tellsTokens`: without a token query. */
function gapFor(network: Network, { whole, byToken }: ListedMovement, tellsTokens: boolean) {
  const unreadTexts = [whole, ...byToken.map(({ walked }) => walked)].flatMap(({ unreadTexts: texts }) => texts);
  return (row: MovementRow): boolean => {
    const hash = transactionKey(network, row.hash).toLowerCase();
    if (!reaches(whole, row) || unreadTexts.some((text) => text.includes(hash))) return false;
    if (row.tokenAddress === null || tellsTokens) return true;
    const token = tokenKey(network, row.tokenAddress);
    const asked = byToken.find((one) => tokenKey(network, one.token.address) === token);
    return asked !== undefined && reaches(asked.walked, row);
  };
}

export type SaveResult = {
  fresh: MovementRow[];
  hasChanged: boolean;
  isOpen: boolean;
};

async function readStored(
  tx: Tx,
  isHere: Place,
  network: Network,
  { told, whole }: ListedMovement,
): Promise<MovementRow[]> {
  const hashes = [...new Set(told.flatMap(({ hash }) => hashesOf(network, hash)))];
  const isTold = hashes.length === 0 ? sql`false` : inArray(sql`lower(${chainMovement.hash})`, hashes);
  const { reach } = whole;
  const isReached = reach === null ? undefined : reach === "all" ? sql`true` : gt(chainMovement.at, reach);
  return tx
    .select()
    .from(chainMovement)
    .where(and(isHere, or(isTold, isReached)))
    .orderBy(chainMovement.key, chainMovement.ordinal);
}

/** Once each, in any query and spelling; the last answer wins. */
export async function saveMovements(
  tx: Tx,
  tenant: string,
  { walletId, network }: WalletNetwork,
  reading: ListedMovement,
): Promise<SaveResult> {
  const { readAt, told } = reading;
  const isHere = and(
    eq(chainMovement.tenant, tenant),
    eq(chainMovement.walletId, walletId),
    eq(chainMovement.network, network),
  );
  const stored = new Map<string, MovementRow[]>();
  for (const row of await readStored(tx, isHere, network, reading)) {
    const key = movementKey(network, row);
    stored.set(key, [...(stored.get(key) ?? []), row]);
  }
  const inWhole = new Set(reading.whole.movements.map(({ key }) => key));
  const tellsTokens = [...stored].some(
    ([key, rows]) => inWhole.has(key) && rows.some((row) => row.tokenAddress !== null),
  );
  const isGone = gapFor(network, reading, tellsTokens);
  const saved: SaveResult = { fresh: [], hasChanged: false, isOpen: false };
  const drop = async (row: MovementRow) => {
    await change(tx, isHere, row, { droppedAt: readAt });
    saved.hasChanged = true;
    saved.isOpen = true;
  };
  const inserted: MovementRow[] = [];
  for (const one of told) {
    const rows = stored.has(one.key) ? await underOneKey(tx, isHere, one.key, stored.get(one.key) ?? []) : [];
    stored.delete(one.key);
    const ranked = rankRows(network, one, rows);
    const standing = ranked.filter(({ droppedAt }) => droppedAt === null).length;
    const kept = ranked.slice(0, Math.max(standing, one.total));
    for (const surplus of kept.splice(one.total)) {
      if (isGone(surplus)) await drop(surplus);
      else kept.push(surplus);
    }
    const { renamed, missing } = planRows(network, one, kept);
    for (const [row, names] of renamed) {
      saved.hasChanged = true;
      kept[kept.indexOf(row)] = await change(tx, isHere, row, names);
    }
    for (const row of kept) {
      const changes = newsOf(row, one, readAt);
      if (changes === null) continue;
      saved.hasChanged = true;
      const now = await change(tx, isHere, row, changes);
      if (row.droppedAt !== null || movementState(now) !== "confirmed") saved.isOpen = true;
      if (movementState(row) !== "confirmed" && movementState(now) === "confirmed") saved.fresh.push(now);
    }
    const { key, hash, subtype, counterAddress, amount, blockNumber, status, time } = one;
    const essence = { tenant, walletId, network, key, hash, subtype, counterAddress, amount, blockNumber, status };
    for (const [nth, moved] of missing.entries()) {
      const dated = {
        at: time?.at ?? readAt,
        isDated: time !== null,
        droppedAt: null,
        toldFee: one.fee,
        derivedFee: null,
        isOwn: false,
        writtenAt: null,
      };
      const named = { tokenAddress: moved?.tokenAddress ?? null, asset: moved?.asset ?? null };
      inserted.push({ ...essence, ...dated, ...named, ordinal: nextOrdinal(rows) + nth });
    }
  }
  for (const rows of stored.values())
    for (const row of rows) if (row.droppedAt === null && isGone(row)) await drop(row);
  const written = inserted.map((row) => ({ ...row, writtenAt: sql`clock_timestamp()` }));
  if (written.length > 0) await tx.insert(chainMovement).values(written);
  const settled = inserted.filter((row) => movementState(row) === "confirmed");
  saved.fresh.push(...settled);
  saved.hasChanged ||= inserted.length > 0;
  saved.isOpen ||= settled.length < inserted.length || told.some(({ time }) => time === null);
  return saved;
}

export type Native = { native: string; nativeAt: Date };

/** The native balance's loss beyond one transaction's amount; null when it cannot be derived. */
export function derivedFee(
  before: Native | null,
  after: Native | null,
  fresh: readonly Pick<MovementRow, "hash" | "subtype" | "amount" | "at" | "network" | "tokenAddress" | "asset">[],
): { hash: string; fee: string } | null {
  if (before === null || after === null) return null;
  const isBetween = fresh.every(({ at }) => at > before.nativeAt && at <= after.nativeAt);
  const isCounted = fresh.every(
    ({ amount, subtype }) => /^\d+(\.\d+)?$/.test(amount) && movementDirection(subtype) !== null,
  );
  const [hash, ...others] = new Set(
    fresh.filter(({ subtype }) => movementDirection(subtype) === "out").map((one) => one.hash),
  );
  if (!isBetween || !isCounted || hash === undefined || hash === "" || others.length > 0) return null;
  const moved = fresh
    .filter(mayBeCoin)
    .reduce((sum, { subtype, amount }) => sum + (movementDirection(subtype) === "in" ? 1n : -1n) * unitsOf(amount), 0n);
  const fee = unitsOf(before.native) - unitsOf(after.native) + moved;
  return fee > 0n ? { hash, fee: decimalOf(fee) } : null;
}
