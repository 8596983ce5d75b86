import { and, eq, sql } from "drizzle-orm";
import { record } from "@/lib/audit/record";
import { db } from "@/lib/db/connection";
import { publish } from "@/lib/db/publish";
import { deposit } from "@/lib/db/tables/deposits";
import { AppError } from "@/lib/errors/app-error";
import type { Actor } from "@/lib/permission/grant";
import { changedMeanwhile } from "./handle";
import { handledOf, handlingVersion } from "./handled";
import type { Withdrawal } from "./inputs";
import { holdDeposits, keepReference, lockReference, openedReference } from "./keep";
import { askedSweeps } from "./watch";

/** Idempotent. Throws not-found, conflict `deposit-arrived` of what is there, and `deposit-changed` as a note does. */
export async function withdrawOne(
  { tenant, id: staffId }: Actor<"wallets:label">,
  { id, reason, seen }: Withdrawal,
): Promise<null> {
  const store = await db();
  const asked = await askedSweeps(store, tenant);
  const isIt = and(eq(deposit.tenant, tenant), eq(deposit.id, id), eq(deposit.kind, "expected"));
  const stale = await store.transaction(async (tx) => {
    await holdDeposits(tx, tenant);
    const [found] = await tx.select().from(deposit).where(isIt);
    const sealed = found?.referenceSealed ?? null;
    const reference = sealed === null ? null : openedReference({ tenant, id }, sealed);
    if (reference !== null) await lockReference(tx, tenant, reference);
    const [row] = await tx.select().from(deposit).where(isIt).for("update");
    if (row === undefined) throw new AppError("not-found");
    if (row.cause === "withdrawn") return null;
    if (row.standing === null) throw new AppError("conflict", { code: "deposit-arrived" });
    if (handlingVersion(handledOf(row)) !== seen) return row;
    await tx
      .update(deposit)
      .set({
        standing: null,
        cause: "withdrawn",
        reason,
        handledBy: staffId,
        handledAt: sql`clock_timestamp()`,
      })
      .where(isIt);
    await publish(tx, { tenant, topic: "deposits", object: id });
    if (reference !== null) await keepReference(tx, tenant, reference, asked);
    const { amount, asset, network } = row;
    await record(tx, {
      tenant,
      actor: staffId,
      code: "deposits.withdraw",
      outcome: "DONE",
      object: `deposit:${id}`,
      detail: { amount, asset, network, reason },
    });
    return null;
  });
  if (stale !== null) throw await changedMeanwhile(store, stale);
  return null;
}
