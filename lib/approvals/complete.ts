import { actorNow } from "@/lib/auth/actor-now";
import type { Actor } from "@/lib/permission/grant";
import type { Permission } from "@/lib/permission/permission";
import { AppError } from "@/lib/errors/app-error";
import type { ErrorKind } from "@/lib/errors/result";
import { storeNow } from "@/lib/db/clock";
import { instanceId } from "@/lib/db/lease";
import { db, type Db, type Tx } from "@/lib/db/connection";
import { approvalCan } from "./can";
import { admitting, type Approvable, type Ordered, type Performing } from "./define-write";
import { type Approval, readDecision, readSnapshot } from "./snapshot";
import { holdApproval, transition, announce } from "./records";
import { requestEnd, parseOrNull, conclude, returnToMaker, type Concluded } from "./execute";

/** `endsAs`: the state, if the obstacle ends the request. */
type MakerObstacle = { kind: ErrorKind; code: string; endsAs?: "FAILED" | "EXPIRED" };
type TurnedAway = { obstacle: MakerObstacle };
type StartedExecution<P extends Permission, Order> = { row: Approval; actor: Actor<P>; order: Order };

const edited = { kind: "conflict", code: "approval-edited", endsAs: "FAILED" } as const satisfies MakerObstacle;

async function obstacleTo(tx: Tx, row: Approval, maker: Actor): Promise<MakerObstacle | null> {
  const denial = approvalCan.complete({ state: row.state, isMine: row.makerId === maker.id });
  if (denial !== null) return denial;
  if (row.expiresAt <= (await storeNow(tx))) return { kind: "conflict", code: "approval-expired", endsAs: "EXPIRED" };
  const decision = await readDecision(row);
  return decision?.verdict === "AUTHORISED" && decision.deciderId !== row.makerId ? null : edited;
}

/** Returns null when the order differs from what the second person saw. */
async function parseOrder<Order>(
  write: { order: { parse: (order: unknown) => Order }; bytesOf: (order: Order) => string },
  row: Approval,
): Promise<Order | null> {
  const snapshot = await readSnapshot(row);
  if (snapshot === null) return null;
  const order = parseOrNull(() => write.order.parse(JSON.parse(snapshot.order)));
  return order !== null && write.bytesOf(order) === snapshot.bytes ? order : null;
}

async function turnMakerAway(
  tx: Tx,
  row: Approval,
  { by, obstacle }: TurnedAway & { by: string },
): Promise<TurnedAway> {
  const { code, endsAs } = obstacle;
  const ended = endsAs && (await transition(tx, row, { from: "READY", to: endsAs, set: { code } }));
  await announce(tx, ended ?? row, { by, code: "approval.execute", outcome: "REFUSED", detail: { why: code } });
  return { obstacle };
}

type Which = { approvalId: string };

async function begin<P extends Permission, Order extends Ordered>(
  tx: Tx,
  write: Approvable<P, Order>,
  { maker, approvalId }: Which & { maker: Actor<P> },
): Promise<StartedExecution<P, Order> | TurnedAway> {
  const { tenant, id: by } = maker;
  const row = await holdApproval(tx, { tenant, id: approvalId });
  if (row === null || row.kind !== write.name) return { obstacle: { kind: "not-found", code: "approval" } };
  const obstacle = await obstacleTo(tx, row, maker);
  if (obstacle !== null) return turnMakerAway(tx, row, { by, obstacle });
  const order = await parseOrder(write, row);
  if (order === null) return turnMakerAway(tx, row, { by, obstacle: edited });
  const actor = await actorNow(tx, { staffId: by, tenant }, write.permission);
  if (actor === null)
    return turnMakerAway(tx, row, { by, obstacle: { kind: "conflict", code: "maker-lost-right", endsAs: "FAILED" } });
  const taken = await transition(tx, row, { from: "READY", to: "AUTHORISED", set: { owner: instanceId() } });
  if (taken === null) return { obstacle: { kind: "conflict", code: "approval-under-way" } };
  await announce(tx, taken, { by, code: "approval.execute", outcome: "INTENT" });
  return { row: taken, actor, order };
}

const codeOf = (reason: unknown) =>
  reason instanceof AppError ? (reason.details.code ?? reason.kind) : "not-carried-out";

/** Throws the refusal; the maker may try again. */
async function finish(store: Db, row: Approval, failure: { error: unknown } | null): Promise<Concluded> {
  const by = row.makerId;
  const { end } = await requestEnd(store, row);
  if (end !== null && (end.state !== "FAILED" || failure === null || end.code === "intent-reused")) {
    const { state, code } = await conclude(store, row, { ...end, by });
    return { state, code };
  }
  if (failure === null) return row;
  await returnToMaker(store, row, { code: codeOf(failure.error), by });
  throw failure.error;
}

/** Once. Returns EXECUTED, HELD or UNKNOWN; a failure without effect throws as the verb and leaves it READY. */
export async function complete<P extends Permission, Order extends Ordered, Done, Secret>(
  write: Approvable<P, Order> & Performing<P, Order, Done, Secret>,
  { maker, approvalId, secret }: Which & { maker: Actor<P>; secret: Secret },
): Promise<Concluded> {
  const store = await db();
  const begun = await store.transaction((tx) => begin(tx, write, { maker, approvalId }));
  if ("obstacle" in begun) throw new AppError(begun.obstacle.kind, { code: begun.obstacle.code });
  const { row, actor, order } = begun;
  const failure = await write.perform({ actor, order, secret, approvalId }, admitting(write)).then(
    () => null,
    (error: unknown) => ({ error }),
  );
  return finish(store, row, failure);
}
