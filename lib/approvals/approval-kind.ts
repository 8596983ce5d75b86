import type { z } from "zod";
import type { Policy } from "./view";
import type { ApprovalKindName } from "@/lib/db/enums/approvals";
import { actorNow } from "@/lib/auth/actor-now";
import type { Actor } from "@/lib/permission/grant";
import type { Permission } from "@/lib/permission/permission";
import { independentAdmins } from "@/lib/auth/roster";
import { AppError } from "@/lib/errors/app-error";
import { claimIntent } from "@/lib/provider/intents/claim";
import { db, type Tx } from "@/lib/db/connection";
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

/** What is known of a kind without the type of its order. */
export type KnownKind = {
  name: ApprovalKindName;
  permission: Permission;
  /** Throws when it is no order of this kind. */
  parse: (order: string) => ParsedOrder;
  /** A code when this person, despite the permission, may not agree to it. */
  deniedReason: (tx: Tx, maker: Maker, deciderId: string) => Promise<string | null>;
};

export type PolicyQuestion<Order> = { store: Tx; tenant: string; order: Order; policy: Policy; makerId: string };

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
  /** Throws what its maker may not order now, alone or not. */
  validate: (tx: Tx, maker: Actor<P>, order: Order) => Promise<void>;
  needsApproval: (asked: PolicyQuestion<Order>) => Promise<boolean>;
  /** In the transaction that stores the proposal; may refuse by throwing. */
  proposed: (tx: Tx, maker: Actor<P>, order: Order) => Promise<void>;
  /** No document in clear. */
  show: (tenant: string, order: Order, by: Pick<PolicyQuestion<Order>, "policy" | "makerId">) => Promise<Shown>;
};

/** For `validate` where the verb itself refuses, and for `proposed` where nothing goes with the proposal. */
export const nothing = async (): Promise<void> => {};

/** `admit` comes first in the transaction that records the write, and refuses by throwing. */
export type Authority = { approvalId: string | null; admit: (tx: Tx) => Promise<void> };

/** What a second person agreed to is not asked again. */
export const agreedTo = (approvalId: string): Authority => ({ approvalId, admit: nothing });

/** Carried out once, by the intent with the order's id. */
export type Execution<P extends Permission, Order extends Ordered> = Authority & { actor: Actor<P>; order: Order };

const nobodyDenied: KnownKind["deniedReason"] = async () => null;

export function approvalKind<P extends Permission, Order extends Ordered, Done>(
  spec: Proposable<P, Order> & { perform: (execution: Execution<P, Order>) => Promise<Done> },
): typeof spec & KnownKind {
  return {
    ...spec,
    deniedReason: nobodyDenied,
    parse: (text) => {
      const order = spec.order.parse(JSON.parse(text));
      return {
        bytes: spec.bytesOf(order),
        performAs: async (maker, approvalId) => {
          const actor = await actorNow(await db(), maker, spec.permission);
          if (actor === null) return false;
          await spec.perform({ actor, order, ...agreedTo(approvalId) });
          return true;
        },
      };
    },
  };
}

type Stored<P extends Permission, Order extends Ordered> = Omit<Proposable<P, Order>, "bytesOf" | "claimedAs">;

export function storeApprovalKind<P extends Permission, Order extends Ordered, Done>(
  spec: Stored<P, Order> & { apply: (tx: Tx, actor: Actor<P>, order: Order) => Promise<Done> },
) {
  // Nothing is sent: the order stands for the bytes.
  const bytesOf = (order: Order) => JSON.stringify(spec.order.parse(order));
  return {
    ...spec,
    bytesOf,
    claimedAs: spec.name,
    deniedReason: nobodyDenied,
    perform: async ({ actor, order, admit }: Execution<P, Order>): Promise<Done> =>
      (await db()).transaction(async (tx) => {
        const claimed = { tenant: actor.tenant, id: order.intentId, kind: spec.name, actor: actor.id };
        await claimIntent(tx, { ...claimed, bytes: bytesOf(order), isProposed: false });
        await admit(tx);
        return spec.apply(tx, actor, order);
      }),
    parse: (text: string): ParsedOrder => {
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
  spec: Stored<P, Order> & { apply: (tx: Tx, actor: Actor<P>, order: Order) => Promise<Done> },
) {
  return {
    ...storeApprovalKind(spec),
    proposed: async (tx: Tx, maker: Actor<P>, order: Order): Promise<void> => {
      const deciders = await independentAdmins(tx, { tenant: maker.tenant, staffId: maker.id });
      if (deciders.length === 0) throw new AppError("conflict", { code: "no-second-admin" });
      await spec.proposed(tx, maker, order);
    },
    deniedReason: async (tx: Tx, maker: Maker, deciderId: string) =>
      (await independentAdmins(tx, maker)).includes(deciderId) ? null : "admin-not-independent",
  };
}
