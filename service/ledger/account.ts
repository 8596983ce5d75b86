import { and, eq, inArray } from "drizzle-orm";
import type { Network } from "@/lib/contract/crypto";
import { unprocessable } from "@/service/error";
import { type Db, type Reader, transaction, type Tx } from "@/service/store/transaction";
import { type MOVEMENT_TYPES, ledgerAccount, ledgerAsset } from "@/service/store/schema";

/** In base units; null with more decimals than the asset has. */
export function toUnits(decimal: string, decimals: number): bigint | null {
  const [whole = "", fraction = ""] = decimal.split(".");
  return fraction.length > decimals ? null : BigInt(whole + fraction.padEnd(decimals, "0"));
}

function split(units: bigint, decimals: number): { sign: string; whole: string; fraction: string } {
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, "0");
  const point = digits.length - decimals;
  return { sign: units < 0n ? "-" : "", whole: digits.slice(0, point), fraction: digits.slice(point) };
}

/** Without trailing zeros: `1.5`, `0`. */
export function fromUnits(units: bigint, decimals: number): string {
  const { sign, whole, fraction } = split(units, decimals);
  const significant = /^\d*[1-9]/.exec(fraction)?.[0] ?? "";
  return significant === "" ? `${sign}${whole}` : `${sign}${whole}.${significant}`;
}

/** `10.00`. */
export function centsToReais(cents: bigint): string {
  const { sign, whole, fraction } = split(cents, 2);
  return `${sign}${whole}.${fraction}`;
}

export function reaisToCents(reais: string): bigint {
  const cents = toUnits(reais, 2);
  if (cents === null) throw new RangeError("reais have at most two decimals");
  return cents;
}

export type Asset = typeof ledgerAsset.$inferSelect;

export const BRL = "BRL";

/** Holder of every `outside` account. */
export const WORLD = "world";

/** The network's name, for a token with its contract. */
export function assetIdOf(network: Network, tokenAddress: string | null): string {
  return tokenAddress === null ? network : `${network}:${tokenAddress}`;
}

const native = (network: Network, symbol: string, decimals: number): Asset => ({
  id: assetIdOf(network, null),
  network,
  symbol,
  decimals,
  tokenAddress: null,
});

const token = (network: Network, tokenAddress: string, [symbol, decimals]: [string, number]): Asset => ({
  id: assetIdOf(network, tokenAddress),
  network,
  symbol,
  decimals,
  tokenAddress,
});

