import { eq } from "drizzle-orm";
import { record } from "@/lib/audit/record";
import type { ProofWay } from "./view";
import { staff } from "@/lib/store/schema";
import { type Db, db, type Tx } from "@/lib/store/store";
import { isEnrolled, takeFactor } from "./factor";
import { countPasskeys, type PasskeyAnswer } from "./passkeys";
import { PASSWORD_MAX_LENGTH, verifyPassword } from "./password";
import { renewSession, type Session } from "./sessions";
import { forgiveProofTry, takeProofTry } from "./sign-in-try";

/** Null for who signs in elsewhere and has no second factor here: they set one up first. */
async function proofWayOf(store: Db | Tx, staffId: string): Promise<ProofWay | null> {
  if (await isEnrolled(store, staffId)) return "totp";
  const [person] = await store.select({ passwordHash: staff.passwordHash }).from(staff).where(eq(staff.id, staffId));
  return typeof person?.passwordHash === "string" ? "password" : null;
}

export const readProofWay = async ({ staffId }: Session): Promise<ProofWay | null> => proofWayOf(await db(), staffId);

export const hasPasskey = async ({ staffId }: Session): Promise<boolean> =>
  (await countPasskeys(await db(), staffId)) > 0;

type Checked = "done" | "wrong" | { waitMs: number };

async function checkPassword(store: Db, { staffId, ref }: Session, typed: string): Promise<Checked> {
  const waitMs = await takeProofTry(store, ref);
  if (waitMs > 0) return { waitMs };
  const [person] = await store.select({ passwordHash: staff.passwordHash }).from(staff).where(eq(staff.id, staffId));
  const mayBe = typed.length <= PASSWORD_MAX_LENGTH ? (person?.passwordHash ?? null) : null;
  if (!(await verifyPassword(mayBe, typed.slice(0, PASSWORD_MAX_LENGTH)))) return "wrong";
  await forgiveProofTry(store, ref);
  return "done";
}

async function checkFactor(tx: Tx, session: Session, given: string | PasskeyAnswer): Promise<Checked> {
  const taken = await takeFactor(tx, session, { given, idHash: session.idHash, place: { session: session.ref } });
  return taken === "wrong" || typeof taken === "object" ? taken : "done";
}

/** The id under which a session goes on whose person proved who they are; or what came of the try instead. */
export type Proof = { sessionId: string } | "wrong" | "none" | { waitMs: number };

/** Keeps the proof, which is a sign of the person as well, and puts on record what came of it. */
async function conclude(
  tx: Tx,
  session: Session,
  { way, checked }: { way: ProofWay | "passkey"; checked: Checked },
): Promise<Proof> {
  const entry = { tenant: session.tenant, actor: session.staffId, code: "session.step-up" } as const;
  const detail = { how: way, session: session.ref };
  const sessionId =
    checked === "done" ? await renewSession(tx, session.idHash, { secondFactor: way !== "password" }) : null;
  await record(tx, { ...entry, outcome: sessionId === null ? "REFUSED" : "DONE", detail });
  if (sessionId !== null) return { sessionId };
  // The session has ended meanwhile, as the next request will say.
  return checked === "done" ? "wrong" : checked;
}

/**
 * Takes a proof that the person of this session is who they are; what asks for a recent one is content for five minutes. The
 * session goes on under a new id.
 */
export async function stepUp(session: Session, given: string | PasskeyAnswer): Promise<Proof> {
  const store = await db();
  const way = await proofWayOf(store, session.staffId);
  if (way === null) return "none";
  if (way === "password") {
    // Without an app there is no passkey either.
    if (typeof given !== "string") return "wrong";
    // The hash takes its time, which no transaction should last.
    const checked = await checkPassword(store, session, given);
    if (typeof checked === "object") return checked;
    return store.transaction((tx) => conclude(tx, session, { way, checked }));
  }
  const how = typeof given === "string" ? way : "passkey";
  return store.transaction(async (tx) =>
    conclude(tx, session, { way: how, checked: await checkFactor(tx, session, given) }),
  );
}
