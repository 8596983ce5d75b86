import { randomUUID } from "node:crypto";
import { and, eq, inArray } from "drizzle-orm";
import type { z } from "zod";
import { record } from "@/lib/audit/record";
import { actorNow } from "@/lib/auth/actor-now";
import { independentAdmins } from "@/lib/auth/roster";
import type { Actor } from "@/lib/permission/grant";
import type { Permission } from "@/lib/permission/permission";
import { AppError, refuse } from "@/lib/errors/app-error";
import { claimIntent, noteProposed, refuseClaimed, reused } from "@/lib/provider/intents/claim";
import { intents } from "@/lib/provider/intents/intent";
import type { Authority, IntentKind, Proposed } from "@/lib/provider/intents/intent-record";
import { publish } from "@/lib/db/publish";
import { queueMail } from "@/lib/mail/outbox";
import { storeNow } from "@/lib/db/clock";
import { isHashOf, lookupHash } from "@/lib/db/seal";
import { type Db, db, type Tx } from "@/lib/db/connection";
import { holdLock } from "@/lib/db/lock";
import { approvalCan } from "./can";
import { type Approval, sealSnapshot, type Shown } from "./snapshot";
import { policyOf } from "./policy";
import { approval } from "@/lib/db/tables/approvals";
import type { ApprovalKindName } from "@/lib/db/enums/approvals";
import { type ApprovalReason, decidingPermission, OPEN_STATES, type Policy } from "./view";

export type { Proposed } from "@/lib/provider/intents/intent-record";

/** Carried out under this intent and no other. */
export type Ordered = { intentId: string };

type Maker = { staffId: string; tenant: string };

type About<Order> = { store: Db | Tx; tenant: string; order: Order };

export type PolicyQuestion<Order> = About<Order> & { store: Tx; policy: Policy; makerId: string };

export type Proposing<Order> = PolicyQuestion<Order> & { why: ApprovalReason };

/** Why a second person must agree, where no term of the policy says more. */
export const ASKED: ApprovalReason = { by: "always", sum: "0.00", count: 0, limit: null };

export type Execution<P extends Permission, Order extends Ordered> = Authority & { actor: Actor<P>; order: Order };

export type ParsedOrder = {
  bytes: string;
} & (
  | {
      /** False when the maker no longer may; nothing is done then. Throws as the verb. */
      performAs: (maker: Maker, approvalId: string) => Promise<boolean>;
    }
  | {
      /** Changes our own store alone, in the transaction that ends the proposal. */
      applyAs: (tx: Tx, maker: Maker) => Promise<boolean>;
    }
);

type Terms<P extends Permission, Order extends Ordered> = {
  name: ApprovalKindName;
  /** Checked when they propose and when it is carried out. */
  permission: P;
  order: z.ZodType<Order>;
  /** One open proposal per object. */
  isExclusive: boolean;
  /** `kyc:<kycUUID>`. */
  objectOf: (about: About<Order>) => Promise<string>;
  /** Throws what its maker may not order now, alone or not. */
  validate: (tx: Tx, maker: Actor<P>, order: Order) => Promise<void>;
  /** Returns null when the maker may do it alone. */
  needsApproval: (asked: PolicyQuestion<Order>) => Promise<ApprovalReason | null>;
  /** Runs in the transaction that stores the proposal, and may refuse by throwing. */
  proposed: (tx: Tx, maker: Actor<P>, order: Order) => Promise<void>;
  /** No document in clear. */
  show: (proposing: Proposing<Order>) => Promise<Shown>;
};

export type ApprovalKind<P extends Permission, Order extends Ordered> = Terms<P, Order> & {
  /** What a second person agrees to, to the byte. */
  bytesOf: (order: Order) => string;
  /** The id is claimed under this: the path of the operation that is sent, else the kind's name. */
  claimedAs: string;
  perform: (execution: Execution<P, Order>) => Promise<unknown>;
  /** Throws when it is no order of this kind. */
  parse: (order: string) => ParsedOrder;
};

/** What is known of a kind without the type of its order. */
export type KnownKind = Pick<ApprovalKind<Permission, Ordered>, "name" | "permission" | "parse">;

/** What a second person agreed to is not asked again. */
export const agreedTo = (approvalId: string): Authority => ({ approvalId, admit: async () => null });

export type Carried<P extends Permission, Order> = {
  actor: Actor<P>;
  order: Order;
  object: string;
  approvalId: string | null;
};

type Sending<P extends Permission, Order> = {
  /** Runs in the transaction that records the intent, and may refuse by throwing. */
  opened: (tx: Tx, carried: Carried<P, Order>) => Promise<void>;
  /** Runs after that and right before the sending, and may refuse by throwing. */
  recheck: (carried: Carried<P, Order>) => Promise<void>;
};

