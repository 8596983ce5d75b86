import "server-only";
import { randomBytes } from "node:crypto";
import { and, eq, gt, isNull, lt, sql } from "drizzle-orm";
import { cookies } from "next/headers";
import { z } from "zod";
import { holdHeads } from "@/lib/audit/record";
import { isStorable } from "@/lib/contract/shared";
import { env } from "@/lib/settings/env";
import { storeTimeBefore } from "@/lib/db/clock";
import { db, type Db, type Tx } from "@/lib/db/connection";
import { confirmEnrolment, isEnrolled, takeFactor } from "./factor";
import { askForPasskey, countPasskeys, PasskeyAnswer } from "./passkeys";
import { signInStep, type SignInWay, staffSession } from "@/lib/db/tables/auth";
import { endSessionsOf, hashOf, openSessionFor, renewSession, type Session } from "./sessions";
import { entranceOf, type Entrant, isKnownAt, type PasswordAttempt, provePassword } from "./sign-in";
import type { Device } from "./sign-in-try";

const LONGEST = 2_000;
const NO_SCREEN = /^\/(api|enrol|invite|password|_next)(\/|$)/;

/** Path and query of a screen of this console; null for any other URL. */
export function returnPath(asked: string | string[] | null | undefined): string | null {
  const { publicUrl } = env();
  if (typeof asked !== "string" || asked.length > LONGEST || !URL.canParse(asked, publicUrl)) return null;
  const { origin, pathname, searchParams, search } = new URL(asked, publicUrl);
  // "/.//host" resolves to the path "//host", which a browser takes for another site.
  if (origin !== publicUrl.origin || pathname.startsWith("//") || NO_SCREEN.test(pathname)) return null;
  if (pathname === "/sign-in") return returnPath(searchParams.get("next"));
  // Next's mark on requests without a page load.
  if (!searchParams.has("_rsc")) return pathname + search;
  searchParams.delete("_rsc");
  return searchParams.size === 0 ? pathname : `${pathname}?${searchParams}`;
}

export function entrancePath(page: "/sign-in" | "/enrol", next: string | null, error?: string): string {
  const query = new URLSearchParams({
    ...(error !== undefined && { error }),
    ...(next !== null && next !== "/" && { next }),
  });
  return query.size === 0 ? page : `${page}?${query}`;
}

const STEP_LASTS_MS = 5 * 60_000;
const RETAINED_MS = 24 * 60 * 60_000;

const storeTime = sql`clock_timestamp()`;
const isLiving = (id: string) =>
  and(eq(signInStep.idHash, hashOf(id)), isNull(signInStep.usedAt), gt(signInStep.expiresAt, storeTime));

/** The returned id is valid only for the second step. */
export async function beginSecondStep(store: Db | Tx, staffId: string, how: SignInWay): Promise<string> {
  const id = randomBytes(32).toString("base64url");
  const expiresAt = sql`clock_timestamp() + ${STEP_LASTS_MS} * interval '1 millisecond'`;
  await store.delete(signInStep).where(lt(signInStep.expiresAt, storeTimeBefore(RETAINED_MS)));
  await store.insert(signInStep).values({ idHash: hashOf(id), staffId, how, expiresAt });
  return id;
}

export async function readStepWay(id: string): Promise<"code" | "passkey" | null> {
  const store = await db();
  const [step] = await store.select({ staffId: signInStep.staffId }).from(signInStep).where(isLiving(id));
  if (step === undefined) return null;
  return (await countPasskeys(store, step.staffId)) > 0 ? "passkey" : "code";
}

/** Null when the step is over, or its person has no passkey. */
export async function askAtStep(id: string) {
  const store = await db();
  const [step] = await store.select().from(signInStep).where(isLiving(id));
  return step === undefined ? null : askForPasskey(store, step);
}

type SecondStep = { staffId: string; sessionId: string } | "wrong" | { waitMs: number } | "expired";

