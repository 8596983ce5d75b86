import type { z } from "zod";
import type { ApprovalKindName, Policy } from "./view";
import { actorNow } from "@/lib/auth/actor-now";
import type { Actor } from "@/lib/auth/grant";
import type { Permission } from "@/lib/auth/permission";
import { independentAdmins } from "@/lib/auth/roster";
import { BankError } from "@/lib/bank/answer";
import { type Db, db, type Tx } from "@/lib/store/store";
import type { Shown } from "./frozen";

/** What somebody wants done; carried out under this intent and no other. */
export type Ordered = { intentId: string };

/** Who ordered, by what holds when it is carried out. */
export type Maker = { staffId: string; tenant: string };

/** An order that came out of the store. */
export type Thawed = {
  /** What would be sent now. */
  bytes: string;
} & (
  | {
      /** Carries it out as its maker; false, and nothing is done, when they no longer may. Throws as the verb does. */
      performAs: (maker: Maker) => Promise<boolean>;
    }
  | {
      /** The same for what is a change of our own store alone: in the transaction that ends the proposal. */
      applyAs: (tx: Tx, maker: Maker) => Promise<boolean>;
    }
);

/** What the second person's side needs to know of a kind. */
export type KnownKind = {
  name: ApprovalKindName;
  permission: Permission;
  /** Throws when it is no order of this kind. */
  thaw: (order: string) => Thawed;
  /** Why this person, who has the permission, may still not agree to what that one wants; null when they may. */
  denialOf?: (tx: Tx, maker: Maker, deciderId: string) => Promise<string | null>;
};

export type Asked<Order> = { store: Db | Tx; tenant: string; order: Order; policy: Policy };

/** What it takes to propose. */
export type Proposable<P extends Permission, Order extends Ordered> = {
  name: ApprovalKindName;
  /** What its maker must be allowed, when they propose and when it is carried out. */
  permission: P;
  order: z.ZodType<Order>;
  /** The bytes that are sent, as the intent's kind writes them, without what its maker adds when it is carried out. */
  bytesOf: (order: Order) => string;
  /** No two proposals may be open for one object. */
  isExclusive: boolean;
  /** `kyc:<kycUUID>`. */
  objectOf: (tenant: string, order: Order) => Promise<string>;
  /** Whether this policy asks for a second person. */
  isGrave: (asked: Asked<Order>) => Promise<boolean>;
  /** Refuses, by throwing, what its maker may not propose as things stand; in the transaction that keeps the proposal. */
  admit?: (tx: Tx, maker: Actor<P>, order: Order) => Promise<void>;
  /** What the second person is shown: no document in clear. */
  show: (tenant: string, order: Order) => Promise<Shown>;
};

type Spec<P extends Permission, Order extends Ordered, Done> = Proposable<P, Order> & {
  /** Carries it out by an intent with the order's id; `isAuthorised` when a second person agreed. */
  perform: (actor: Actor<P>, order: Order, isAuthorised: boolean) => Promise<Done>;
};

export type ApprovalKind<P extends Permission, Order extends Ordered, Done> = Spec<P, Order, Done> & KnownKind;

/**
 * A verb whose `Completion` only its maker can add, when it is carried out: it passes through and is kept nowhere. An
 * authorisation makes it READY, and `complete` carries it out.
 */
export type MakerKind<P extends Permission, Order extends Ordered, Completion, Done> = Proposable<P, Order> & {
  perform: (actor: Actor<P>, order: Order, completion: Completion) => Promise<Done>;
};

/** Describes a verb that may need a second person once, for those who order and for those who authorise. */
export function approvalKind<P extends Permission, Order extends Ordered, Done>(
  spec: Spec<P, Order, Done>,
): ApprovalKind<P, Order, Done> {
  return {
    ...spec,
    thaw: (text) => {
      const order = spec.order.parse(JSON.parse(text));
      return {
        bytes: spec.bytesOf(order),
        performAs: async (maker) => {
          const actor = await actorNow(await db(), maker, spec.permission);
          if (actor === null) return false;
          await spec.perform(actor, order, true);
          return true;
        },
      };
    },
  };
}

type StoreSpec<P extends Permission, Order extends Ordered, Done> = Omit<Proposable<P, Order>, "bytesOf"> & {
  /** Changes our own store, and nothing else. */
  apply: (tx: Tx, actor: Actor<P>, order: Order) => Promise<Done>;
};

/** Describes a change of our own store alone: it is done in the transaction that ends its proposal. */
export function storeApprovalKind<P extends Permission, Order extends Ordered, Done>(
  spec: StoreSpec<P, Order, Done>,
): ApprovalKind<P, Order, Done> {
  // Nothing is sent: the order as its schema writes it stands for the bytes.
  const bytesOf = (order: Order) => JSON.stringify(spec.order.parse(order));
  return {
    ...spec,
    bytesOf,
    perform: async (actor, order) => (await db()).transaction((tx) => spec.apply(tx, actor, order)),
    thaw: (text) => {
      const order = spec.order.parse(JSON.parse(text));
      return {
        bytes: bytesOf(order),
        applyAs: async (tx, maker) => {
          const actor = await actorNow(tx, maker, spec.permission);
          if (actor === null) return false;
          await spec.apply(tx, actor, order);
          return true;
        },
      };
    },
  };
}

/**
 * Describes a change of who may do what, about which another administrator decides: one who neither brought its maker in nor
 * was brought in by them, for whoever saw somebody's invitation may be that person.
 */
export function adminApprovalKind<P extends Permission, Order extends Ordered, Done>(
  spec: StoreSpec<P, Order, Done>,
): ApprovalKind<P, Order, Done> {
  return {
    ...storeApprovalKind(spec),
    admit: async (tx, maker, order) => {
      const deciders = await independentAdmins(tx, { tenant: maker.tenant, staffId: maker.id });
      if (deciders.length === 0) throw new BankError("conflict", { code: "no-second-admin" });
      await spec.admit?.(tx, maker, order);
    },
    denialOf: async (tx, maker, deciderId) =>
      (await independentAdmins(tx, maker)).includes(deciderId) ? null : "admin-not-independent",
  };
}