/** A write that the provider carries out, once, by the intent with the order's id. */
export function sentKind<P extends Permission, Order extends Ordered, Body, Stored>(
  spec: Terms<P, Order> & Sending<P, Order> & { intent: IntentKind<Body, Stored>; bodyOf: (order: Order) => Body },
) {
  const { intent, bodyOf, opened, recheck, ...terms } = spec;
  const bytesOf = (order: Order) => intent.tracedOf(bodyOf(order));
  const perform = async ({ actor, order, ...authority }: Execution<P, Order>) => {
    const object = await terms.objectOf({ store: await db(), tenant: actor.tenant, order });
    const carried = { actor, order, object, approvalId: authority.approvalId };
    const wish = {
      actor,
      intentId: order.intentId,
      object,
      body: bodyOf(order),
      opened: (tx: Tx) => opened(tx, carried),
      prepare: () => recheck(carried),
    };
    return intents.executeUnder(intent, wish, authority);
  };
  const parse = (text: string): ParsedOrder => {
    const order = terms.order.parse(JSON.parse(text));
    return {
      bytes: bytesOf(order),
      performAs: async (maker, approvalId) => {
        const actor = await actorNow(await db(), maker, terms.permission);
        if (actor === null) return false;
        await perform({ actor, order, ...agreedTo(approvalId) });
        return true;
      },
    };
  };
  return { ...terms, bytesOf, claimedAs: intent.path, perform, parse };
}

/** A change of our own store: nothing is sent, and the order stands for the bytes. */
export function storedKind<P extends Permission, Order extends Ordered, Done>(
  spec: Terms<P, Order> & { apply: (tx: Tx, actor: Actor<P>, order: Order) => Promise<Done> },
) {
  const { apply, ...terms } = spec;
  const bytesOf = (order: Order) => JSON.stringify(terms.order.parse(order));
  const perform = async ({ actor, order, admit }: Execution<P, Order>): Promise<Done | Proposed> =>
    (await db()).transaction(async (tx) => {
      const claimed = { tenant: actor.tenant, id: order.intentId, kind: terms.name, actor: actor.id };
      const already = await claimIntent(tx, { ...claimed, bytes: bytesOf(order), isProposed: null });
      const proposed = await admit(tx);
      if (already === (proposed === null ? "proposed" : "ordered")) throw reused();
      return proposed ?? apply(tx, actor, order);
    });
  const parse = (text: string): ParsedOrder => {
    const order = terms.order.parse(JSON.parse(text));
    return {
      bytes: bytesOf(order),
      applyAs: async (tx, maker) => {
        const actor = await actorNow(tx, maker, terms.permission);
        if (actor === null) return false;
        await apply(tx, actor, order);
        return true;
      },
    };
  };
  return { ...terms, bytesOf, claimedAs: terms.name, perform, parse };
}

const HOUR_MS = 60 * 60_000;

async function findByIntent(store: Db | Tx, tenant: string, intentId: string): Promise<Approval | null> {
  const ofIntent = and(eq(approval.tenant, tenant), eq(approval.intentId, intentId));
  const [row] = await store.select().from(approval).where(ofIntent);
  return row ?? null;
}

type Again = Pick<Approval, "makerId" | "kind"> & { bytes: string };

/** An order repeated gets the same answer; a different one may not take its intent. */
function proposedAlready(row: Approval, { makerId, kind, bytes }: Again): Proposed {
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

/** Runs in the transaction that claimed the order's id. */
async function propose<P extends Permission, Order extends Ordered>(
  kind: ApprovalKind<P, Order>,
  maker: Actor<P>,
  proposing: Proposing<Order>,
): Promise<Proposed> {
  const { store: tx, tenant, order, policy, makerId } = proposing;
  const { intentId } = order;
  const bytes = kind.bytesOf(order);
  const first = await findByIntent(tx, tenant, intentId);
  if (first !== null) return proposedAlready(first, { makerId, kind: kind.name, bytes });
  await noteProposed(tx, { tenant, id: intentId });
  const createdAt = await storeNow(tx);
  const columns = {
    tenant,
    id: randomUUID(),
    kind: kind.name,
    permission: kind.permission,
    intentId,
    object: await kind.objectOf(proposing),
    isExclusive: kind.isExclusive,
    bodyHash: lookupHash(bytes),
    policyVersion: policy.version,
    makerId,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + policy.expiresAfterHours * HOUR_MS),
  };
  if (kind.isExclusive) await refuseSecond(tx, columns);
  const to = { permission: decidingPermission(kind.name), except: makerId };
  if (to.permission === "staff:manage") await refuseLoneAdmin(tx, maker);
  const shown = await kind.show(proposing);
  await kind.proposed(tx, maker, order);
  const frozenSealed = sealSnapshot(columns, { order: JSON.stringify(order), bytes, shown });
  const row = { ...columns, ...UNDECIDED, frozenSealed };
  // Of two at once the store admits one per object.
  const [stored] = await tx.insert(approval).values(row).onConflictDoNothing().returning({ id: approval.id });
  if (stored === undefined) throw new AppError("conflict", { code: "approval-open" });
  await publish(tx, { tenant, topic: "approvals", object: row.id });
  await queueMail(tx, { tenant, subject: "waiting", object: row.id, to });
  const detail = { kind: kind.name, about: row.object, policy: policy.version, bodyHash: row.bodyHash };
  const what = { code: "approval.propose", object: `approval:${row.id}`, intentId, detail } as const;
  await record(tx, { tenant, actor: makerId, outcome: "DONE", ...what });
  return { state: "PROPOSED", approvalId: row.id };
}

