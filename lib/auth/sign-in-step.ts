import { randomBytes } from "node:crypto";
import { and, eq, gt, isNull, lt, sql } from "drizzle-orm";
import { storeTimeBefore } from "@/lib/store/clock";
import { type Db, db, type Tx } from "@/lib/store/store";
import type { Device } from "./device";
import { takeFactor } from "./factor";
import { askForPasskey, countPasskeys, type PasskeyAnswer } from "./passkeys";
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

/** What is left for who is half way in by this id: a code, or a passkey as well; null when nobody is any more. */
export async function readStepWay(id: string): Promise<"code" | "passkey" | null> {
  const store = await db();
  const [step] = await store.select({ staffId: signInStep.staffId }).from(signInStep).where(isLiving(id));
  if (step === undefined) return null;
  return (await countPasskeys(store, step.staffId)) > 0 ? "passkey" : "code";
}

/** What a passkey is to sign to finish the step; null when the step is over, or its person has none. */
export async function askAtStep(id: string) {
  const store = await db();
  const [step] = await store.select().from(signInStep).where(isLiving(id));
  return step === undefined ? null : askForPasskey(store, step);
}

export type SecondStep = { staffId: string; sessionId: string } | "wrong" | { waitMs: number } | "expired";

/**
 * Opens the session when the code, or what a passkey answered, is right; the step is used up with it. The person may have been disabled or lost their
 * last membership since the first step: then it has expired.
 */
export async function finishSecondStep(
  id: string,
  given: string | PasskeyAnswer,
  device?: Device,
): Promise<SecondStep> {
  return (await db()).transaction(async (tx) => {
    const [step] = await tx.select().from(signInStep).where(isLiving(id)).for("update");
    const tenant = step === undefined ? null : await entranceOf(tx, step.staffId);
    if (step === undefined || tenant === null) return "expired";
    const { staffId, how } = step;
    const address = device?.addressHash ?? null;
    const place = { address, isKnown: await isKnownAt(tx, staffId, address) };
    const taken = await takeFactor(tx, { staffId, tenant }, { given, idHash: step.idHash, place });
    if (taken === "wrong" || typeof taken === "object") return taken;
    await tx.update(signInStep).set({ usedAt: storeTime }).where(isLiving(id));
    const opening = { staffId, tenant, how, secondFactor: true, ...(device && { device }) };
    return { staffId, sessionId: await openSessionFor(tx, opening) };
  });
}
