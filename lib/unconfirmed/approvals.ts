import { and, eq, sql } from "drizzle-orm";
import { ASKED, executeOrPropose, type Proposed, storedKind } from "@/lib/approvals/propose";
import { type Fact, shownBrl, shownText } from "@/lib/approvals/snapshot";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/permission/grant";
import { can } from "@/lib/permission/permission";
import { concludeIntent, needsPerson, type Intent } from "@/lib/provider/intents/intent-record";
import { AppError, refuse } from "@/lib/errors/app-error";
import { providerIntent } from "@/lib/db/tables/provider";
import { maskWithin } from "@/lib/contract/document";
import { renewDraft } from "@/lib/drafts/drafts";
import { publish } from "@/lib/db/publish";
import { outcomeCan } from "./can";
import { outcomeKindOf } from "./kinds";
import { lookupHash, seal } from "@/lib/db/seal";
import { type Db, db, type Tx } from "@/lib/db/connection";
import { z } from "zod";
import type { OutcomeKind, OutcomeSubject } from "@/lib/provider/intents/outcome-kind";
import { outcomeConclusion, outcomeExclusion } from "@/lib/db/tables/unconfirmed";
import { Required } from "@/lib/contract/shared";
import { REASON_MAX, REFERENCE_MAX } from "./view";
import { EVIDENCE_SOURCES, OUTCOMES } from "@/lib/db/enums/unconfirmed";
import { identifiersIn } from "@/lib/text/tipping-off";

const holdsNoIdentifier = (text: string) => identifiersIn(text).length === 0;

export const OutcomeOrder = z.strictObject({
  intentId: z.uuid(),
  endedId: z.uuid(),
  outcome: z.enum(OUTCOMES),
  source: z.enum(EVIDENCE_SOURCES),
  // Recorded in clear, so no document may be in it.
  reference: Required.max(REFERENCE_MAX).refine((text) => maskWithin(text) === text, {
    params: { code: "no-identifier" },
  }),
  reason: Required.max(REASON_MAX).refine(holdsNoIdentifier, { params: { code: "no-identifier" } }),
});
export type OutcomeOrder = z.output<typeof OutcomeOrder>;

export const Excluding = z.strictObject({ intentId: z.uuid(), candidate: Required.max(200) });

type Concluder = Actor<"outcomes:end">;

async function findWrite(store: Db | Tx, tenant: string, id: string) {
  const [found] = await store
    .select({ intent: providerIntent, isOpen: needsPerson })
    .from(providerIntent)
    .where(and(eq(providerIntent.tenant, tenant), eq(providerIntent.id, id)));
  const kind = outcomeKindOf(found?.intent.operation);
  return found === undefined || kind === undefined ? undefined : { ...found, kind };
}

type Ended = { intent: Intent; kind: OutcomeKind };

/** Throws not-found, forbidden, and conflict `outcome-known`. */
async function requireOpen(
  tx: Db | Tx,
  { tenant, roles }: Pick<Concluder, "tenant" | "roles">,
  id: string,
): Promise<Ended> {
  const found = await findWrite(tx, tenant, id);
  if (found === undefined) throw new AppError("not-found", { code: "outcome" });
  const { intent, isOpen, kind } = found;
  if (!can(roles, kind.permission)) throw new AppError("forbidden", { code: kind.permission });
  refuse(outcomeCan.end({ isOpen, isProposed: false }));
  return { intent, kind };
}

const fact = (name: Fact["name"], after: Fact["after"]): Fact => ({ name, before: null, after });

const candidatesOf = async (tx: Tx, { intent, kind }: Ended): Promise<string[]> =>
  (await kind.candidatesOf?.(tx, intent)) ?? [];