/** A token of the XRP Ledger is its currency code and its issuer. */
export const KNOWN_ASSETS: readonly Asset[] = [
  { id: BRL, network: null, symbol: "BRL", decimals: 2, tokenAddress: null },
  native("ETHEREUM", "ETH", 18),
  token("ETHEREUM", "0xdAC17F958D2ee523a2206206994597C13D831ec7", ["USDT", 6]),
  token("ETHEREUM", "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", ["USDC", 6]),
  native("POLYGON", "POL", 18),
  token("POLYGON", "0xc2132D05D31c914a87C6611C10748AEb04B58e8F", ["USDT", 6]),
  token("POLYGON", "0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359", ["USDC", 6]),
  native("BSC", "BNB", 18),
  token("BSC", "0x55d398326f99059fF775485246999027B3197955", ["USDT", 18]),
  token("BSC", "0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d", ["USDC", 18]),
  native("BITCOIN", "BTC", 8),
  native("TRON", "TRX", 6),
  token("TRON", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", ["USDT", 6]),
  native("SOLANA", "SOL", 9),
  token("SOLANA", "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB", ["USDT", 6]),
  token("SOLANA", "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGkZwyTDt1v", ["USDC", 6]),
  native("XRPL", "XRP", 6),
  token("XRPL", "USD.rvYAfWj5gh67oV6fW32ZzP3Aw4Eubs59B", ["USD", 15]),
];

/** `tokenAddress` null: the native coin. Null when unknown. */
export async function findAsset(db: Reader, network: Network, tokenAddress: string | null): Promise<Asset | null> {
  const [asset] = await db
    .select()
    .from(ledgerAsset)
    .where(eq(ledgerAsset.id, assetIdOf(network, tokenAddress)));
  return asset ?? null;
}

type MovementType = (typeof MOVEMENT_TYPES)[number];
export type LedgerAccount = Pick<typeof ledgerAccount.$inferSelect, "id" | "holder" | "assetId" | "kind">;

/** In base units: positive for credits, negative for debits. */
export type Line = { account: LedgerAccount; amount: bigint };

export const linesBetween = (from: LedgerAccount, to: LedgerAccount, amount: bigint): Line[] => [
  { account: from, amount: -amount },
  { account: to, amount },
];

export type Movement = {
  id: string;
  type: MovementType;
  description: string;
  occurredAt: Date;
  lines: readonly Line[];
};

/** A defect of the caller, never an answer to a client. */
export class UnbalancedMovement extends Error {
  override name = "UnbalancedMovement";
}

/** Sums to zero in each asset. Throws `UnbalancedMovement`. */
export function assertBalanced({ id, lines }: Movement): void {
  const sums = new Map<string, bigint>();
  for (const { account, amount } of lines) sums.set(account.assetId, (sums.get(account.assetId) ?? 0n) + amount);
  const isBalanced = lines.length > 0 && [...sums.values()].every((sum) => sum === 0n);
  const areDistinct = new Set(lines.map(({ account }) => account.id)).size === lines.length;
  if (!isBalanced || !areDistinct || lines.some(({ amount }) => amount === 0n))
    throw new UnbalancedMovement(`movement ${id} does not balance`);
}

type AccountKey = { holder: string; assetId: string; kind: LedgerAccount["kind"] };

const reference = {
  id: ledgerAccount.id,
  holder: ledgerAccount.holder,
  assetId: ledgerAccount.assetId,
  kind: ledgerAccount.kind,
};

/** Leaves existing ones unchanged. */
export async function openAccounts(tx: Tx, keys: readonly AccountKey[]): Promise<LedgerAccount[]> {
  const start = (kind: AccountKey["kind"]) =>
    kind === "outside" ? { balance: null, entryCount: null } : { balance: 0n, entryCount: 0 };
  return tx
    .insert(ledgerAccount)
    .values(keys.map((key) => ({ ...key, ...start(key.kind) })))
    .onConflictDoNothing()
    .returning(reference);
}

/** Permanently. 422 unless all are empty. Serialised with movements on them. */
export async function closeAccounts(tx: Tx, accounts: readonly LedgerAccount[]): Promise<void> {
  const isMeant = inArray(
    ledgerAccount.id,
    accounts.map(({ id }) => id),
  );
  const rows = await tx.select().from(ledgerAccount).where(isMeant).orderBy(ledgerAccount.id).for("no key update");
  if (rows.some(({ balance }) => balance !== 0n)) throw unprocessable("The account has a balance or a held amount");
  if (rows.some(({ isClosed }) => isClosed)) throw unprocessable("The account is closed");
  await tx.update(ledgerAccount).set({ isClosed: true }).where(isMeant);
}

export async function findAccount(db: Reader, { holder, assetId, kind }: AccountKey): Promise<LedgerAccount | null> {
  const [found] = await db
    .select(reference)
    .from(ledgerAccount)
    .where(and(eq(ledgerAccount.holder, holder), eq(ledgerAccount.assetId, assetId), eq(ledgerAccount.kind, kind)));
  return found ?? null;
}

export async function worldAccount(db: Reader, assetId: string): Promise<LedgerAccount> {
  const found = await findAccount(db, { holder: WORLD, assetId, kind: "outside" });
  if (!found) throw new Error(`the ledger was not opened for ${assetId}`);
  return found;
}

export async function openLedger(db: Db): Promise<void> {
  await transaction(db, async (tx) => {
    await tx
      .insert(ledgerAsset)
      .values([...KNOWN_ASSETS])
      .onConflictDoNothing();
    await openAccounts(
      tx,
      KNOWN_ASSETS.map(({ id }) => ({ holder: WORLD, assetId: id, kind: "outside" })),
    );
  });
}
