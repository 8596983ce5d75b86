import { and, eq, sql } from "drizzle-orm";
import { defineChange, type Ordering, type SentWrite } from "@/lib/approvals/define-write";
import { ASKED, executeOrPropose } from "@/lib/approvals/propose";
import { type Fact, type Shown, shownBrl, shownText } from "@/lib/approvals/snapshot";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/permission/grant";
import { can } from "@/lib/permission/permission";
import { concludeIntent, type Intent, needsPerson, type Proposed } from "@/lib/provider/intents/intent-record";
import { AppError, refuse } from "@/lib/errors/app-error";
import { providerIntent } from "@/lib/db/tables/provider";
import { maskWithin } from "@/lib/contract/document";
import { pasted } from "@/lib/contract/fold";
import { renewDraft } from "@/lib/drafts/drafts";
import { publish } from "@/lib/db/publish";
import { outcomeCan } from "./can";
import { writeSentBy } from "@/lib/sent-writes";
import { lookupHash, seal } from "@/lib/db/seal";
import { type Db, db, type Tx } from "@/lib/db/connection";
import { z } from "zod";
import type { OutcomeSubject } from "@/lib/provider/intents/settling";
import { outcomeConclusion, outcomeExclusion } from "@/lib/db/tables/outcomes";
import { Required } from "@/lib/contract/shared";
import { REASON_MAX, REFERENCE_MAX } from "./view";
import { EVIDENCE_SOURCES, OUTCOMES } from "@/lib/db/enums/outcomes";
import { identifiersIn } from "@/lib/text/tipping-off";

const holdsNoIdentifier = (text: string) => identifiersIn(text).length === 0;

const HASH = /^(?:0x)?[\dA-Za-z]{16,128}$/;

export const OutcomeOrder = z.strictObject({
  intentId: z.uuid(),
  endedId: z.uuid(),
  outcome: z.enum(OUTCOMES),
  source: z.enum(EVIDENCE_SOURCES),
  // Audited in clear, so no document may be in it.
  reference: Required.max(REFERENCE_MAX).refine((text) => maskWithin(text) === text, {
    params: { code: "no-identifier" },
  }),
  reason: Required.max(REASON_MAX).refine(holdsNoIdentifier, { params: { code: "no-identifier" } }),
  /** Of the transaction that carried it, where it happened on a chain. */
  txHash: z
    .string()
    .transform(pasted)
    .refine((text) => HASH.test(text), { params: { code: "hash" } })
    .optional(),
});
export type OutcomeOrder = z.output<typeof OutcomeOrder>;

export const Excluding = z.strictObject({ intentId: z.uuid(), candidate: Required.max(200) });

type Concluder = Actor<"outcomes:end">;
type Ending = Ordering<"outcomes:end", OutcomeOrder>;

async function findSent(store: Db | Tx, tenant: string, id: string) {
  const [found] = await store
    .select({ intent: providerIntent, isOpen: needsPerson })
    .from(providerIntent)
    .where(and(eq(providerIntent.tenant, tenant), eq(providerIntent.id, id)));
  const write = writeSentBy(found?.intent.operation);
  return found === undefined || write === undefined ? undefined : { ...found, write };
}

type Ended = { intent: Intent; write: SentWrite };

/** Throws not-found, forbidden, and conflict `outcome-known`. */
async function requireOpen(
  tx: Db | Tx,
  { tenant, roles }: Pick<Concluder, "tenant" | "roles">,
  id: string,
): Promise<Ended> {
  const found = await findSent(tx, tenant, id);
  if (found === undefined) throw new AppError("not-found", { code: "outcome" });
  const { intent, isOpen, write } = found;
  if (!can(roles, write.permission)) throw new AppError("forbidden", { code: write.permission });
  refuse(outcomeCan.end({ isOpen, isProposed: false }));
  return { intent, write };
}

const fact = (name: Fact["name"], after: Fact["after"]): Fact => ({ name, before: null, after });

const candidatesOf = async (tx: Tx, { intent, write }: Ended): Promise<string[]> =>
  (await write.settle.candidatesOf?.(tx, intent)) ?? [];

type Proof = { outcome: OutcomeOrder["outcome"]; txHash: string };