/** Throws as `requireOpen`, and conflict `outcome-on-chain` for what did not happen while a candidate shows that it may have. */
async function requireEndable(
  tx: Tx,
  reader: Pick<Concluder, "tenant" | "roles">,
  { endedId, outcome }: OutcomeOrder,
): Promise<Ended> {
  const ended = await requireOpen(tx, reader, endedId);
  const isSeen = ended.kind.isRuledOutFirst === true && (await candidatesOf(tx, ended)).length > 0;
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
  { intent, kind }: Ended,
  { candidates = [] }: OutcomeSubject,
): Promise<Fact[]> {
  if (kind.isRuledOutFirst !== true) return [];
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

async function conclude(tx: Tx, actor: Concluder, order: OutcomeOrder): Promise<{ state: "ENDED" }> {
  const { tenant, id: staffId } = actor;
  const { intentId: id, endedId, outcome, source, reference, reason } = order;
  const { intent, kind } = await requireEndable(tx, actor, order);
  const hasHappened = outcome === "HAPPENED";
  // Saying that nothing came of it rules out the candidates that were shown.
  const candidates = hasHappened ? [] : await candidatesOf(tx, { intent, kind });
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
  // What was typed may be sent again, as another write.
  if (!hasHappened) await renewDraft(tx, { tenant, id: intent.actor }, endedId);
  await publish(tx, { tenant, topic: "outcomes", object: endedId });
  const ended = await concludeIntent(tx, { intent, kind: kind.intent, by: staffId, hasHappened });
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
      kind: kind.name,
      conclusion: outcome,
      evidence: source,
      reference,
      reason: lookupHash(reason),
      excluded: candidates.length,
      wasContradicted,
    },
  });
  return { state: "ENDED" };
}

const OUTCOME_FACTS = {
  HAPPENED: { as: "outcome", outcome: "HAPPENED" },
  NOT_HAPPENED: { as: "outcome", outcome: "NOT_HAPPENED" },
} as const;

export const outcomeApproval = storedKind({
  name: "outcome.end",
  permission: "outcomes:end",
  order: OutcomeOrder,
  isExclusive: true,
  objectOf: async ({ order: { endedId } }) => `outcome:${endedId}`,
  needsApproval: async ({ store, tenant, order: { endedId } }) =>
    (await findWrite(store, tenant, endedId))?.kind.needsApproval === true ? ASKED : null,
  validate: async (tx, maker, order) => {
    await requireEndable(tx, maker, order);
  },
  proposed: (tx, { tenant }, { endedId }) => publish(tx, { tenant, topic: "outcomes", object: endedId }),
  show: async ({ store, tenant, order: { endedId, outcome, source, reference, reason } }) => {
    const found = await findWrite(store, tenant, endedId);
    if (found === undefined) throw new AppError("not-found", { code: "outcome" });
    const { intent, kind } = found;
    const described = await kind.describe(store, intent);
    const { subject, amount, coins = null, destination = null, href } = described;
    return {
      headline: { as: "write", write: kind.name },
      href: href ?? "/outcomes",
      facts: [
        fact("status", OUTCOME_FACTS[outcome]),
        ...(subject === null ? [] : [fact("about", shownText(maskWithin(subject)))]),
        ...(amount === null ? [] : [fact("amount", shownBrl(amount))]),
        ...(coins === null ? [] : [fact("amount", { as: "coins", ...coins })]),
        ...(destination === null ? [] : [fact("to", shownText(maskWithin(destination)))]),
        ...(await chainFacts(store, found, described)),
        fact("evidence", { as: "evidence", source }),
        fact("reference", shownText(reference)),
        fact("reason", shownText(reason)),
      ],
    };
  },
  apply: conclude,
});

/** What the provider does not tell now must not keep people from ending it: they name their own evidence. */
async function lookFirst(actor: Concluder, { endedId, outcome }: OutcomeOrder): Promise<void> {
  const found = outcome === "HAPPENED" ? undefined : await findWrite(await db(), actor.tenant, endedId);
  await found?.kind.look?.(actor, found.intent).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
  });
}

/** A second person agrees where money moves or an account closes. Throws not-found, forbidden and conflict `outcome-…`. */
export async function orderOutcome(actor: Concluder, order: OutcomeOrder): Promise<{ state: "ENDED" } | Proposed> {
  await lookFirst(actor, order);
  return executeOrPropose(outcomeApproval, actor, order);
}

/** Throws as `requireOpen`, and conflict `outcome-candidate`. */
export async function excludeCandidate(
  actor: Concluder,
  { intentId, candidate }: z.output<typeof Excluding>,
): Promise<{ candidate: string }> {
  const { tenant, id } = actor;
  return (await db()).transaction(async (tx) => {
    const { intent, kind } = await requireOpen(tx, actor, intentId);
    const candidates = await candidatesOf(tx, { intent, kind });
    if (!candidates.includes(candidate)) throw new AppError("conflict", { code: "outcome-candidate" });
    await excludeAll(tx, actor, { intentId, candidates: [candidate] });
    await publish(tx, { tenant, topic: "outcomes", object: intentId });
    const what = { code: "outcomes.exclude", object: intent.object, intentId, detail: { candidate } } as const;
    await record(tx, { tenant, actor: id, outcome: "DONE", ...what });
    return { candidate };
  });
}
