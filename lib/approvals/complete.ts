import { actorNow } from "@/lib/auth/actor-now";
import type { Actor } from "@/lib/auth/grant";
import type { Permission } from "@/lib/auth/permission";
import { BankError } from "@/lib/bank/error";
import type { ErrorKind } from "@/lib/result";
import { storeNow } from "@/lib/store/clock";
import { instanceId } from "@/lib/store/lease";
import { type Db, db, type Tx } from "@/lib/store/store";
import type { MakerKind, Ordered } from "./approval-kind";
import { conclude, endOf, standBack } from "./execute";
import { type Approval, readDecision, readFrozen } from "./frozen";
import { holdApproval, moveOn, tell } from "./row";
import type { Concluded } from "./verdict";

/** Why it may not be carried out; `endsAs` when that is its end, too. */
type Obstacle = { kind: ErrorKind; code: string; endsAs?: "FAILED" | "EXPIRED" };
type Turned = { obstacle: Obstacle };
type Begun<P extends Permission, Order> = { row: Approval; actor: Actor<P>; order: Order };

const edited = { kind: "conflict", code: "approval-edited", endsAs: "FAILED" } as const satisfies Obstacle;

async function obstacleTo(tx: Tx, row: Approval, maker: Actor): Promise<Obstacle | null> {
  if (row.makerId !== maker.id) return { kind: "forbidden", code: "approval-not-yours" };
  if (row.state === "PENDING") return { kind: "conflict", code: "approval-undecided" };
  if (row.state === "AUTHORISED") return { kind: "conflict", code: "approval-under-way" };
  if (row.state !== "READY") return { kind: "conflict", code: "approval-ended" };
  if (row.expiresAt <= (await storeNow(tx))) return { kind: "conflict", code: "approval-expired", endsAs: "EXPIRED" };
  const decision = await readDecision(row);
  return decision?.verdict === "AUTHORISED" && decision.deciderId !== row.makerId ? null : edited;
}

/** The order as it was frozen; null when it is no longer what a second person saw. */
async function thaw<Order>(
  kind: { order: { parse: (order: unknown) => Order }; bytesOf: (order: Order) => string },
  row: Approval,
): Promise<Order | null> {
  const frozen = await readFrozen(row);
  if (frozen === null) return null;
  const [read] = await Promise.allSettled([
    Promise.resolve(frozen.order).then((text) => kind.order.parse(JSON.parse(text))),
  ]);
  return read.status === "fulfilled" && kind.bytesOf(read.value) === frozen.bytes ? read.value : null;
}

async function turnAway(tx: Tx, row: Approval, { by, obstacle }: Turned & { by: string }): Promise<Turned> {
  const { code, endsAs } = obstacle;
  const ended = endsAs && (await moveOn(tx, row, { from: "READY", to: endsAs, set: { code } }));
  await tell(tx, ended ?? row, { by, code: "approval.execute", outcome: "REFUSED", detail: { why: code } });
  return { obstacle };
}

type Which = { approvalId: string };

/** Takes it for this instance, so that nobody else carries it out meanwhile. */
async function begin<P extends Permission, Order extends Ordered, Completion, Done>(
  tx: Tx,
  kind: MakerKind<P, Order, Completion, Done>,
  { maker, approvalId }: Which & { maker: Actor<P> },
): Promise<Begun<P, Order> | Turned> {
  const { tenant, id: by } = maker;
  const row = await holdApproval(tx, { tenant, id: approvalId });
  if (row === null || row.kind !== kind.name) return { obstacle: { kind: "not-found", code: "approval" } };
  const obstacle = await obstacleTo(tx, row, maker);
  if (obstacle !== null) return turnAway(tx, row, { by, obstacle });
  const order = await thaw(kind, row);
  if (order === null) return turnAway(tx, row, { by, obstacle: edited });
  const actor = await actorNow(tx, { staffId: by, tenant }, kind.permission);
  if (actor === null)
    return turnAway(tx, row, { by, obstacle: { kind: "conflict", code: "maker-lost-right", endsAs: "FAILED" } });
  const taken = await moveOn(tx, row, { from: "READY", to: "AUTHORISED", set: { owner: instanceId() } });
  if (taken === null) return { obstacle: { kind: "conflict", code: "approval-under-way" } };
  await tell(tx, taken, { by, code: "approval.execute", outcome: "INTENT" });
  return { row: taken, actor, order };
}

const codeOf = (reason: unknown) =>
  reason instanceof BankError ? (reason.details.code ?? reason.kind) : "not-carried-out";

/** What its intent says became of it; thrown is what refused it, after which its maker may try again. */
async function settle(store: Db, row: Approval, performed: PromiseSettledResult<unknown>): Promise<Concluded> {
  const by = row.makerId;
  const { end } = await endOf(store, row);
  if (end !== null && (end.state !== "FAILED" || performed.status === "fulfilled" || end.code === "intent-reused")) {
    const { state, code } = await conclude(store, row, { ...end, by });
    return { state, code };
  }
  if (performed.status === "fulfilled") return row;
  await standBack(store, row, { code: codeOf(performed.reason), by });
  throw performed.reason;
}

/**
 * Carries out what a second person authorised, by its maker and with what only they can add, once. Answers what became of it:
 * EXECUTED, HELD or UNKNOWN. What certainly had no effect throws as the verb does and leaves it READY for another try. Throws
 * forbidden `approval-not-yours`; conflict `approval-undecided`, `approval-under-way`, `approval-ended`, and, which end it,
 * `approval-expired`, `approval-edited` and `maker-lost-right`; not-found.
 */
export async function complete<P extends Permission, Order extends Ordered, Completion, Done>(
  kind: MakerKind<P, Order, Completion, Done>,
  maker: Actor<P>,
  { approvalId, completion }: Which & { completion: Completion },
): Promise<Concluded> {
  const store = await db();
  const begun = await store.transaction((tx) => begin(tx, kind, { maker, approvalId }));
  if ("obstacle" in begun) throw new BankError(begun.obstacle.kind, { code: begun.obstacle.code });
  const { row, actor, order } = begun;
  const [performed] = await Promise.allSettled([kind.perform(actor, order, completion)]);
  return settle(store, row, performed);
}
