import { and, eq, inArray, lt, lte, ne, or, sql } from "drizzle-orm";
import { ZodError } from "zod";
import type { AuditCode } from "@/lib/audit/codes";
import { actorNow } from "@/lib/auth/actor-now";
import type { Actor } from "@/lib/permission/grant";
import type { Permission } from "@/lib/permission/permission";
import { AppError } from "@/lib/errors/app-error";
import { findIntent, type Intent } from "@/lib/provider/intents/intent-record";
import { providerIntent, type IntentState } from "@/lib/db/tables/provider";
import type { ErrorKind } from "@/lib/errors/result";
import { env } from "@/lib/settings/env";
import { storeNow } from "@/lib/db/clock";
import { instanceId } from "@/lib/db/lease";
import type { AuditOutcome } from "@/lib/db/tables/audit";
import { isHashOf } from "@/lib/db/seal";
import { db, type Db, type Tx } from "@/lib/db/connection";
import type { KnownKind, MakerKind, Ordered, ParsedOrder } from "./approval-kind";
import { type Approval, readDecision, readSnapshot, sealDecision } from "./snapshot";
import { executingUntil, holdApproval, transition, named, announce } from "./records";
import { approval } from "@/lib/db/tables/approvals";
import { decidingPermission, isCompletedByMaker } from "./view";
import type { ApprovalState } from "@/lib/db/enums/approvals";

type End = { state: Extract<ApprovalState, "EXECUTED" | "HELD" | "FAILED" | "UNKNOWN">; code: string | null };

export const WATCH = "watch:approvals";

const failed = (code: string): End => ({ state: "FAILED", code });

const OUTCOMES: Record<End["state"], AuditOutcome> = {
  EXECUTED: "DONE",
  HELD: "HELD",
  FAILED: "REFUSED",
  UNKNOWN: "UNKNOWN",
};

const ENDS: Record<Exclude<IntentState, "SENDING">, End["state"]> = {
  DONE: "EXECUTED",
  HELD: "HELD",
  REFUSED: "FAILED",
  UNKNOWN: "UNKNOWN",
};

const known = ({ state, code }: Intent): End | null => (state === "SENDING" ? null : { state: ENDS[state], code });

/** Null while it is being sent, or was never opened. */
async function endOf(store: Db, row: Approval): Promise<{ intent: Intent | null; end: End | null }> {
  const intent = await findIntent(store, { tenant: row.tenant, id: row.intentId });
  if (intent === null) return { intent, end: null };
  const snapshot = await readSnapshot(row);
  const isOurs = intent.bodyHash === row.bodyHash || (snapshot !== null && isHashOf(intent.bodyHash, snapshot.bytes));
  return { intent, end: isOurs ? known(intent) : failed("intent-reused") };
}

/** Null when it is no such order: another version may have stored it. */
function parseOrNull<Parsed>(parse: () => Parsed): Parsed | null {
  try {
    return parse();
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof ZodError) return null;
    throw error;
  }
}

async function parseAuthorised(kinds: readonly KnownKind[], row: Approval): Promise<ParsedOrder | string> {
  const [snapshot, decision] = [await readSnapshot(row), await readDecision(row)];
  const isAuthorised = decision?.verdict === "AUTHORISED" && decision.deciderId !== row.makerId;
  if (snapshot === null || !isAuthorised) return "approval-edited";
  const kind = kinds.find(({ name }) => name === row.kind);
  if (kind === undefined) return "approval-kind";
  const parsed = parseOrNull(() => kind.parse(snapshot.order));
  // Another version may read the same order differently.
  return parsed?.bytes === snapshot.bytes ? parsed : "intent-bytes";
}

type Sent = Extract<ParsedOrder, { performAs: unknown }>;
type Applied = Extract<ParsedOrder, { applyAs: unknown }>;

/** Null when it is being sent elsewhere: its end is written later. */
async function perform(store: Db, row: Approval, { performAs }: Sent): Promise<End | null> {
  const { tenant, makerId: staffId } = row;
  try {
    if (!(await performAs({ staffId, tenant }, row.id))) return failed("maker-lost-right");
  } catch (error) {
    const { intent, end } = await endOf(store, row);
    if (intent !== null) return end;
    if (error instanceof AppError) return failed(error.details.code ?? error.kind);
    // Nothing was sent: the next sweep takes it up.
    throw error;
  }
  const { intent, end } = await endOf(store, row);
  if (intent === null) throw new Error(`approval ${row.id} has no intent`);
  return end;
}

