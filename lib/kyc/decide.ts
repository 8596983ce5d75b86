import { and, eq, sql } from "drizzle-orm";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/auth/grant";
import { bank } from "@/lib/bank/bank";
import { BankError } from "@/lib/bank/error";
import { decideKyc, listKyc } from "@/lib/bank/operations";
import { type DecisionState, kycCase, kycDecision } from "@/lib/store/schema";
import { lookupHash, seal } from "@/lib/store/seal";
import { type Db, db, type Tx } from "@/lib/store/store";
import { saveRecords } from "./records";
import type { CaseDecision } from "./rules";

type Deciding = { actor: Actor<"kyc:decide">; input: CaseDecision };
export type Decided = { kycUUID: string; decision: CaseDecision["decision"] };

async function audit(tx: Db | Tx, { actor, input }: Deciding, outcome: "INTENT" | Exclude<DecisionState, "SENDING">) {
  const { tenant, id } = actor;
  const detail = { decision: input.decision, from: input.expected.status, reason: lookupHash(input.reason) };
  const what = { code: "kyc.decide", object: `kyc:${input.kycUUID}`, intentId: input.intentId, detail };
  await record(tx, { tenant, actor: id, outcome, ...what });
}

/** What became of this intent before, so that sending it twice gives the same answer; one that was refused may go again. */
async function earlier(store: Db, { actor, input }: Deciding): Promise<Decided | null> {
  const [row] = await store
    .select()
    .from(kycDecision)
    .where(and(eq(kycDecision.intentId, input.intentId), eq(kycDecision.tenant, actor.tenant)));
  if (row === undefined || row.state === "REFUSED") return null;
  if (row.state === "DONE") return { kycUUID: row.kycUUID, decision: row.decision };
  throw new BankError("conflict", { code: "intent-already-sent" });
}

/** Takes the case: one decision in flight per kycUUID. */
async function take(store: Db, deciding: Deciding): Promise<void> {
  const { actor, input } = deciding;
  const { intentId, kycUUID, decision } = input;
  const { tenant, id: staffId } = actor;
  const values = { decision, reason: seal(input.reason), staffId, state: "SENDING", createdAt: new Date() } as const;
  await store.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${kycUUID}))`);
    const inFlight = and(
      eq(kycDecision.tenant, tenant),
      eq(kycDecision.kycUUID, kycUUID),
      eq(kycDecision.state, "SENDING"),
    );
    if ((await tx.$count(kycDecision, inFlight)) > 0) throw new BankError("conflict", { code: "decision-in-flight" });
    await tx
      .insert(kycDecision)
      .values({ intentId, tenant, kycUUID, ...values })
      .onConflictDoUpdate({ target: kycDecision.intentId, set: { ...values, finishedAt: null } });
    await audit(tx, deciding, "INTENT");
  });
}

async function finish(store: Db, deciding: Deciding, state: Exclude<DecisionState, "SENDING">): Promise<void> {
  const { kycUUID, decision, intentId } = deciding.input;
  const now = new Date();
  await store.transaction(async (tx) => {
    await tx.update(kycDecision).set({ state, finishedAt: now }).where(eq(kycDecision.intentId, intentId));
    await audit(tx, deciding, state);
    if (state !== "DONE") return;
    await tx
      .update(kycCase)
      .set({
        status: decision,
        seenAt: now,
        changedAt: sql`case when ${kycCase.status} = ${decision} then ${kycCase.changedAt} else ${now.toISOString()}::timestamptz end`,
      })
      .where(and(eq(kycCase.tenant, deciding.actor.tenant), eq(kycCase.kycUUID, kycUUID)));
  });
}

/** Re-reads the case right before sending: the provider would overwrite any state without a word. */
async function compare(store: Db, { actor, input }: Deciding): Promise<void> {
  const askedAt = new Date();
  const { result } = await bank.get(actor, listKyc, { query: { kycUUID: input.kycUUID } });
  const current = result.find(({ kycUUID }) => kycUUID === input.kycUUID);
  if (current === undefined) throw new BankError("not-found", { code: "kyc-case" });
  await saveRecords(store, actor.tenant, { records: [current], askedAt });
  const { status, process } = current;
  if (status !== input.expected.status || process !== input.expected.process) {
    throw new BankError("conflict", { code: "case-changed", current: { status, process } });
  }
}

/** Whether a failed write may have taken effect all the same. */
function isAmbiguous(error: unknown): boolean {
  if (!(error instanceof BankError)) return true;
  const { mayHaveExecuted } = error.details;
  return mayHaveExecuted ?? (error.kind === "unavailable" || error.kind === "malformed");
}

/**
 * Decides a case: intent on record, then the comparison, then the one call, then its outcome. The call has no
 * Idempotency-Key and is never sent again (interface: KYC › manual-decision).
 * Fails with conflict (`case-changed`, `decision-in-flight`, `intent-already-sent`) and, when the answer was lost,
 * unavailable (`decision-unconfirmed`).
 */
export async function decide(actor: Actor<"kyc:decide">, input: CaseDecision): Promise<Decided> {
  const store = await db();
  const deciding = { actor, input };
  const { kycUUID, decision, reason } = input;
  const answered = await earlier(store, deciding);
  if (answered !== null) return answered;
  await take(store, deciding);
  const [compared] = await Promise.allSettled([compare(store, deciding)]);
  if (compared.status === "rejected") {
    await finish(store, deciding, "REFUSED");
    throw compared.reason;
  }
  const [sent] = await Promise.allSettled([bank.post(actor, decideKyc, { kycUUID, decision, reason })]);
  if (sent.status === "fulfilled") {
    await finish(store, deciding, "DONE");
    return { kycUUID, decision };
  }
  const isUnknown = isAmbiguous(sent.reason);
  await finish(store, deciding, isUnknown ? "UNKNOWN" : "REFUSED");
  throw isUnknown ? new BankError("unavailable", { code: "decision-unconfirmed", cause: sent.reason }) : sent.reason;
}
