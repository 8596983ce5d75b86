import { eq, sql } from "drizzle-orm";
import { record } from "@/lib/audit/record";
import type { ProofOutcome, ProofWay } from "@/lib/proof";
import { staff } from "@/lib/store/schema";
import { type Db, db, type Tx } from "@/lib/store/store";
import { isEnrolled, takeCode } from "./factor";
import { PASSWORD_MAX_LENGTH, verifyPassword } from "./password";
import type { Session } from "./sessions";
import { forgiveProofTry, takeProofTry } from "./sign-in-try";
import { staffSession } from "./schema";

/** Null for who signs in elsewhere and has no second factor here: they set one up first. */
async function proofWayOf(store: Db | Tx, staffId: string): Promise<ProofWay | null> {
  if (await isEnrolled(store, staffId)) return "totp";
  const [person] = await store.select({ passwordHash: staff.passwordHash }).from(staff).where(eq(staff.id, staffId));
  return typeof person?.passwordHash === "string" ? "password" : null;
}

export const readProofWay = async ({ staffId }: Session): Promise<ProofWay | null> => proofWayOf(await db(), staffId);

async function checkPassword(store: Db, { staffId, ref }: Session, typed: string): Promise<ProofOutcome> {
  const waitMs = await takeProofTry(store, ref);
  if (waitMs > 0) return { waitMs };
  const [person] = await store.select({ passwordHash: staff.passwordHash }).from(staff).where(eq(staff.id, staffId));
  const mayBe = typed.length <= PASSWORD_MAX_LENGTH ? (person?.passwordHash ?? null) : null;
  if (!(await verifyPassword(mayBe, typed.slice(0, PASSWORD_MAX_LENGTH)))) return "wrong";
  await forgiveProofTry(store, ref);
  return "done";
}

async function checkCode(tx: Tx, session: Session, typed: string): Promise<ProofOutcome> {
  const taken = await takeCode(tx, session, { typed, place: { session: session.ref } });
  return taken === "wrong" || typeof taken === "object" ? taken : "done";
}

/** Keeps the proof, which is a sign of the person as well, and puts on record what came of it. */
async function settle(tx: Tx, session: Session, { way, outcome }: { way: ProofWay; outcome: ProofOutcome }) {
  const now = sql`clock_timestamp()`;
  const proven = { provenAt: now, seenAt: now, ...(way === "totp" && { secondFactor: true }) };
  if (outcome === "done") await tx.update(staffSession).set(proven).where(eq(staffSession.idHash, session.idHash));
  const entry = { tenant: session.tenant, actor: session.staffId, code: "session.step-up" } as const;
  const detail = { how: way, session: session.ref };
  await record(tx, { ...entry, outcome: outcome === "done" ? "DONE" : "REFUSED", detail });
  return outcome;
}

/** Takes a proof that the person of this session is who they are; what asks for a recent one is content for five minutes. */
export async function stepUp(session: Session, typed: string): Promise<ProofOutcome> {
  const store = await db();
  const way = await proofWayOf(store, session.staffId);
  if (way === null) return "none";
  if (way === "password") {
    // The hash takes its time, which no transaction should last.
    const outcome = await checkPassword(store, session, typed);
    if (typeof outcome === "object") return outcome;
    return store.transaction((tx) => settle(tx, session, { way, outcome }));
  }
  return store.transaction(async (tx) => settle(tx, session, { way, outcome: await checkCode(tx, session, typed) }));
}
