import { randomUUID } from "node:crypto";
import { and, eq, inArray } from "drizzle-orm";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/permission/grant";
import type { Permission } from "@/lib/permission/permission";
import { AppError } from "@/lib/errors/app-error";
import { claimIntent, refuseClaimed } from "@/lib/provider/intents/claim";
import { publish } from "@/lib/db/publish";
import { queueMail } from "@/lib/mail/outbox";
import { storeNow } from "@/lib/db/clock";
import { isHashOf, lookupHash } from "@/lib/db/seal";
import { type Db, db, type Tx } from "@/lib/db/connection";
import type { Authority, Execution, Ordered, Proposable } from "./approval-kind";
import { type Approval, sealSnapshot } from "./snapshot";
import { policyOf } from "./policy";
import { approval } from "@/lib/db/tables/approvals";
import { decidingPermission, OPEN_STATES, type Policy } from "./view";

const HOUR_MS = 60 * 60_000;

export type Proposed = { state: "PROPOSED"; approvalId: string };

async function findByIntent(store: Db | Tx, tenant: string, intentId: string): Promise<Approval | null> {
  const ofIntent = and(eq(approval.tenant, tenant), eq(approval.intentId, intentId));
  const [row] = await store.select().from(approval).where(ofIntent);
  return row ?? null;
}

type Again = Pick<Approval, "makerId" | "kind"> & { bytes: string };

/** An order repeated gets the same answer; a different one may not take its intent. */
function proposedAlready(row: Approval, { makerId, kind, bytes }: Again): Proposed {
  const isSame = row.makerId === makerId && row.kind === kind && isHashOf(row.bodyHash, bytes);
  if (!isSame) throw new AppError("conflict", { code: "intent-reused" });
  return { state: "PROPOSED", approvalId: row.id };
}

type About = Pick<Approval, "tenant" | "kind" | "object">;

async function refuseSecond(tx: Db | Tx, { tenant, kind, object }: About): Promise<void> {
  const open = and(
    eq(approval.tenant, tenant),
    eq(approval.kind, kind),
    eq(approval.object, object),
    inArray(approval.state, [...OPEN_STATES]),
  );
  if ((await tx.$count(approval, open)) > 0) throw new AppError("conflict", { code: "approval-open" });
}

const UNDECIDED = {
  state: "PENDING",
  deciderId: null,
  decidedAt: null,
  decisionSealed: null,
  owner: null,
  executingUntil: null,
  endedAt: null,
  code: null,
  makerSawAt: null,
} as const;

/** Thrown out of the transaction that would have recorded the write: nothing was recorded or sent. */
class ApprovalNeeded extends Error {
  constructor(readonly policy: Policy) {
    super("a second person must agree");
  }
}

type Proposal<P extends Permission, Order> = { actor: Actor<P>; order: Order };

/** For a maker alone: throws what they may not order, and `ApprovalNeeded` where the policy asks for a second person. */
const alone = <P extends Permission, Order extends Ordered>(
  kind: Proposable<P, Order>,
  { actor, order }: Proposal<P, Order>,
): Authority => ({
  approvalId: null,
  admit: async (tx) => {
    await kind.validate(tx, actor, order);
    const { tenant, id: makerId } = actor;
    const policy = await policyOf(tx, tenant, kind.name);
    if (await kind.needsApproval({ store: tx, tenant, order, policy, makerId })) throw new ApprovalNeeded(policy);
  },
});

