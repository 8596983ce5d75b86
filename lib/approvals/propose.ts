import { randomUUID } from "node:crypto";
import { and, eq, inArray } from "drizzle-orm";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/permission/grant";
import type { Permission } from "@/lib/permission/permission";
import { AppError } from "@/lib/errors/app-error";
import { claimIntent, refuseClaimed } from "@/lib/provider/intents/claim";
import { findIntent } from "@/lib/provider/intents/intent-record";
import { publish } from "@/lib/db/publish";
import { queueMail } from "@/lib/mail/outbox";
import { storeNow } from "@/lib/db/clock";
import { isHashOf, lookupHash } from "@/lib/db/seal";
import { type Db, db, type Tx } from "@/lib/db/connection";
import type { ApprovalKind, MakerKind, Ordered, Proposable } from "./approval-kind";
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

type Proposal<P extends Permission> = { maker: Actor<P>; policy: Policy; bytes: string };

async function propose<P extends Permission, Order extends Ordered>(
  kind: Proposable<P, Order>,
  order: Order,
  { maker, policy, bytes }: Proposal<P>,
): Promise<Proposed> {
  const { tenant, id: makerId } = maker;
  const store = await db();
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
    await kind.admit?.(tx, maker, order);
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

async function standing<P extends Permission, Order extends Ordered>(
  kind: Proposable<P, Order>,
  { tenant, id: makerId }: Actor<P>,
  order: Order,
): Promise<Proposed | null> {
  const store = await db();
  await refuseClaimed(store, { tenant, id: order.intentId, kind: kind.claimedAs, actor: makerId });
  const row = await findByIntent(store, tenant, order.intentId);
  return row === null ? null : proposedAlready(row, { makerId, kind: kind.name, bytes: kind.bytesOf(order) });
}

async function isRepeat(
  { claimedAs }: { claimedAs: string },
  { tenant, id }: Actor,
  intentId: string,
): Promise<boolean> {
  const intent = await findIntent(await db(), { tenant, id: intentId });
  return intent?.operation === claimedAs && intent.actor === id && intent.state !== "REFUSED";
}

/** Carries out, or proposes where the policy asks. Throws as the verb, conflict `intent-reused` and `approval-open`. */
export async function executeOrPropose<P extends Permission, Order extends Ordered, Done>(
  kind: ApprovalKind<P, Order, Done>,
  actor: Actor<P>,
  order: Order,
): Promise<Done | Proposed> {
  const store = await db();
  const { tenant } = actor;
  const proposed = await standing(kind, actor, order);
  if (proposed !== null) return proposed;
  const policy = await policyOf(store, tenant, kind.name);
  const isSent = await isRepeat(kind, actor, order.intentId);
  if (isSent || !(await kind.needsApproval({ store, tenant, order, policy, makerId: actor.id })))
    return kind.perform(actor, order, null);
  return propose(kind, order, { maker: actor, policy, bytes: kind.bytesOf(order) });
}

/** Throws as `executeOrPropose`, and conflict `policy-changed` when no second person is needed. */
export async function proposeToComplete<P extends Permission, Order extends Ordered>(
  kind: Proposable<P, Order>,
  actor: Actor<P>,
  order: Order,
): Promise<Proposed> {
  const store = await db();
  const { tenant } = actor;
  const proposed = await standing(kind, actor, order);
  if (proposed !== null) return proposed;
  const policy = await policyOf(store, tenant, kind.name);
  if (!(await kind.needsApproval({ store, tenant, order, policy, makerId: actor.id })))
    throw new AppError("conflict", { code: "policy-changed" });
  return propose(kind, order, { maker: actor, policy, bytes: kind.bytesOf(order) });
}

type Completing<Order, Completion> = { order: Order; completion: Completion };

/** Throws as the verb; conflict `policy-changed` when a second person is needed, `approval-open` and `intent-reused`. */
export async function completeAlone<P extends Permission, Order extends Ordered, Completion, Done>(
  kind: MakerKind<P, Order, Completion, Done>,
  actor: Actor<P>,
  { order, completion }: Completing<Order, Completion>,
): Promise<Done> {
  const store = await db();
  const { tenant } = actor;
  if ((await standing(kind, actor, order)) !== null) throw new AppError("conflict", { code: "intent-reused" });
  const policy = await policyOf(store, tenant, kind.name);
  const isSent = await isRepeat(kind, actor, order.intentId);
  if (!isSent && (await kind.needsApproval({ store, tenant, order, policy, makerId: actor.id })))
    throw new AppError("conflict", { code: "policy-changed" });
  await refuseSecond(store, { tenant, kind: kind.name, object: await kind.objectOf(tenant, order) });
  return kind.perform(actor, order, { completion, approvalId: null });
}
