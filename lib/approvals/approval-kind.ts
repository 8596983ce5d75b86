import type { z } from "zod";
import type { Policy } from "./view";
import type { ApprovalKindName } from "@/lib/db/enums/approvals";
import { actorNow } from "@/lib/auth/actor-now";
import type { Actor } from "@/lib/permission/grant";
import type { Permission } from "@/lib/permission/permission";
import { independentAdmins } from "@/lib/auth/roster";
import { AppError } from "@/lib/errors/app-error";
import { claimIntent } from "@/lib/provider/intents/claim";
import { type Db, db, type Tx } from "@/lib/db/connection";
import type { Shown } from "./snapshot";

/** Carried out under this intent and no other. */
export type Ordered = { intentId: string };

export type Maker = { staffId: string; tenant: string };

export type ParsedOrder = {
  bytes: string;
} & (
  | {
      /** False when the maker no longer may; nothing is done then. Throws as the verb. */
      performAs: (maker: Maker, approvalId: string) => Promise<boolean>;
    }
  | {
      /** For changes of our own store alone: in the transaction that ends the proposal. */
      applyAs: (tx: Tx, maker: Maker) => Promise<boolean>;
    }
);

export type KnownKind = {
  name: ApprovalKindName;
  permission: Permission;
  /** Throws when it is no order of this kind. */
  parse: (order: string) => ParsedOrder;
  /** A code when this person, despite the permission, may not agree to it. */
  deniedReason?: (tx: Tx, maker: Maker, deciderId: string) => Promise<string | null>;
};

export type PolicyQuestion<Order> = { store: Db | Tx; tenant: string; order: Order; policy: Policy; makerId: string };

export type Proposable<P extends Permission, Order extends Ordered> = {
  name: ApprovalKindName;
  /** Checked when they propose and when it is carried out. */
  permission: P;
  order: z.ZodType<Order>;
  bytesOf: (order: Order) => string;
  /** As its id is claimed: the path of the operation that is sent, else its name. */
  claimedAs: string;
  /** One open proposal per object. */
  isExclusive: boolean;
  /** `kyc:<kycUUID>`. */
  objectOf: (tenant: string, order: Order) => Promise<string>;
  needsApproval: (asked: PolicyQuestion<Order>) => Promise<boolean>;
  /** Throws what its maker may not propose now; in the transaction that stores the proposal. */
  admit?: (tx: Tx, maker: Actor<P>, order: Order) => Promise<void>;
  /** No document in clear. */
  show: (tenant: string, order: Order, by: Pick<PolicyQuestion<Order>, "policy" | "makerId">) => Promise<Shown>;
};

type Spec<P extends Permission, Order extends Ordered, Done> = Proposable<P, Order> & {
  /** By an intent with the order's id; `approvalId`: under which a second person agreed, null alone. */
  perform: (actor: Actor<P>, order: Order, approvalId: string | null) => Promise<Done>;
};

export type ApprovalKind<P extends Permission, Order extends Ordered, Done> = Spec<P, Order, Done> & KnownKind;

export type Execution<Completion> = { completion: Completion; approvalId: string | null };

/** Its `Completion` passes through and is stored nowhere: an authorisation makes it READY, `complete` carries it out. */
export type MakerKind<P extends Permission, Order extends Ordered, Completion, Done> = Proposable<P, Order> & {
  perform: (actor: Actor<P>, order: Order, execution: Execution<Completion>) => Promise<Done>;
};

export function approvalKind<P extends Permission, Order extends Ordered, Done>(
  spec: Spec<P, Order, Done>,
): ApprovalKind<P, Order, Done> {
  return {
    ...spec,
    parse: (text) => {
      const order = spec.order.parse(JSON.parse(text));
      return {
        bytes: spec.bytesOf(order),
        performAs: async (maker, approvalId) => {
          const actor = await actorNow(await db(), maker, spec.permission);
          if (actor === null) return false;
          await spec.perform(actor, order, approvalId);
          return true;
        },
      };
    },
  };
}

type StoreSpec<P extends Permission, Order extends Ordered, Done> = Omit<
  Proposable<P, Order>,
  "bytesOf" | "claimedAs"
> & {
  apply: (tx: Tx, actor: Actor<P>, order: Order) => Promise<Done>;
};

export function storeApprovalKind<P extends Permission, Order extends Ordered, Done>(
  spec: StoreSpec<P, Order, Done>,
): ApprovalKind<P, Order, Done> {
  // Nothing is sent: the order stands for the bytes.
  const bytesOf = (order: Order) => JSON.stringify(spec.order.parse(order));
  return {
    ...spec,
    bytesOf,
    claimedAs: spec.name,
    perform: async (actor, order) =>
      (await db()).transaction(async (tx) => {
        const claimed = { tenant: actor.tenant, id: order.intentId, kind: spec.name, actor: actor.id };
        await claimIntent(tx, { ...claimed, bytes: bytesOf(order), isProposed: false });
        return spec.apply(tx, actor, order);
      }),
    parse: (text) => {
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

/** Another administrator decides: one who neither invited its maker nor was invited by them. */
export function adminApprovalKind<P extends Permission, Order extends Ordered, Done>(
  spec: StoreSpec<P, Order, Done>,
): ApprovalKind<P, Order, Done> {
  return {
    ...storeApprovalKind(spec),
    admit: async (tx, maker, order) => {
      const deciders = await independentAdmins(tx, { tenant: maker.tenant, staffId: maker.id });
      if (deciders.length === 0) throw new AppError("conflict", { code: "no-second-admin" });
      await spec.admit?.(tx, maker, order);
    },
    deniedReason: async (tx, maker, deciderId) =>
      (await independentAdmins(tx, maker)).includes(deciderId) ? null : "admin-not-independent",
  };
}
