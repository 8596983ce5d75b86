import type { Policy } from "@/lib/permission/writes";
import { randomUUID } from "node:crypto";
import { and, eq, inArray } from "drizzle-orm";
import { record } from "@/lib/audit/record";
import { independentAdmins } from "@/lib/auth/roster";
import type { Actor } from "@/lib/permission/grant";
import type { Permission } from "@/lib/permission/permission";
import { AppError, refuse } from "@/lib/errors/app-error";
import { claimIntent, noteProposed, refuseClaimed, reused } from "@/lib/provider/intents/claim";
import type { Proposed } from "@/lib/provider/intents/intent-record";
import { publish } from "@/lib/db/publish";
import { queueMail } from "@/lib/mail/outbox";
import { storeNow } from "@/lib/db/clock";
import { isHashOf, lookupHash } from "@/lib/db/seal";
import { type Db, db, type Tx } from "@/lib/db/connection";
import { approvalCan } from "./can";
import { type Admit, admitting, type Approvable, type Ordered, type Ordering, type Performing } from "./define-write";
import { type Approval, sealSnapshot } from "./snapshot";
import { policyOf } from "./policy";
import { approval } from "@/lib/db/tables/approvals";
import { type ApprovalReason, decidingPermission, OPEN_STATES } from "./view";

/** The reason for an approval when no term of the policy gives one. */
export const ASKED: ApprovalReason = { by: "always", sum: "0.00", count: 0, limit: null };

const HOUR_MS = 60 * 60_000;

async function findByIntent(store: Db | Tx, tenant: string, intentId: string): Promise<Approval | null> {
  const ofIntent = and(eq(approval.tenant, tenant), eq(approval.intentId, intentId));
  const [row] = await store.select().from(approval).where(ofIntent);
  return row ?? null;
}

type Repeat = Pick<Approval, "makerId" | "kind"> & { bytes: string };

/** A repeated order gets the same answer; a different one may not take its intent. */
function proposedAlready(row: Approval, { makerId, kind, bytes }: Repeat): Proposed {
  const isSame = row.makerId === makerId && row.kind === kind && isHashOf(row.bodyHash, bytes);
  if (!isSame) throw reused();
  return { state: "PROPOSED", approvalId: row.id };
}

async function refuseSecond(
  tx: Tx,
  { tenant, kind, object }: Pick<Approval, "tenant" | "kind" | "object">,
): Promise<void> {
  const open = and(
    eq(approval.tenant, tenant),
    eq(approval.kind, kind),
    eq(approval.object, object),
    inArray(approval.state, [...OPEN_STATES]),
  );
  refuse(approvalCan.propose({ isOpen: (await tx.$count(approval, open)) > 0 }));
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

async function refuseLoneAdmin(tx: Tx, { tenant, id: staffId }: Actor): Promise<void> {
  if ((await independentAdmins(tx, { tenant, staffId })).length === 0)
    throw new AppError("conflict", { code: "no-second-admin" });
}

type Request<P extends Permission, Order> = { ordering: Ordering<P, Order>; policy: Policy; why: ApprovalReason };

async function propose<P extends Permission, Order extends Ordered>(
  tx: Tx,
  write: Approvable<P, Order>,
  { ordering, policy, why }: Request<P, Order>,
): Promise<Proposed> {
  const { name: kind, permission, approval: asking } = write;
  const { actor, order, object } = ordering;
  const { tenant, id: makerId } = actor;
  const { intentId } = order;
  const bytes = write.bytesOf(order);
  const first = await findByIntent(tx, tenant, intentId);
  if (first !== null) return proposedAlready(first, { makerId, kind, bytes });
  await noteProposed(tx, { tenant, id: intentId });
  const createdAt = await storeNow(tx);
  const columns = {
    tenant,
    id: randomUUID(),
    kind,
    permission,
    intentId,
    object,
    isExclusive: asking.isExclusive,
    bodyHash: lookupHash(bytes),
    policyVersion: policy.version,
    makerId,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + policy.expiresAfterHours * HOUR_MS),
  };
  if (asking.isExclusive) await refuseSecond(tx, columns);
  const to = { permission: decidingPermission(kind), except: makerId };
  if (to.permission === "staff:manage") await refuseLoneAdmin(tx, actor);
  const shown = await asking.show(tx, ordering, why);
  await asking.proposed(tx, ordering);
  const frozenSealed = sealSnapshot(columns, { order: JSON.stringify(order), bytes, shown });
  const row = { ...columns, ...UNDECIDED, frozenSealed };
  // Of two concurrent proposals the store accepts one per object.
  const [stored] = await tx.insert(approval).values(row).onConflictDoNothing().returning({ id: approval.id });
  if (stored === undefined) throw new AppError("conflict", { code: "approval-open" });
  await publish(tx, { tenant, topic: "approvals", object: row.id });
  await queueMail(tx, { tenant, subject: "waiting", object: row.id, to });
  const detail = { kind, about: object, policy: policy.version, bodyHash: row.bodyHash };
  const what = { code: "approval.propose", object: `approval:${row.id}`, intentId, detail } as const;
  await record(tx, { tenant, actor: makerId, outcome: "DONE", ...what });
  return { state: "PROPOSED", approvalId: row.id };
}