async function propose<P extends Permission, Order extends Ordered>(
  kind: Proposable<P, Order>,
  { actor, order }: Proposal<P, Order>,
  policy: Policy,
): Promise<Proposed> {
  const { tenant, id: makerId } = actor;
  const store = await db();
  const bytes = kind.bytesOf(order);
  const [object, shown] = [await kind.objectOf(tenant, order), await kind.show(tenant, order, { policy, makerId })];
  return store.transaction(async (tx) => {
    const createdAt = await storeNow(tx);
    const columns = {
      tenant,
      id: randomUUID(),
      kind: kind.name,
      permission: kind.permission,
      intentId: order.intentId,
      object,
      isExclusive: kind.isExclusive,
      bodyHash: lookupHash(bytes),
      policyVersion: policy.version,
      makerId,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + policy.expiresAfterHours * HOUR_MS),
    };
    const frozenSealed = sealSnapshot(columns, { order: JSON.stringify(order), bytes, shown });
    const row = { ...columns, ...UNDECIDED, frozenSealed };
    const claimed = { tenant, id: order.intentId, kind: kind.claimedAs, actor: makerId };
    await claimIntent(tx, { ...claimed, bytes, isProposed: true });
    const first = await findByIntent(tx, tenant, order.intentId);
    if (first !== null) return proposedAlready(first, { ...row, bytes });
    if (kind.isExclusive) await refuseSecond(tx, row);
    await kind.validate(tx, actor, order);
    await kind.proposed(tx, actor, order);
    // Of two at once the store admits one per object.
    const [stored] = await tx.insert(approval).values(row).onConflictDoNothing().returning({ id: approval.id });
    if (stored === undefined) throw new AppError("conflict", { code: "approval-open" });
    await publish(tx, { tenant, topic: "approvals", object: row.id });
    const to = { permission: decidingPermission(kind.name), except: makerId };
    await queueMail(tx, { tenant, subject: "waiting", object: row.id, to });
    const detail = { kind: kind.name, about: object, policy: policy.version, bodyHash: row.bodyHash };
    const what = { code: "approval.propose", object: `approval:${row.id}`, intentId: order.intentId, detail } as const;
    await record(tx, { tenant, actor: makerId, outcome: "DONE", ...what });
    return { state: "PROPOSED", approvalId: row.id };
  });
}

async function findProposed<P extends Permission, Order extends Ordered>(
  kind: Proposable<P, Order>,
  { actor: { tenant, id: makerId }, order }: Proposal<P, Order>,
): Promise<Proposed | null> {
  const store = await db();
  await refuseClaimed(store, { tenant, id: order.intentId, kind: kind.claimedAs, actor: makerId });
  const row = await findByIntent(store, tenant, order.intentId);
  return row === null ? null : proposedAlready(row, { makerId, kind: kind.name, bytes: kind.bytesOf(order) });
}

/** Carries out, or proposes where the policy asks. Throws as the verb, conflict `intent-reused` and `approval-open`. */
export async function executeOrPropose<P extends Permission, Order extends Ordered, Done>(
  kind: Proposable<P, Order> & { perform: (execution: Execution<P, Order>) => Promise<Done> },
  actor: Actor<P>,
  order: Order,
): Promise<Done | Proposed> {
  const ordered = { actor, order };
  const proposed = await findProposed(kind, ordered);
  if (proposed !== null) return proposed;
  try {
    return await kind.perform({ ...ordered, ...alone(kind, ordered) });
  } catch (refusal) {
    if (refusal instanceof ApprovalNeeded) return propose(kind, ordered, refusal.policy);
    throw refusal;
  }
}

const policyChanged = () => new AppError("conflict", { code: "policy-changed" });

/** What its maker completes. Throws as `executeOrPropose`, and conflict `policy-changed` when no second person is needed. */
export async function proposeToComplete<P extends Permission, Order extends Ordered>(
  kind: Proposable<P, Order>,
  actor: Actor<P>,
  order: Order,
): Promise<Proposed> {
  const ordered = { actor, order };
  const proposed = await findProposed(kind, ordered);
  if (proposed !== null) return proposed;
  const { tenant, id: makerId } = actor;
  const policy = await (
    await db()
  ).transaction(async (store) => {
    const asked = await policyOf(store, tenant, kind.name);
    return (await kind.needsApproval({ store, tenant, order, policy: asked, makerId })) ? asked : null;
  });
  if (policy === null) throw policyChanged();
  return propose(kind, ordered, policy);
}

/** Throws as `perform`; conflict `policy-changed` when a second person is needed, `approval-open` and `intent-reused`. */
export async function completeAlone<P extends Permission, Order extends Ordered, Done>(
  kind: Proposable<P, Order>,
  ordered: Proposal<P, Order>,
  perform: (execution: Execution<P, Order>) => Promise<Done>,
): Promise<Done> {
  const { tenant } = ordered.actor;
  if ((await findProposed(kind, ordered)) !== null) throw new AppError("conflict", { code: "intent-reused" });
  await refuseSecond(await db(), { tenant, kind: kind.name, object: await kind.objectOf(tenant, ordered.order) });
  try {
    return await perform({ ...ordered, ...alone(kind, ordered) });
  } catch (refusal) {
    throw refusal instanceof ApprovalNeeded ? policyChanged() : refusal;
  }
}