/** A right code or passkey uses up the step. Expired when the person may no longer enter. */
async function finishSecondStep(id: string, given: string | PasskeyAnswer, device?: Device): Promise<SecondStep> {
  return (await db()).transaction(async (tx) => {
    const [step] = await tx.select().from(signInStep).where(isLiving(id)).for("update");
    const tenant = step === undefined ? null : await entranceOf(tx, step.staffId);
    if (step === undefined || tenant === null) return "expired";
    const { staffId, how } = step;
    const address = device?.addressHash ?? null;
    const origin = { address, isKnown: await isKnownAt(tx, staffId, address) };
    const taken = await takeFactor(tx, { staffId, tenant }, { given, idHash: step.idHash, origin });
    if (taken === "wrong" || typeof taken === "object") return taken;
    await tx.update(signInStep).set({ usedAt: storeTime }).where(isLiving(id));
    const opening = { staffId, tenant, how, secondFactor: true, ...(device && { device }) };
    return { staffId, sessionId: await openSessionFor(tx, opening) };
  });
}

const isSecure = () => env().publicUrl.protocol === "https:";
const cookieName = () => (isSecure() ? "__Host-retaguarda-sign-in" : "retaguarda-sign-in");

export async function saveStep(id: string): Promise<void> {
  const options = {
    httpOnly: true,
    sameSite: "lax",
    path: "/",
    secure: isSecure(),
    maxAge: STEP_LASTS_MS / 1000,
  } as const;
  (await cookies()).set(cookieName(), id, options);
}

export async function readStep(): Promise<string | null> {
  return (await cookies()).get(cookieName())?.value ?? null;
}

export async function forgetStep(): Promise<void> {
  (await cookies()).set(cookieName(), "", { path: "/", secure: isSecure(), maxAge: 0 });
}

export async function secondStepWay(): Promise<"code" | "passkey" | null> {
  const id = await readStep();
  return id === null ? null : readStepWay(id);
}

const Typed = z.string().max(64).refine(isStorable);

export const EntryForm = z.union([
  z.object({ email: z.string().max(320).refine(isStorable), password: z.string().max(1_000) }),
  z.object({ code: Typed }),
  PasskeyAnswer,
  z.object({ enrolment: Typed }),
]);

export type Opened = { staffId: string; sessionId: string };

/** A session, the id of the remaining step, the wait before the next try, or null for a wrong password. */
export async function enterByPassword(
  attempt: PasswordAttempt,
): Promise<Opened | { step: string } | { waitMs: number } | null> {
  const entrant = await provePassword(attempt);
  if (entrant === null || "waitMs" in entrant) return entrant;
  const { staffId } = entrant;
  const store = await db();
  if (await isEnrolled(store, staffId)) return { step: await beginSecondStep(store, staffId, "password") };
  const opening = { ...entrant, how: "password", secondFactor: false, device: attempt.device } as const;
  return { staffId, sessionId: await store.transaction((tx) => openSessionFor(tx, opening)) };
}

export const enterByFactor = (
  step: string | null,
  given: string | PasskeyAnswer,
  device?: Device,
): Promise<SecondStep> => (step === null ? Promise.resolve("expired") : finishSecondStep(step, given, device));

/** The enrolment is audited before the sessions it ends, at whichever tenants. */
async function holdHeadsOf(tx: Tx, { staffId, tenant }: Entrant): Promise<void> {
  const isOpen = and(eq(staffSession.staffId, staffId), isNull(staffSession.endedAt));
  const open = await tx.select({ tenant: staffSession.tenant }).from(staffSession).where(isOpen);
  await holdHeads(tx, [tenant, ...open.map((session) => session.tenant)]);
}

/** All other sessions end. "wrong": no code of the last shown secret; "expired": the session has ended. */
export async function enterByEnrolment(session: Session | null, typed: string): Promise<Opened | "wrong" | "expired"> {
  if (session === null) return "expired";
  const { staffId, tenant, idHash, mustEnrol } = session;
  return (await db()).transaction(async (tx) => {
    // A session opened by the password alone may set up the first app, but replace none.
    if (mustEnrol && (await isEnrolled(tx, staffId))) return "expired";
    await holdHeadsOf(tx, { staffId, tenant });
    if (!(await confirmEnrolment(tx, { staffId, tenant }, typed))) return "wrong";
    await endSessionsOf(tx, staffId, { reason: "factor-changed", by: staffId, at: [tenant], except: idHash });
    const sessionId = await renewSession(tx, idHash, { secondFactor: true });
    return sessionId === null ? "expired" : { staffId, sessionId };
  });
}