/** For a maker alone: null when no approval is needed. Throws when the order is not allowed. */
const admitOrPropose =
  <P extends Permission, Order extends Ordered>(write: Approvable<P, Order>): Admit<P, Order> =>
  async (tx, ordering) => {
    await admitting(write)(tx, ordering);
    const policy = await policyOf(tx, ordering.actor.tenant, write.name);
    const why = await write.approval.needsApproval(tx, ordering, policy);
    return why === null ? null : propose(tx, write, { ordering, policy, why });
  };

type Proposal<P extends Permission, Order> = { actor: Actor<P>; order: Order };

const claimOf = <P extends Permission, Order extends Ordered>(
  { claimedAs }: Approvable<P, Order>,
  { actor: { tenant, id }, order: { intentId } }: Proposal<P, Order>,
) => ({ tenant, id: intentId, kind: claimedAs, actor: id });

async function findProposed<P extends Permission, Order extends Ordered>(
  write: Approvable<P, Order>,
  { actor, order }: Proposal<P, Order>,
): Promise<Proposed | null> {
  const store = await db();
  await refuseClaimed(store, claimOf(write, { actor, order }));
  const row = await findByIntent(store, actor.tenant, order.intentId);
  if (row === null) return null;
  return proposedAlready(row, { makerId: actor.id, kind: write.name, bytes: write.bytesOf(order) });
}

/** Executes, or proposes if the policy says so. Throws as the verb, conflict `intent-reused` and `approval-open`. */
export async function executeOrPropose<P extends Permission, Order extends Ordered, Done>(
  write: Approvable<P, Order> & Performing<P, Order, Done>,
  actor: Actor<P>,
  order: Order,
): Promise<Done | Proposed> {
  const proposed = await findProposed(write, { actor, order });
  return proposed ?? write.perform({ actor, order, secret: null, approvalId: null }, admitOrPropose(write));
}

const policyChanged = () => new AppError("conflict", { code: "policy-changed" });

/** Its maker completes it. Throws as `executeOrPropose`, and conflict `policy-changed` if no approval is needed. */
export async function proposeToComplete<P extends Permission, Order extends Ordered>(
  write: Approvable<P, Order>,
  actor: Actor<P>,
  order: Order,
): Promise<Proposed> {
  const known = await findProposed(write, { actor, order });
  if (known !== null) return known;
  return (await db()).transaction(async (tx) => {
    await claimIntent(tx, { ...claimOf(write, { actor, order }), bytes: write.bytesOf(order), isProposed: true });
    const object = await write.objectOf(tx, actor.tenant, order);
    const proposed = await admitOrPropose(write)(tx, { actor, order, object, approvalId: null });
    if (proposed === null) throw policyChanged();
    return proposed;
  });
}

/** Throws as the verb; conflict `policy-changed` when approval is needed, `approval-open` and `intent-reused`. */
export async function completeAlone<P extends Permission, Order extends Ordered, Done, Secret>(
  write: Approvable<P, Order> & Performing<P, Order, Done, Secret>,
  actor: Actor<P>,
  { order, secret }: { order: Order; secret: Secret },
): Promise<void> {
  if ((await findProposed(write, { actor, order })) !== null) throw reused();
  await write.perform({ actor, order, secret, approvalId: null }, async (tx, ordering) => {
    if ((await admitOrPropose(write)(tx, ordering)) !== null) throw policyChanged();
    await refuseSecond(tx, { tenant: actor.tenant, kind: write.name, object: ordering.object });
    return null;
  });
}
