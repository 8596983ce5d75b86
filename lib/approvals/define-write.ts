import type { z } from "zod";
import { recordIncident } from "@/lib/audit/incident";
import { actorNow } from "@/lib/auth/actor-now";
import { type Db, db, type Tx } from "@/lib/db/connection";
import { holdLock } from "@/lib/db/lock";
import type { Actor } from "@/lib/permission/grant";
import type { Permission } from "@/lib/permission/permission";
import {
  type ApprovalKindName,
  type OrderedWith,
  orderedWith,
  type OutcomeName,
  type Policy,
  type WriteName,
} from "@/lib/permission/writes";
import { claimIntent, reused } from "@/lib/provider/intents/claim";
import { type IntentOutcome, intents } from "@/lib/provider/intents/intent";
import {
  type Ends,
  type IntentKind,
  intentKind,
  type Nothing,
  type Proposed,
  type RecoverableKind,
  type Sends,
} from "@/lib/provider/intents/intent-record";
import type { Settling } from "@/lib/provider/intents/settling";
import type { Shown } from "./snapshot";
import type { ApprovalReason } from "./view";

/** The only id under which it runs. */
export type Ordered = { intentId: string };

/** The order, its maker and its object. `approvalId` names the authorisation; null while its maker is alone. */
export type Ordering<P extends Permission, Order> = {
  actor: Actor<P>;
  order: Order;
  object: string;
  approvalId: string | null;
};

type SecondPerson<P extends Permission, Order> = {
  /** One open proposal per object. */
  isExclusive: boolean;
  /** Returns null when no approval is needed. */
  needsApproval: (tx: Tx, ordering: Ordering<P, Order>, policy: Policy) => Promise<ApprovalReason | null>;
  /** Shown to the second person; no document in clear. */
  show: (tx: Tx, ordering: Ordering<P, Order>, why: ApprovalReason) => Promise<Shown>;
  proposed: (tx: Tx, ordering: Ordering<P, Order>) => Promise<void | Nothing>;
};

type Declaration<Name extends WriteName, Order> = {
  name: Name;
  order: z.ZodType<Order>;
  /** The object's name in the audit record: `kyc:<kycUUID>`. */
  objectOf: (store: Db | Tx, tenant: string, order: Order) => Promise<string>;
  /**
   * Throws when the order is not allowed now. Runs in the transaction that claims the id, which locks the object, and
   * again in the one that executes an authorised order.
   */
  validate: (tx: Tx, ordering: Ordering<OrderedWith<Name>, Order>) => Promise<void>;
  /** Null when `WRITE_TERMS` names no policy. */
  approval: Name extends ApprovalKindName ? SecondPerson<OrderedWith<Name>, Order> : null;
};

type SendSteps<Name extends WriteName, Order, Body, Secret> = {
  bodyOf: (order: Order, secret: Secret | null) => Body;
  opened: (tx: Tx, ordering: Ordering<OrderedWith<Name>, Order>) => Promise<void>;
  /** Runs after `validate`, right before sending, and throws to refuse. */
  recheck: (ordering: Ordering<OrderedWith<Name>, Order>) => Promise<void | Nothing>;
  settle: Settling;
};

/** `secret`: the part of the body that nobody stores. */
type Execution<P extends Permission, Order, Secret> = {
  actor: Actor<P>;
  order: Order;
  secret: Secret | null;
  approvalId: string | null;
};

/** Runs when the id is claimed; returns a proposal when a second person is needed. */
export type Admit<P extends Permission, Order> = (tx: Tx, ordering: Ordering<P, Order>) => Promise<Proposed | null>;

export type Performing<P extends Permission, Order, Done, Secret = null> = {
  perform: (execution: Execution<P, Order, Secret>, admit: Admit<P, Order>) => Promise<Done | Proposed>;
};

export type Approvable<P extends Permission, Order> = {
  name: ApprovalKindName;
  permission: P;
  order: z.ZodType<Order>;
  objectOf: (store: Db | Tx, tenant: string, order: Order) => Promise<string>;
  validate: (tx: Tx, ordering: Ordering<P, Order>) => Promise<void>;
  approval: SecondPerson<P, Order>;
  /** The exact bytes that a second person authorises. */
  bytesOf: (order: Order) => string;
  /** The id is claimed for this: the path of the operation, or the write's name. */
  claimedAs: string;
};

type Maker = { staffId: string; tenant: string };

export type ParsedOrder = {
  bytes: string;
} & (
  | {
      /** False when the maker may no longer do it; nothing happens then. Throws as the verb. */
      sendAs: (maker: Maker, approvalId: string) => Promise<boolean>;
    }
  | {
      /** Changes our own store alone, in the transaction that ends the proposal. */
      applyAs: (tx: Tx, maker: Maker, approvalId: string) => Promise<boolean>;
    }
);

/** A write that needs approval, without the type of its order. */
export type ApprovableWrite = {
  name: ApprovalKindName;
  permission: Permission;
  parse: (order: string) => ParsedOrder;
};

export type SentWrite = {
  name: OutcomeName;
  permission: Permission;
  intent: RecoverableKind;
  settle: Settling;
};

