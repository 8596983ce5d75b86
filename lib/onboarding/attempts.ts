import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/permission/grant";
import { AppError, refuse } from "@/lib/errors/app-error";
import { onboardingDocument } from "@/lib/db/document";
import { lockByHashes } from "@/lib/db/lease";
import { onboarding } from "@/lib/db/tables/customers";
import { db, type Tx } from "@/lib/db/connection";
import { attemptCan } from "./can";
import { type StoredOnboarding, attemptsLike, linkAttempts } from "./records";

export const Joining = z.object({ id: z.uuid(), older: z.uuid() });
export const Parting = z.object({ id: z.uuid() });

async function holdRow(tx: Tx, tenant: string, id: string): Promise<StoredOnboarding> {
  const isIt = and(eq(onboarding.tenant, tenant), eq(onboarding.id, id));
  const [row] = await tx.select().from(onboarding).where(isIt);
  if (row === undefined) throw new AppError("not-found");
  await lockByHashes(tx, onboardingDocument(row));
  const [held] = await tx.select().from(onboarding).where(isIt);
  return held ?? row;
}

/** Throws not-found, and conflict `attempt-taken` when one of the two has another link. */
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
    if (earlier === undefined) throw new AppError("not-found");
    if (row.previousId === older) return null;
    refuse(attemptCan.join(rows, row, older));
    await linkAttempts(tx, { tenant, newer: id, older, by });
    const what = { code: "onboarding.join", outcome: "DONE", object: `onboarding:${id}` } as const;
    await record(tx, { tenant, actor: by, ...what, detail: { older } });
    return null;
  });
}

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
