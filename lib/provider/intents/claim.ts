import { and, eq, sql } from "drizzle-orm";
import { intentClaim } from "@/lib/db/tables/intent-claim";
import { isHashOf, lookupHash } from "@/lib/db/seal";
import type { Db, Tx } from "@/lib/db/connection";
import { AppError } from "@/lib/errors/app-error";
import { providerIntent } from "@/lib/db/tables/provider";

type Claimed = Pick<typeof intentClaim.$inferSelect, "tenant" | "id" | "kind" | "actor">;

export type Claim = Claimed & { bytes: string; isProposed: boolean };

const named = ({ tenant, id }: Claimed) => and(eq(intentClaim.tenant, tenant), eq(intentClaim.id, id));

const reused = () => new AppError("conflict", { code: "intent-reused" });

type Claimant = Pick<Claimed, "kind" | "actor">;

const isOf = (row: Claimant, { kind, actor }: Claimant) => row.kind === kind && row.actor === actor;

/** Before anything is read for it. Throws conflict `intent-reused` when another act or person has the id. */
export async function refuseClaimed(store: Db, claimed: Claimed): Promise<void> {
  const [row] = await store.select().from(intentClaim).where(named(claimed));
  if (row !== undefined && !isOf(row, claimed)) throw reused();
}

/** Locked until the transaction ends, so that of two uses at once one sees what the other did. */
async function holdClaim(tx: Tx, claimed: Claimed) {
  const [row] = await tx.select().from(intentClaim).where(named(claimed)).for("no key update");
  if (row === undefined || !isOf(row, claimed)) throw reused();
  return row;
}

async function wasRefused(tx: Tx, { tenant, id }: Claimed): Promise<boolean> {
  const refused = and(
    eq(providerIntent.tenant, tenant),
    eq(providerIntent.id, id),
    eq(providerIntent.state, "REFUSED"),
  );
  return (await tx.$count(providerIntent, refused)) > 0;
}

/** Before anything else of the transaction that uses the id. Throws conflict `intent-reused` when it means something else. */
export async function claimIntent(tx: Tx, { bytes, isProposed, ...claimed }: Claim): Promise<void> {
  const meant = { bodyHash: lookupHash(bytes), isProposed };
  const [made] = await tx
    .insert(intentClaim)
    .values({ ...claimed, ...meant, createdAt: sql`clock_timestamp()` })
    .onConflictDoNothing()
    .returning({ id: intentClaim.id });
  if (made !== undefined) return;
  const row = await holdClaim(tx, claimed);
  const isSame = row.isProposed === isProposed && row.bodyHash !== null && isHashOf(row.bodyHash, bytes);
  if (isSame) return;
  // The provider refused what they ordered alone: corrected, it is sent from the same form.
  if (row.isProposed || !(await wasRefused(tx, claimed))) throw reused();
  await tx.update(intentClaim).set(meant).where(named(claimed));
}

export async function requireProposed(tx: Tx, claimed: Claimed): Promise<void> {
  if (!(await holdClaim(tx, claimed)).isProposed) throw reused();
}