type Concluding = End & { by: string };

async function concludeIn(tx: Tx, row: Approval, { state, code, by }: Concluding): Promise<Approval | null> {
  const ended = await transition(tx, row, { from: row.state, to: state, set: { code } });
  if (ended === null) return null;
  const detail = { authorisedBy: row.deciderId, code };
  await announce(tx, ended, { by, code: "approval.execute", outcome: OUTCOMES[state], detail });
  return ended;
}

const conclude = async (store: Db, row: Approval, end: Concluding): Promise<Approval> =>
  store.transaction(async (tx) => (await concludeIn(tx, row, end)) ?? row);

/** One transaction for the change and the end of its proposal. */
async function apply(store: Db, row: Approval, { parsed, by }: { parsed: Applied; by: string }): Promise<Approval> {
  const { tenant, makerId: staffId } = row;
  try {
    return await store.transaction(async (tx) => {
      const held = await holdApproval(tx, row);
      if (held?.state !== "AUTHORISED") return held ?? row;
      const isDone = await parsed.applyAs(tx, { staffId, tenant });
      const end: End = isDone ? { state: "EXECUTED", code: null } : failed("maker-lost-right");
      return (await concludeIn(tx, held, { ...end, by })) ?? held;
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return conclude(store, row, { ...failed(error.details.code ?? error.kind), by });
  }
}

/** As its maker and under its own intent. Called by whoever moved it to AUTHORISED or claimed it. */
async function execute(kinds: readonly KnownKind[], row: Approval, by: string): Promise<Approval> {
  const store = await db();
  const parsed = await parseAuthorised(kinds, row);
  if (typeof parsed !== "string" && "applyAs" in parsed) return apply(store, row, { parsed, by });
  const end = typeof parsed === "string" ? failed(parsed) : await perform(store, row, parsed);
  return end === null ? row : conclude(store, row, { ...end, by });
}

/** Of another process where this one is alone, or silent for too long. */
function isAbandoned() {
  const isForeign = env().databaseUrl === null ? ne(approval.owner, instanceId()) : sql`false`;
  return or(lt(approval.executingUntil, sql`clock_timestamp()`), isForeign);
}

/** Its intent certainly had no effect, so its maker may try again. Null when another was first. */
function returnToMaker(store: Db, row: Approval, { code, by }: { code: string; by: string }) {
  return store.transaction(async (tx) => {
    const ready = await transition(tx, row, { from: "AUTHORISED", to: "READY" });
    if (ready !== null)
      await announce(tx, ready, { by, code: "approval.execute", outcome: "REFUSED", detail: { code } });
    return ready;
  });
}

/** Null when another was first, or its executor lives. */
async function claim(store: Db, row: Approval): Promise<Approval | null> {
  const [claimed] = await store
    .update(approval)
    .set({ owner: instanceId(), executingUntil })
    .where(and(named(row), eq(approval.state, "AUTHORISED"), isAbandoned()))
    .returning();
  return claimed ?? null;
}

async function isSendingOverdue(store: Db, row: Approval): Promise<boolean> {
  return row.expiresAt <= (await storeNow(store));
}

async function resumeAbandoned(store: Db, kinds: readonly KnownKind[], row: Approval): Promise<void> {
  const claimed = await claim(store, row);
  if (claimed === null) return;
  const { intent, end } = await endOf(store, claimed);
  const isUnsent = intent === null || (intent.state === "REFUSED" && intent.code === "never-sent");
  // What was meant for one day is not done on another because a machine was down.
  if (isUnsent && (await isSendingOverdue(store, claimed)))
    await conclude(store, claimed, { ...failed("approval-expired"), by: WATCH });
  else if (isCompletedByMaker(claimed.kind) && (isUnsent || end?.state === "FAILED"))
    await returnToMaker(store, claimed, { code: end?.code ?? "never-sent", by: WATCH });
  else if (isUnsent) await execute(kinds, claimed, WATCH);
  else if (end !== null) await conclude(store, claimed, { ...end, by: WATCH });
}

export async function recoverAuthorised(kinds: readonly KnownKind[], tenant: string): Promise<void> {
  const store = await db();
  const abandoned = await store
    .select()
    .from(approval)
    .where(and(eq(approval.tenant, tenant), eq(approval.state, "AUTHORISED"), isAbandoned()));
  const failures: unknown[] = [];
  for (const row of abandoned) await resumeAbandoned(store, kinds, row).catch((error: unknown) => failures.push(error));
  // One failure must not delay the others; the sweep still reports it.
  if (failures.length > 0) throw failures[0];
}

export async function followIntents(tenant: string): Promise<void> {
  const store = await db();
  const isOpen = or(eq(approval.state, "UNKNOWN"), eq(approval.state, "HELD"));
  const isRepeated = sql`exists (select 1 from ${providerIntent} where ${providerIntent.tenant} = ${approval.tenant}
    and ${providerIntent.id} = ${approval.intentId} and ${providerIntent.endedBy} is not null and (
      ${approval.state} = 'EXECUTED' and ${providerIntent.state} = 'REFUSED' or ${approval.state} = 'FAILED' and ${providerIntent.state} = 'DONE'))`;
  const rows = await store
    .select()
    .from(approval)
    .where(and(eq(approval.tenant, tenant), or(isOpen, isRepeated)));
  for (const row of rows) {
    const { end } = await endOf(store, row);
    if (end !== null && end.state !== row.state) await conclude(store, row, { ...end, by: WATCH });
  }
}

/** `endsAs`: when that is its end, too. */
type MakerObstacle = { kind: ErrorKind; code: string; endsAs?: "FAILED" | "EXPIRED" };
type Turned = { obstacle: MakerObstacle };
type StartedExecution<P extends Permission, Order> = { row: Approval; actor: Actor<P>; order: Order };

const edited = { kind: "conflict", code: "approval-edited", endsAs: "FAILED" } as const satisfies MakerObstacle;

async function obstacleTo(tx: Tx, row: Approval, maker: Actor): Promise<MakerObstacle | null> {
  if (row.makerId !== maker.id) return { kind: "forbidden", code: "approval-not-yours" };
  if (row.state === "PENDING") return { kind: "conflict", code: "approval-undecided" };
  if (row.state === "AUTHORISED") return { kind: "conflict", code: "approval-under-way" };
  if (row.state !== "READY") return { kind: "conflict", code: "approval-ended" };
  if (row.expiresAt <= (await storeNow(tx))) return { kind: "conflict", code: "approval-expired", endsAs: "EXPIRED" };
  const decision = await readDecision(row);
  return decision?.verdict === "AUTHORISED" && decision.deciderId !== row.makerId ? null : edited;
}

/** Null when it is no longer what the second person saw. */
async function parseOrder<Order>(
  kind: { order: { parse: (order: unknown) => Order }; bytesOf: (order: Order) => string },
  row: Approval,
): Promise<Order | null> {
  const snapshot = await readSnapshot(row);
  if (snapshot === null) return null;
  const order = parseOrNull(() => kind.order.parse(JSON.parse(snapshot.order)));
  return order !== null && kind.bytesOf(order) === snapshot.bytes ? order : null;
}

async function turnMakerAway(tx: Tx, row: Approval, { by, obstacle }: Turned & { by: string }): Promise<Turned> {
  const { code, endsAs } = obstacle;
  const ended = endsAs && (await transition(tx, row, { from: "READY", to: endsAs, set: { code } }));
  await announce(tx, ended ?? row, { by, code: "approval.execute", outcome: "REFUSED", detail: { why: code } });
  return { obstacle };
}

type Which = { approvalId: string };

async function begin<P extends Permission, Order extends Ordered, Completion, Done>(
  tx: Tx,
  kind: MakerKind<P, Order, Completion, Done>,
  { maker, approvalId }: Which & { maker: Actor<P> },
): Promise<StartedExecution<P, Order> | Turned> {
  const { tenant, id: by } = maker;
  const row = await holdApproval(tx, { tenant, id: approvalId });
  if (row === null || row.kind !== kind.name) return { obstacle: { kind: "not-found", code: "approval" } };
  const obstacle = await obstacleTo(tx, row, maker);
  if (obstacle !== null) return turnMakerAway(tx, row, { by, obstacle });
  const order = await parseOrder(kind, row);
  if (order === null) return turnMakerAway(tx, row, { by, obstacle: edited });
  const actor = await actorNow(tx, { staffId: by, tenant }, kind.permission);
  if (actor === null)
    return turnMakerAway(tx, row, { by, obstacle: { kind: "conflict", code: "maker-lost-right", endsAs: "FAILED" } });
  const taken = await transition(tx, row, { from: "READY", to: "AUTHORISED", set: { owner: instanceId() } });
  if (taken === null) return { obstacle: { kind: "conflict", code: "approval-under-way" } };
  await announce(tx, taken, { by, code: "approval.execute", outcome: "INTENT" });
  return { row: taken, actor, order };
}

const codeOf = (reason: unknown) =>
  reason instanceof AppError ? (reason.details.code ?? reason.kind) : "not-carried-out";

/** Throws what refused it; its maker may try again. */
async function finish(store: Db, row: Approval, failure: { error: unknown } | null): Promise<Concluded> {
  const by = row.makerId;
  const { end } = await endOf(store, row);
  if (end !== null && (end.state !== "FAILED" || failure === null || end.code === "intent-reused")) {
    const { state, code } = await conclude(store, row, { ...end, by });
    return { state, code };
  }
  if (failure === null) return row;
  await returnToMaker(store, row, { code: codeOf(failure.error), by });
  throw failure.error;
}

/** Once. Returns EXECUTED, HELD or UNKNOWN; a failure without effect throws as the verb and leaves it READY. */
export async function complete<P extends Permission, Order extends Ordered, Completion, Done>(
  kind: MakerKind<P, Order, Completion, Done>,
  maker: Actor<P>,
  { approvalId, completion }: Which & { completion: Completion },
): Promise<Concluded> {
  const store = await db();
  const begun = await store.transaction((tx) => begin(tx, kind, { maker, approvalId }));
  if ("obstacle" in begun) throw new AppError(begun.obstacle.kind, { code: begun.obstacle.code });
  const { row, actor, order } = begun;
  const failure = await kind.perform(actor, order, { completion, approvalId }).then(
    () => null,
    (error: unknown) => ({ error }),
  );
  return finish(store, row, failure);
}

export async function expireOverdue(tenant: string, by: string): Promise<void> {
  const store = await db();
  const isOverdue = lte(approval.expiresAt, sql`clock_timestamp()`);
  const overdue = await store
    .select({ id: approval.id, from: approval.state })
    .from(approval)
    .where(and(eq(approval.tenant, tenant), inArray(approval.state, ["PENDING", "READY"]), isOverdue));
  for (const { id, from } of overdue) {
    await store.transaction(async (tx) => {
      const moved = await transition(tx, { tenant, id }, { from, to: "EXPIRED" });
      if (moved !== null) await announce(tx, moved, { by, code: "approval.expire", outcome: "DONE" });
    });
  }
}

type Approver = Actor<"approvals:authorize" | "staff:manage">;

export type Concluded = { state: ApprovalState; code: string | null };

type Obstacle = { kind: ErrorKind; code: string; endsAs?: "REFUSED" | "EXPIRED" };

async function obstacleToAnyone(tx: Tx, row: Approval, approver: Approver): Promise<Obstacle | null> {
  if (row.state !== "PENDING") return { kind: "conflict", code: "approval-ended" };
  if (row.makerId === approver.id) return { kind: "forbidden", code: "approval-own" };
  const { id: staffId, tenant } = approver;
  const needed = decidingPermission(row.kind);
  const mayDecide = approver.permission === needed && (await actorNow(tx, { staffId, tenant }, needed)) !== null;
  if (!mayDecide) return { kind: "forbidden", code: needed };
  if (row.expiresAt <= (await storeNow(tx))) return { kind: "conflict", code: "approval-expired", endsAs: "EXPIRED" };
  return null;
}

type Deciding = {
  approver: Approver;
  approvalId: string;
  verdict: "AUTHORISED" | "REFUSED";
  reason: string | null;
  kinds?: readonly KnownKind[];
};

async function obstacleToExecution(tx: Tx, row: Approval, { approver, kinds }: Deciding): Promise<Obstacle | null> {
  const kind = kinds?.find(({ name }) => name === row.kind);
  const denial = await kind?.deniedReason?.(tx, { staffId: row.makerId, tenant: row.tenant }, approver.id);
  if (typeof denial === "string") return { kind: "forbidden", code: denial };
  if ((await readSnapshot(row)) === null) return { kind: "conflict", code: "approval-edited", endsAs: "REFUSED" };
  const { makerId: staffId, tenant, permission } = row;
  const maker = await actorNow(tx, { staffId, tenant }, permission);
  return maker === null ? { kind: "conflict", code: "maker-lost-right", endsAs: "REFUSED" } : null;
}

async function turnAway(tx: Tx, row: Approval, { by, tried, obstacle }: { by: string; tried: AuditCode } & Refused) {
  const { code, endsAs } = obstacle;
  const ended = endsAs && (await transition(tx, row, { from: "PENDING", to: endsAs, set: { code } }));
  await announce(tx, ended ?? row, { by, code: tried, outcome: "REFUSED", detail: { why: code } });
}

type Refused = { obstacle: Obstacle };
type Moved = { moved: Approval };

const CODES = { AUTHORISED: "approval.authorise", REFUSED: "approval.refuse" } as const;

async function decideIn(tx: Tx, deciding: Deciding): Promise<Moved | Refused> {
  const { approver, approvalId, verdict, reason } = deciding;
  const row = await holdApproval(tx, { tenant: approver.tenant, id: approvalId });
  if (row === null) return { obstacle: { kind: "not-found", code: "approval" } };
  const by = approver.id;
  const obstacle =
    (await obstacleToAnyone(tx, row, approver)) ??
    (verdict === "AUTHORISED" ? await obstacleToExecution(tx, row, deciding) : null);
  if (obstacle !== null) {
    await turnAway(tx, row, { by, tried: CODES[verdict], obstacle });
    return { obstacle };
  }
  const decisionSealed = sealDecision(row, { deciderId: by, verdict, reason });
  const to = verdict === "AUTHORISED" && isCompletedByMaker(row.kind) ? "READY" : verdict;
  const set = { deciderId: by, decisionSealed, ...(to === "AUTHORISED" && { owner: instanceId() }) };
  const moved = await transition(tx, row, { from: "PENDING", to, set });
  if (moved === null) return { obstacle: { kind: "conflict", code: "approval-ended" } };
  await announce(tx, moved, { by, code: CODES[verdict], outcome: "DONE" });
  return { moved };
}

async function decide(deciding: Deciding): Promise<Approval> {
  const store = await db();
  const outcome = await store.transaction((tx) => decideIn(tx, deciding));
  if ("moved" in outcome) return outcome.moved;
  const { kind, code } = outcome.obstacle;
  throw new AppError(kind, { code });
}

/** `execute` carries it out, here or after a restart. */
export const agree = (approver: Approver, approvalId: string, kinds?: readonly KnownKind[]): Promise<Approval> =>
  decide({ approver, approvalId, verdict: "AUTHORISED", reason: null, ...(kinds && { kinds }) });

/** Once. READY: its maker completes it. Throws forbidden `approval-own`, conflict `approval-…` and not-found. */
export async function authorise(
  kinds: readonly KnownKind[],
  approver: Approver,
  { approvalId }: { approvalId: string },
): Promise<Concluded> {
  const agreed = await agree(approver, approvalId, kinds);
  const { state, code } = agreed.state === "READY" ? agreed : await execute(kinds, agreed, approver.id);
  return { state, code };
}

export async function refuse(
  approver: Approver,
  { approvalId, reason }: { approvalId: string; reason: string },
): Promise<Concluded> {
  const { state, code } = await decide({ approver, approvalId, verdict: "REFUSED", reason });
  return { state, code };
}

/** Throws forbidden `approval-not-yours` and conflict `approval-ended`. */
export async function withdraw(
  actor: Actor<"approvals:read">,
  { approvalId }: { approvalId: string },
): Promise<Concluded> {
  const { tenant, id: by } = actor;
  return (await db()).transaction(async (tx) => {
    const row = await holdApproval(tx, { tenant, id: approvalId });
    if (row === null) throw new AppError("not-found", { code: "approval" });
    if (row.makerId !== by) throw new AppError("forbidden", { code: "approval-not-yours" });
    const { state: from } = row;
    const isOpen = from === "PENDING" || from === "READY";
    const moved = isOpen ? await transition(tx, row, { from, to: "WITHDRAWN" }) : null;
    if (moved === null) throw new AppError("conflict", { code: "approval-ended" });
    await announce(tx, moved, { by, code: "approval.withdraw", outcome: "DONE" });
    return { state: moved.state, code: moved.code };
  });
}
