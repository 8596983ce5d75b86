import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/auth/grant";
import { BankError } from "@/lib/bank/error";
import { onboardingDocument } from "@/lib/store/document";
import { lockByHashes } from "@/lib/store/hash-lock";
import { onboarding } from "@/lib/store/schema";
import { db, type Tx } from "@/lib/store/store";
import { type AttemptRow, attemptsLike, linkAttempts } from "./attempts";

/** `older`: the attempt that `id` takes up again. */
export const Joining = z.object({ id: z.uuid(), older: z.uuid() });
export const Parting = z.object({ id: z.uuid() });

/** The row, nobody else of whose document can be linked meanwhile. */
async function holdRow(tx: Tx, tenant: string, id: string): Promise<AttemptRow> {
  const isIt = and(eq(onboarding.tenant, tenant), eq(onboarding.id, id));
  const [row] = await tx.select().from(onboarding).where(isIt);
  if (row === undefined) throw new BankError("not-found");
  await lockByHashes(tx, onboardingDocument(row));
  const [held] = await tx.select().from(onboarding).where(isIt);
  return held ?? row;
}

/**
 * Links an attempt by hand to the earlier one of the same document that it takes up again. Throws not-found, and conflict
 * `attempt-taken` when one of the two is linked otherwise by now.
 */
export async function join(actor: Actor<"onboarding:follow">, { id, older }: z.output<typeof Joining>): Promise<null> {
  const { tenant, id: by } = actor;
  return (await db()).transaction(async (tx) => {
    const row = await holdRow(tx, tenant, id);
    const rows = await attemptsLike(tx, row);
    const earlier = rows
      .slice(
        0,
        rows.findIndex((one) => one.id === id),
      )
      .find((one) => one.id === older);
    if (earlier === undefined) throw new BankError("not-found");
    if (row.previousId === older) return null;
    const isTaken = row.previousId !== null || rows.some(({ previousId }) => previousId === older);
    if (isTaken) throw new BankError("conflict", { code: "attempt-taken" });
    await linkAttempts(tx, { tenant, newer: id, older, by });
    const what = { code: "onboarding.join", outcome: "DONE", object: `onboarding:${id}` } as const;
    await record(tx, { tenant, actor: by, ...what, detail: { older } });
    return null;
  });
}

/** Parts an attempt from the one before it; parted twice it is parted once. Throws not-found. */
export async function part(actor: Actor<"onboarding:follow">, { id }: z.output<typeof Parting>): Promise<null> {
  const { tenant, id: by } = actor;
  return (await db()).transaction(async (tx) => {
    const { previousId: older } = await holdRow(tx, tenant, id);
    if (older === null) return null;
    await linkAttempts(tx, { tenant, newer: id, older: null, by });
    const what = { code: "onboarding.part", outcome: "DONE", object: `onboarding:${id}` } as const;
    await record(tx, { tenant, actor: by, ...what, detail: { older } });
    return null;
  });
}
