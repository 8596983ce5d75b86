import { and, eq, sql } from "drizzle-orm";
import { intentClaim } from "@/lib/db/tables/intent-claim";
import { isHashOf, lookupHash } from "@/lib/db/seal";
import type { Db, Tx } from "@/lib/db/connection";
import { AppError } from "@/lib/errors/app-error";
import { providerIntent } from "@/lib/db/tables/provider";

type ClaimKey = Pick<typeof intentClaim.$inferSelect, "tenant" | "id" | "kind" | "actor">;

/** `isProposed` null: whether approval is needed is not known yet. */
export type Claim = ClaimKey & { bytes: string; isProposed: boolean | null };

const named = ({ tenant, id }: Pick<ClaimKey, "tenant" | "id">) =>
  and(eq(intentClaim.tenant, tenant), eq(intentClaim.id, id));

export const reused = () => new AppError("conflict", { code: "intent-reused" });

type Claimant = Pick<ClaimKey, "kind" | "actor">;

const isOf = (row: Claimant, { kind, actor }: Claimant) => row.kind === kind && row.actor === actor;

/** Before anything is read. Throws conflict `intent-reused` when another act or person has the id. */
export async function refuseClaimed(store: Db, claimed: ClaimKey): Promise<void> {
  const [row] = await store.select().from(intentClaim).where(named(claimed));
  if (row !== undefined && !isOf(row, claimed)) throw reused();
}

/** Locked until the transaction ends, so that of two concurrent uses one sees the other. */
async function holdClaim(tx: Tx, claimed: ClaimKey) {
  const [row] = await tx.select().from(intentClaim).where(named(claimed)).for("no key update");
  if (row === undefined || !isOf(row, claimed)) throw reused();
  return row;
}

async function wasRefused(tx: Tx, { tenant, id }: ClaimKey): Promise<boolean> {
  const refused = and(
    eq(providerIntent.tenant, tenant),
    eq(providerIntent.id, id),
    eq(providerIntent.state, "REFUSED"),
  );
  return (await tx.$count(providerIntent, refused)) > 0;
}

/** Claims ids created here just now, so that nobody uses them for anything else. */
export async function claimMade(tx: Tx, made: readonly (ClaimKey & { bytes: string })[]): Promise<void> {
  const createdAt = sql`clock_timestamp()`;
  const rows = made.map(({ bytes, ...key }) => ({ ...key, bodyHash: lookupHash(bytes), isProposed: false, createdAt }));
  await tx.insert(intentClaim).values(rows);
}

/** First in the transaction that uses the id. Returns the same order's state; throws conflict `intent-reused`. */
export async function claimIntent(
  tx: Tx,
  { bytes, isProposed, ...claimed }: Claim,
): Promise<"new" | "ordered" | "proposed"> {
  const meant = { bodyHash: lookupHash(bytes), isProposed: isProposed === true };
  const [made] = await tx
    .insert(intentClaim)
    .values({ ...claimed, ...meant, createdAt: sql`clock_timestamp()` })
    .onConflictDoNothing()
    .returning({ id: intentClaim.id });
  if (made !== undefined) return "new";
  const row = await holdClaim(tx, claimed);
  const isMeant = isProposed === null || row.isProposed === isProposed;
  const isSame = isMeant && row.bodyHash !== null && isHashOf(row.bodyHash, bytes);
  if (isSame) return row.isProposed ? "proposed" : "ordered";
  // The provider refused their own order: corrected, it is sent from the same form.
  if (row.isProposed || !(await wasRefused(tx, claimed))) throw reused();
  await tx.update(intentClaim).set(meant).where(named(claimed));
  return "new";
}

/** The same transaction claimed the id. */
export async function noteProposed(tx: Tx, claimed: Pick<ClaimKey, "tenant" | "id">): Promise<void> {
  const isNew = and(named(claimed), eq(intentClaim.isProposed, false));
  await tx.update(intentClaim).set({ isProposed: true }).where(isNew);
}

export async function requireProposed(tx: Tx, claimed: ClaimKey): Promise<void> {
  if (!(await holdClaim(tx, claimed)).isProposed) throw reused();
}
