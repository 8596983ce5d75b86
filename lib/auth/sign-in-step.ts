import { randomBytes } from "node:crypto";
import { and, eq, gt, isNull, lt, sql } from "drizzle-orm";
import { storeTimeBefore } from "@/lib/store/clock";
import { type Db, db, type Tx } from "@/lib/store/store";
import type { Device } from "./device";
import { takeCode } from "./factor";
import { signInStep, type SignInWay } from "./schema";
import { hashOf, openSessionFor } from "./sessions";
import { entranceOf, isKnownAt } from "./sign-in";

export const STEP_LASTS_MS = 5 * 60_000;
const KEPT_MS = 24 * 60 * 60_000;

const storeTime = sql`clock_timestamp()`;
const isLiving = (id: string) =>
  and(eq(signInStep.idHash, hashOf(id)), isNull(signInStep.usedAt), gt(signInStep.expiresAt, storeTime));

/** Keeps that the first step was right; the id it returns opens nothing but the second. */
export async function beginSecondStep(store: Db | Tx, staffId: string, how: SignInWay): Promise<string> {
  const id = randomBytes(32).toString("base64url");
  const expiresAt = sql`clock_timestamp() + ${STEP_LASTS_MS} * interval '1 millisecond'`;
  await store.delete(signInStep).where(lt(signInStep.expiresAt, storeTimeBefore(KEPT_MS)));
  await store.insert(signInStep).values({ idHash: hashOf(id), staffId, how, expiresAt });
  return id;
}

/** Whether somebody is still half way in by this id. */
export async function isStepOpen(id: string): Promise<boolean> {
  const found = await (await db()).select({ idHash: signInStep.idHash }).from(signInStep).where(isLiving(id));
  return found.length > 0;
}

export type SecondStep = { staffId: string; sessionId: string } | "wrong" | { waitMs: number } | "expired";

/**
 * Opens the session when the code is right; the step is used up with it. The person may have been disabled or lost their
 * last membership since the first step: then it has expired.
 */
export async function finishSecondStep(id: string, typed: string, device?: Device): Promise<SecondStep> {
  return (await db()).transaction(async (tx) => {
    const [step] = await tx.select().from(signInStep).where(isLiving(id)).for("update");
    const tenant = step === undefined ? null : await entranceOf(tx, step.staffId);
    if (step === undefined || tenant === null) return "expired";
    const { staffId, how } = step;
    const address = device?.addressHash ?? null;
    const place = { address, isKnown: await isKnownAt(tx, staffId, address) };
    const taken = await takeCode(tx, { staffId, tenant }, { typed, place });
    if (taken === "wrong" || typeof taken === "object") return taken;
    await tx.update(signInStep).set({ usedAt: storeTime }).where(isLiving(id));
    const opening = { staffId, tenant, how, secondFactor: true, ...(device && { device }) };
    return { staffId, sessionId: await openSessionFor(tx, opening) };
  });
}