async function refuseProof(tx: Tx, { intent, write }: Ended, { outcome, txHash }: Proof): Promise<void> {
  const { proof } = write.settle;
  if (outcome !== "HAPPENED" || proof === undefined) throw new AppError("conflict", { code: "outcome-hash-other" });
  await proof.refuse(tx, intent, txHash);
}

/** Throws as `requireOpen`, conflict `outcome-hash-…`, and `outcome-on-chain` for what did not happen while a candidate shows that it may have. */
async function requireEndable(
  tx: Tx,
  reader: Pick<Concluder, "tenant" | "roles">,
  { endedId, outcome, txHash }: OutcomeOrder,
): Promise<Ended> {
  const ended = await requireOpen(tx, reader, endedId);
  if (txHash !== undefined) await refuseProof(tx, ended, { outcome, txHash });
  const isSeen = ended.write.settle.isRuledOutFirst === true && (await candidatesOf(tx, ended)).length > 0;
  if (outcome === "NOT_HAPPENED" && isSeen) throw new AppError("conflict", { code: "outcome-on-chain" });
  return ended;
}

async function ruledOutOf(store: Db | Tx, tenant: string, intentId: string) {
  const { candidate: txHash, createdAt } = outcomeExclusion;
  const isIts = and(eq(outcomeExclusion.tenant, tenant), eq(outcomeExclusion.intentId, intentId));
  const rows = await store.select({ txHash, at: createdAt }).from(outcomeExclusion).where(isIts).orderBy(createdAt);
  return rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() }));
}

async function chainFacts(
  store: Db | Tx,
  { intent, write }: Ended,
  { candidates = [] }: OutcomeSubject,
): Promise<Fact[]> {
  if (write.settle.isRuledOutFirst !== true) return [];
  const ruledOut = await ruledOutOf(store, intent.tenant, intent.id);
  const onChain = candidates.map(({ id, at }) => ({ txHash: id, at }));
  return [
    fact("onChain", { as: "sends", sends: onChain }),
    ...(ruledOut.length === 0 ? [] : [fact("ruledOut", { as: "sends", sends: ruledOut })]),
  ];
}

async function excludeAll(
  tx: Tx,
  { tenant, id: staffId }: Concluder,
  { intentId, candidates }: Exclusion,
): Promise<void> {
  if (candidates.length === 0) return;
  const createdAt = sql`clock_timestamp()`;
  await tx
    .insert(outcomeExclusion)
    .values(candidates.map((candidate) => ({ tenant, intentId, candidate, staffId, createdAt })))
    .onConflictDoNothing();
}
type Exclusion = { intentId: string; candidates: readonly string[] };

async function conclude(tx: Tx, { actor, order }: Ending): Promise<{ state: "ENDED" }> {
  const { tenant, id: staffId } = actor;
  const { intentId: id, endedId, outcome, source, reference, reason, txHash } = order;
  const { intent, write } = await requireEndable(tx, actor, order);
  const hasHappened = outcome === "HAPPENED";
  // Settling it as not happened rules out the shown candidates.
  const candidates = hasHappened ? [] : await candidatesOf(tx, { intent, write });
  await excludeAll(tx, actor, { intentId: endedId, candidates });
  await tx.insert(outcomeConclusion).values({
    tenant,
    id,
    intentId: endedId,
    outcome,
    source,
    reference,
    reasonSealed: seal(reason, { column: "outcome_conclusion.reason_sealed", row: [tenant, id] }),
    staffId,
    createdAt: sql`clock_timestamp()`,
  });
  // The same form may be sent again, as another write.
  if (!hasHappened) await renewDraft(tx, { tenant, id: intent.actor }, endedId);
  await publish(tx, { tenant, topic: "outcomes", object: endedId });
  if (txHash !== undefined) await write.settle.proof?.keep(tx, intent, txHash);
  const ended = await concludeIntent(tx, { intent, kind: write.intent, by: staffId, hasHappened });
  if (ended === null) throw new AppError("conflict", { code: "outcome-known" });
  const wasContradicted = intent.contradictedAt !== null;
  await record(tx, {
    tenant,
    actor: staffId,
    code: "outcomes.end",
    outcome: "DONE",
    object: intent.object,
    intentId: endedId,
    detail: {
      kind: write.name,
      conclusion: outcome,
      evidence: source,
      reference,
      reason: lookupHash(reason),
      excluded: candidates.length,
      ...(txHash !== undefined && { txHash }),
      wasContradicted,
    },
  });
  return { state: "ENDED" };
}

