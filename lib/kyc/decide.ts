import { sql } from "drizzle-orm";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/auth/grant";
import { bank } from "@/lib/bank/client";
import { BankError } from "@/lib/bank/answer";
import { intents } from "@/lib/bank/intent";
import { listKyc } from "@/lib/bank/operations";
import { addRecheck } from "@/lib/dossiers/records";
import { storeNow } from "@/lib/store/clock";
import { lookupHash, seal } from "@/lib/store/seal";
import { db, type Tx } from "@/lib/store/store";
import { decisionKind } from "./decision";
import { freezeEvidence } from "./evidence";
import { saveRecords } from "./records";
import { confirmedOf, keptCase } from "./decision";
import type { CaseDecision } from "./rules";
import { kycDecision } from "./schema";

type Guard = (tx: Tx) => Promise<void>;
type Deciding = { actor: Actor<"kyc:decide">; input: CaseDecision };
export type Decided = { kycUUID: string; decision: CaseDecision["decision"] };

async function open(tx: Tx, { actor, input }: Deciding): Promise<void> {
  const { intentId, kycUUID, decision, reason, reasonCode, rulesVersion, note, expected } = input;
  const { tenant, id: staffId } = actor;
  const row = [intentId];
  const decided = {
    kycUUID,
    decision,
    reason: seal(reason, { column: "kyc_decision.reason", row }),
    reasonCode,
    rulesVersion,
    noteSealed: note === null ? null : seal(note, { column: "kyc_decision.note_sealed", row }),
    checklist: await confirmedOf(tx, tenant, input),
    staffId,
    createdAt: sql`clock_timestamp()`,
  };
  await tx
    .insert(kycDecision)
    .values({ intentId, tenant, ...decided })
    .onConflictDoUpdate({ target: [kycDecision.tenant, kycDecision.intentId], set: decided });
  const evidence = await freezeEvidence(tx, { actor, input });
  const about = { reasonCode, rules: rulesVersion, reason: lookupHash(reason), evidence };
  const detail = { decision, from: expected.status, ...about };
  const what = { code: "kyc.decide", object: `kyc:${kycUUID}`, intentId, detail } as const;
  await record(tx, { tenant, actor: staffId, outcome: "INTENT", ...what });
}

/** Read again right before sending: the provider overwrites any state without a word. */
async function compare({ actor, input }: Deciding): Promise<void> {
  const store = await db();
  const askedAt = await storeNow(store);
  const { kycUUID } = input;
  const asked = { query: { kycUUID }, object: `kyc:${kycUUID}`, isFresh: true };
  const { answer, text, requestId } = await bank.get(actor, listKyc, asked);
  const recheck = { operation: listKyc.path, requestId, askedAt: askedAt.toISOString(), text };
  const readable = answer.result.flatMap((listed) => ("kycUUID" in listed ? [listed] : []));
  // What cannot be read may be of this case.
  if (readable.length < answer.result.length) throw new BankError("malformed", { code: "answer-not-documented" });
  const records = readable.filter((listed) => listed.kycUUID === kycUUID);
  const current = await store.transaction(async (tx) => {
    await addRecheck(tx, { tenant: actor.tenant, intentId: input.intentId }, recheck);
    await saveRecords(tx, actor.tenant, { records, askedAt });
    const [kept] = await keptCase(tx, { tenant: actor.tenant, kycUUID });
    return kept;
  });
  if (records.length === 0 || current === undefined) throw new BankError("not-found", { code: "kyc-case" });
  const { status, process } = current;
  if (status !== input.expected.status || process !== input.expected.process) {
    throw new BankError("conflict", { code: "case-changed", current: { status, process } });
  }
}

/** Throws as `Intents.carryOut`, and conflict `case-changed`. `guard` refuses by throwing. */
export async function decide(
  actor: Actor<"kyc:decide">,
  input: CaseDecision,
  guard: Guard = async () => {},
): Promise<Decided> {
  const deciding = { actor, input };
  const { intentId, kycUUID, decision, reason } = input;
  await intents.carryOut(decisionKind, {
    actor,
    intentId,
    object: `kyc:${kycUUID}`,
    body: { kycUUID, decision, reason },
    opened: async (tx) => {
      await guard(tx);
      await open(tx, deciding);
    },
    prepare: () => compare(deciding),
  });
  return { kycUUID, decision };
}
