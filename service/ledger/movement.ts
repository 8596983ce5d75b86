import type { ledgerAccount, MOVEMENT_TYPES } from "./schema";

export type MovementType = (typeof MOVEMENT_TYPES)[number];
export type LedgerAccount = Pick<typeof ledgerAccount.$inferSelect, "id" | "holder" | "assetId" | "kind">;

/** One side of a movement, in base units: positive comes in, negative goes out. */
export type Line = { account: LedgerAccount; amount: bigint };

/** The lines of an amount, in base units, that goes from one account to another. */
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

/** A set of lines that would create or destroy money. It is a defect of the caller, never an answer to a client. */
export class UnbalancedMovement extends Error {
  override name = "UnbalancedMovement";
}

/** Throws `UnbalancedMovement` unless the lines sum to zero in each asset, each moving something on its own account. */
export function assertBalanced({ id, lines }: Movement): void {
  const sums = new Map<string, bigint>();
  for (const { account, amount } of lines) sums.set(account.assetId, (sums.get(account.assetId) ?? 0n) + amount);
  const isBalanced = lines.length > 0 && [...sums.values()].every((sum) => sum === 0n);
  const areDistinct = new Set(lines.map(({ account }) => account.id)).size === lines.length;
  if (!isBalanced || !areDistinct || lines.some(({ amount }) => amount === 0n))
    throw new UnbalancedMovement(`movement ${id} does not balance`);
}