/** Locks the order's object and refuses what is not allowed now. */
export function admitting<P extends Permission, Order>({
  validate,
}: Pick<Approvable<P, Order>, "validate">): Admit<P, Order> {
  return async (tx, ordering) => {
    await holdLock(tx, `${ordering.actor.tenant} ${ordering.object}`);
    await validate(tx, ordering);
    return null;
  };
}

/** A write that the provider executes once, under the intent with the order's id. */
export function defineWrite<
  Name extends OutcomeName,
  Order extends Ordered,
  Body extends z.ZodType,
  Answer extends z.ZodType,
  Stored,
  Secret = null,
>(
  spec: Declaration<Name, Order> &
    SendSteps<Name, Order, z.output<Body>, Secret> &
    Sends<Body, Answer> &
    Omit<Ends<Answer, Stored>, "unreadable">,
) {
  const { name, order: schema, objectOf, validate, approval, bodyOf, opened, recheck, settle } = spec;
  const permission = orderedWith(name);
  const intent: IntentKind<z.output<Body>, Stored> = intentKind({ ...spec, unreadable: recordIncident });
  const bytesOf = (order: Order) => intent.tracedOf(bodyOf(order, null));
  const perform = async (
    { actor, order, secret, approvalId }: Execution<OrderedWith<Name>, Order, Secret>,
    admit: Admit<OrderedWith<Name>, Order>,
  ): Promise<IntentOutcome<Stored> | Proposed> => {
    const object = await objectOf(await db(), actor.tenant, order);
    const ordering = { actor, order, object, approvalId };
    const wish = {
      actor,
      intentId: order.intentId,
      object,
      body: bodyOf(order, secret),
      opened: (tx: Tx) => opened(tx, ordering),
      prepare: () => recheck(ordering),
    };
    return intents.executeUnder(intent, wish, { approvalId, admit: (tx) => admit(tx, ordering) });
  };
  const parse = (text: string): ParsedOrder => {
    const order = schema.parse(JSON.parse(text));
    return {
      bytes: bytesOf(order),
      sendAs: async (maker, approvalId) => {
        const actor = await actorNow(await db(), maker, permission);
        if (actor === null) return false;
        await perform({ actor, order, secret: null, approvalId }, admitting({ validate }));
        return true;
      },
    };
  };
  return {
    name,
    permission,
    order: schema,
    objectOf,
    validate,
    approval,
    intent,
    settle,
    bytesOf,
    claimedAs: intent.path,
    perform,
    parse,
  };
}

/** A change of our own store: nothing is sent, and the order itself is authorised. */
export function defineChange<Name extends Exclude<ApprovalKindName, OutcomeName>, Order extends Ordered, Done>(
  spec: Declaration<Name, Order> & {
    apply: (tx: Tx, ordering: Ordering<OrderedWith<Name>, Order>) => Promise<Done>;
  },
) {
  const { name, order: schema, objectOf, validate, approval, apply } = spec;
  const permission = orderedWith(name);
  const bytesOf = (order: Order) => JSON.stringify(schema.parse(order));
  const orderingOf = async (
    tx: Tx,
    { actor, order, approvalId }: Omit<Execution<OrderedWith<Name>, Order, null>, "secret">,
  ) => ({ actor, order, approvalId, object: await objectOf(tx, actor.tenant, order) });
  const perform = async (
    execution: Execution<OrderedWith<Name>, Order, null>,
    admit: Admit<OrderedWith<Name>, Order>,
  ): Promise<Done | Proposed> =>
    (await db()).transaction(async (tx) => {
      const { actor, order } = execution;
      const claimed = { tenant: actor.tenant, id: order.intentId, kind: name, actor: actor.id };
      const already = await claimIntent(tx, { ...claimed, bytes: bytesOf(order), isProposed: null });
      const ordering = await orderingOf(tx, execution);
      const proposed = await admit(tx, ordering);
      if (already === (proposed === null ? "proposed" : "ordered")) throw reused();
      return proposed ?? apply(tx, ordering);
    });
  const parse = (text: string): ParsedOrder => {
    const order = schema.parse(JSON.parse(text));
    return {
      bytes: bytesOf(order),
      applyAs: async (tx, maker, approvalId) => {
        const actor = await actorNow(tx, maker, permission);
        if (actor === null) return false;
        const ordering = await orderingOf(tx, { actor, order, approvalId });
        await admitting({ validate })(tx, ordering);
        await apply(tx, ordering);
        return true;
      },
    };
  };
  return { name, permission, order: schema, objectOf, validate, approval, bytesOf, claimedAs: name, perform, parse };
}

type Alone<P extends Permission, Order, Stored> = Performing<P, Order, IntentOutcome<Stored>> &
  Pick<Approvable<P, Order>, "validate"> & { approval: null };

/** Executes an order that needs no approval, once. Throws as `validate`, `recheck` and `Intents.execute`. */
export async function executeAlone<P extends Permission, Order extends Ordered, Stored>(
  write: Alone<P, Order, Stored>,
  actor: Actor<P>,
  order: Order,
): Promise<IntentOutcome<Stored>> {
  const done = await write.perform({ actor, order, secret: null, approvalId: null }, admitting(write));
  if (done.state === "PROPOSED") throw new Error(`intent ${order.intentId} was proposed`);
  return done;
}