const OUTCOME_FACTS = {
  HAPPENED: { as: "outcome", outcome: "HAPPENED" },
  NOT_HAPPENED: { as: "outcome", outcome: "NOT_HAPPENED" },
} as const;

async function show(tx: Tx, { actor: { tenant }, order }: Ending): Promise<Shown> {
  const { endedId, outcome, source, reference, reason, txHash } = order;
  const found = await findSent(tx, tenant, endedId);
  if (found === undefined) throw new AppError("not-found", { code: "outcome" });
  const { intent, write } = found;
  const described = await write.settle.describe(tx, intent);
  const { subject, amount, coins = null, destination = null, href } = described;
  return {
    headline: { as: "write", write: write.name },
    href: href ?? "/outcomes",
    facts: [
      fact("status", OUTCOME_FACTS[outcome]),
      ...(subject === null ? [] : [fact("about", shownText(maskWithin(subject)))]),
      ...(amount === null ? [] : [fact("amount", shownBrl(amount))]),
      ...(coins === null ? [] : [fact("amount", { as: "coins", ...coins })]),
      ...(destination === null ? [] : [fact("to", shownText(maskWithin(destination)))]),
      ...(await chainFacts(tx, found, described)),
      ...(txHash === undefined ? [] : [fact("hash", shownText(txHash))]),
      fact("evidence", { as: "evidence", source }),
      fact("reference", shownText(reference)),
      fact("reason", shownText(reason)),
    ],
  };
}

export const endOutcome = defineChange({
  name: "outcome.end",
  order: OutcomeOrder,
  objectOf: async (_store, _tenant, { endedId }) => `outcome:${endedId}`,
  validate: async (tx, { actor, order }) => {
    await requireEndable(tx, actor, order);
  },
  approval: {
    isExclusive: true,
    needsApproval: async (tx, { actor, order: { endedId } }) =>
      (await findSent(tx, actor.tenant, endedId))?.write.settle.needsSecond === true ? ASKED : null,
    show,
    proposed: (tx, { actor: { tenant }, order: { endedId } }) =>
      publish(tx, { tenant, topic: "outcomes", object: endedId }),
  },
  apply: conclude,
});

/** What the provider does not tell now must not keep people from ending it: they name their own evidence. */
async function lookFirst(actor: Concluder, { endedId, outcome, txHash }: OutcomeOrder): Promise<void> {
  const isTrusted = outcome === "HAPPENED" && txHash === undefined;
  const found = isTrusted ? undefined : await findSent(await db(), actor.tenant, endedId);
  await found?.write.settle.look?.(actor, found.intent).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
  });
}

/** Money and closings need a second person. Throws not-found, forbidden and conflict `outcome-…`. */
export async function orderOutcome(actor: Concluder, order: OutcomeOrder): Promise<{ state: "ENDED" } | Proposed> {
  await lookFirst(actor, order);
  return executeOrPropose(endOutcome, actor, order);
}

/** Throws as `requireOpen`, and conflict `outcome-candidate`. */
export async function excludeCandidate(
  actor: Concluder,
  { intentId, candidate }: z.output<typeof Excluding>,
): Promise<{ candidate: string }> {
  const { tenant, id } = actor;
  return (await db()).transaction(async (tx) => {
    const { intent, write } = await requireOpen(tx, actor, intentId);
    const candidates = await candidatesOf(tx, { intent, write });
    if (!candidates.includes(candidate)) throw new AppError("conflict", { code: "outcome-candidate" });
    await excludeAll(tx, actor, { intentId, candidates: [candidate] });
    await publish(tx, { tenant, topic: "outcomes", object: intentId });
    const what = { code: "outcomes.exclude", object: intent.object, intentId, detail: { candidate } } as const;
    await record(tx, { tenant, actor: id, outcome: "DONE", ...what });
    return { candidate };
  });
}