type Proposal<P extends Permission, Order> = { actor: Actor<P>; order: Order };

/** For a maker alone: null when they may do it. Throws what they may not order. */
async function admitOrPropose<P extends Permission, Order extends Ordered>(
  tx: Tx,
  kind: ApprovalKind<P, Order>,
  { actor, order }: Proposal<P, Order>,
): Promise<Proposed | null> {
  const { tenant, id: makerId } = actor;
  // Two at once about one object would not see each other.
  if (kind.isExclusive)
    await holdLock(tx, `${tenant} ${kind.name} ${await kind.objectOf({ store: tx, tenant, order })}`);
  await kind.validate(tx, actor, order);
  const policy = await policyOf(tx, tenant, kind.name);
  const asked = { store: tx, tenant, order, policy, makerId };
  const why = await kind.needsApproval(asked);
  return why === null ? null : propose(kind, actor, { ...asked, why });
}

const claimOf = <P extends Permission, Order extends Ordered>(
  { claimedAs }: ApprovalKind<P, Order>,
  { actor: { tenant, id }, order: { intentId } }: Proposal<P, Order>,
) => ({ tenant, id: intentId, kind: claimedAs, actor: id });

async function findProposed<P extends Permission, Order extends Ordered>(
  kind: ApprovalKind<P, Order>,
  ordered: Proposal<P, Order>,
): Promise<Proposed | null> {
  const store = await db();
  const { actor, order } = ordered;
  await refuseClaimed(store, claimOf(kind, ordered));
  const row = await findByIntent(store, actor.tenant, order.intentId);
  return row === null ? null : proposedAlready(row, { makerId: actor.id, kind: kind.name, bytes: kind.bytesOf(order) });
}

/** Carries out, or proposes where the policy asks. Throws as the verb, conflict `intent-reused` and `approval-open`. */
export async function executeOrPropose<P extends Permission, Order extends Ordered, Done>(
  kind: Omit<ApprovalKind<P, Order>, "perform"> & { perform: (execution: Execution<P, Order>) => Promise<Done> },
  actor: Actor<P>,
  order: Order,
): Promise<Done | Proposed> {
  const ordered = { actor, order };
  const proposed = await findProposed(kind, ordered);
  return proposed ?? kind.perform({ ...ordered, approvalId: null, admit: (tx) => admitOrPropose(tx, kind, ordered) });
}

const policyChanged = () => new AppError("conflict", { code: "policy-changed" });

/** What its maker completes. Throws as `executeOrPropose`, and conflict `policy-changed` when no second person is needed. */
export async function proposeToComplete<P extends Permission, Order extends Ordered>(
  kind: ApprovalKind<P, Order>,
  actor: Actor<P>,
  order: Order,
): Promise<Proposed> {
  const ordered = { actor, order };
  const known = await findProposed(kind, ordered);
  if (known !== null) return known;
  return (await db()).transaction(async (tx) => {
    await claimIntent(tx, { ...claimOf(kind, ordered), bytes: kind.bytesOf(order), isProposed: true });
    const proposed = await admitOrPropose(tx, kind, ordered);
    if (proposed === null) throw policyChanged();
    return proposed;
  });
}

/** Throws as `perform`; conflict `policy-changed` when a second person is needed, `approval-open` and `intent-reused`. */
export async function completeAlone<P extends Permission, Order extends Ordered>(
  kind: ApprovalKind<P, Order>,
  actor: Actor<P>,
  order: Order,
): Promise<void> {
  const ordered = { actor, order };
  const { tenant } = actor;
  if ((await findProposed(kind, ordered)) !== null) throw reused();
  await kind.perform({
    ...ordered,
    approvalId: null,
    admit: async (tx) => {
      if ((await admitOrPropose(tx, kind, ordered)) !== null) throw policyChanged();
      const object = await kind.objectOf({ store: tx, tenant, order });
      await refuseSecond(tx, { tenant, kind: kind.name, object });
      return null;
    },
  });
}
