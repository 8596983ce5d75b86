import { and, eq, lt, ne, or, sql } from "drizzle-orm";
import { type ApprovalState, isCompletedByMaker } from "@/lib/approval-terms";
import { BankError } from "@/lib/bank/error";
import type { Intent } from "@/lib/bank/intent-kind";
import { findIntent } from "@/lib/bank/intent-record";
import { bankIntent, type IntentState } from "@/lib/bank/intent-schema";
import { env } from "@/lib/env";
import type { AuditOutcome } from "@/lib/store/schema";
import { instanceId } from "@/lib/store/lease";
import { storeNow } from "@/lib/store/clock";
import { isHashOf } from "@/lib/store/seal";
import { type Db, db, type Tx } from "@/lib/store/store";
import type { KnownKind, Thawed } from "./approval-kind";
import { type Approval, readDecision, readFrozen } from "./frozen";
import { executingUntil, holdApproval, moveOn, named, tell } from "./row";
import { approval } from "./schema";

/** What became of an authorised proposal. */
export type End = { state: Extract<ApprovalState, "EXECUTED" | "HELD" | "FAILED" | "UNKNOWN">; code: string | null };

/** On record for what nobody was asked. */
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

/** What its intent says of it; null while that is being sent, or was never opened. */
export async function endOf(store: Db, row: Approval): Promise<{ intent: Intent | null; end: End | null }> {
  const intent = await findIntent(store, { tenant: row.tenant, id: row.intentId });
  if (intent === null) return { intent, end: null };
  const frozen = await readFrozen(row);
  const isOurs = intent.bodyHash === row.bodyHash || (frozen !== null && isHashOf(intent.bodyHash, frozen.bytes));
  return { intent, end: isOurs ? known(intent) : failed("intent-reused") };
}

/** Reads the order again and holds it against what was authorised. */
async function thaw(kinds: readonly KnownKind[], row: Approval): Promise<Thawed | string> {
  const [frozen, decision] = [await readFrozen(row), await readDecision(row)];
  const isAuthorised = decision?.verdict === "AUTHORISED" && decision.deciderId !== row.makerId;
  if (frozen === null || !isAuthorised) return "approval-edited";
  const kind = kinds.find(({ name }) => name === row.kind);
  if (kind === undefined) return "approval-kind";
  const [thawed] = await Promise.allSettled([Promise.resolve(frozen.order).then((order) => kind.thaw(order))]);
  // Another release may read the same order otherwise.
  return thawed.status === "fulfilled" && thawed.value.bytes === frozen.bytes ? thawed.value : "intent-bytes";
}

type Sent = Extract<Thawed, { performAs: unknown }>;
type Applied = Extract<Thawed, { applyAs: unknown }>;

/** Null when it is being sent elsewhere: whoever comes by later writes its end. */
async function perform(store: Db, row: Approval, { performAs }: Sent): Promise<End | null> {
  const { tenant, makerId: staffId } = row;
  const [performed] = await Promise.allSettled([performAs({ staffId, tenant })]);
  if (performed.status === "fulfilled" && !performed.value) return failed("maker-lost-right");
  const { intent, end } = await endOf(store, row);
  if (intent !== null) return end;
  if (performed.status === "rejected" && performed.reason instanceof BankError) {
    return failed(performed.reason.details.code ?? performed.reason.kind);
  }
  // Nothing was sent: the next sweep takes it up.
  throw performed.status === "rejected" ? performed.reason : new Error(`approval ${row.id} has no intent`);
}

type Concluding = End & { by: string };

async function concludeIn(tx: Tx, row: Approval, { state, code, by }: Concluding): Promise<Approval | null> {
  const ended = await moveOn(tx, row, { from: row.state, to: state, set: { code } });
  if (ended === null) return null;
  const detail = { authorisedBy: row.deciderId, code };
  await tell(tx, ended, { by, code: "approval.execute", outcome: OUTCOMES[state], detail });
  return ended;
}

/** `by` is who found out. */
export const conclude = async (store: Db, row: Approval, end: Concluding): Promise<Approval> =>
  store.transaction(async (tx) => (await concludeIn(tx, row, end)) ?? row);

/** The change and the end of its proposal are one transaction: whoever dies in between leaves neither. */
async function apply(store: Db, row: Approval, { thawed, by }: { thawed: Applied; by: string }): Promise<Approval> {
  const { tenant, makerId: staffId } = row;
  const [applied] = await Promise.allSettled([
    store.transaction(async (tx) => {
      const held = await holdApproval(tx, row);
      if (held?.state !== "AUTHORISED") return held ?? row;
      const isDone = await thawed.applyAs(tx, { staffId, tenant });
      const end: End = isDone ? { state: "EXECUTED", code: null } : failed("maker-lost-right");
      return (await concludeIn(tx, held, { ...end, by })) ?? held;
    }),
  ]);
  if (applied.status === "fulfilled") return applied.value;
  const { reason } = applied;
  if (!(reason instanceof BankError)) throw reason;
  return conclude(store, row, { ...failed(reason.details.code ?? reason.kind), by });
}

/**
 * Carries out what was authorised, as its maker and under its own intent, and keeps what became of it. Called by whoever
 * moved it to AUTHORISED, or claimed it after its executor died.
 */
export async function execute(kinds: readonly KnownKind[], row: Approval, by: string): Promise<Approval> {
  const store = await db();
  const thawed = await thaw(kinds, row);
  if (typeof thawed !== "string" && "applyAs" in thawed) return apply(store, row, { thawed, by });
  const end = typeof thawed === "string" ? failed(thawed) : await perform(store, row, thawed);
  return end === null ? row : conclude(store, row, { ...end, by });
}

/** The executor died: not of this instance where that is alone, or silent for longer than it can take. */
function isAbandoned() {
  const isForeign = env().databaseUrl === null ? ne(approval.owner, instanceId()) : sql`false`;
  return or(lt(approval.executingUntil, sql`clock_timestamp()`), isForeign);
}

/**
 * Gives what its maker was completing back to them, for another try until its time is over: its intent is certain to have had
 * no effect. On record with why; null when somebody else was there first.
 */
export function standBack(store: Db, row: Approval, { code, by }: { code: string; by: string }) {
  return store.transaction(async (tx) => {
    const ready = await moveOn(tx, row, { from: "AUTHORISED", to: "READY" });
    if (ready !== null) await tell(tx, ready, { by, code: "approval.execute", outcome: "REFUSED", detail: { code } });
    return ready;
  });
}

/** Takes it over for this instance; null when somebody else did, or its executor lives. */
async function claim(store: Db, row: Approval): Promise<Approval | null> {
  const [claimed] = await store
    .update(approval)
    .set({ owner: instanceId(), executingUntil })
    .where(and(named(row), eq(approval.state, "AUTHORISED"), isAbandoned()))
    .returning();
  return claimed ?? null;
}

async function isOverdue(store: Db, row: Approval): Promise<boolean> {
  return row.expiresAt <= (await storeNow(store));
}

/** What is left of an authorised proposal whose executor died: its intent says how far that came. */
async function takeUp(store: Db, kinds: readonly KnownKind[], row: Approval): Promise<void> {
  const claimed = await claim(store, row);
  if (claimed === null) return;
  const { intent, end } = await endOf(store, claimed);
  const isUnsent = intent === null || (intent.state === "REFUSED" && intent.code === "never-sent");
  // What was meant for one day is not done on another one because a machine was down.
  if (isUnsent && (await isOverdue(store, claimed)))
    await conclude(store, claimed, { ...failed("approval-expired"), by: WATCH });
  else if (isCompletedByMaker(claimed.kind) && (isUnsent || end?.state === "FAILED"))
    await standBack(store, claimed, { code: end?.code ?? "never-sent", by: WATCH });
  else if (isUnsent) await execute(kinds, claimed, WATCH);
  else if (end !== null) await conclude(store, claimed, { ...end, by: WATCH });
}

/** Takes up what died between authorisation and its end. One after the other: they are few. */
export async function recoverAuthorised(kinds: readonly KnownKind[], tenant: string): Promise<void> {
  const store = await db();
  const abandoned = await store
    .select()
    .from(approval)
    .where(and(eq(approval.tenant, tenant), eq(approval.state, "AUTHORISED"), isAbandoned()));
  const taken: PromiseSettledResult<void>[] = [];
  for (const row of abandoned) taken.push(...(await Promise.allSettled([takeUp(store, kinds, row)])));
  // One that cannot be carried out keeps none of the others waiting; the sweep still says that it failed.
  const failure = taken.find(({ status }) => status === "rejected");
  if (failure?.status === "rejected") throw failure.reason;
}

/** Writes down what became known of those that were held or not known, and what a person said anew of those that had ended. */
export async function followIntents(tenant: string): Promise<void> {
  const store = await db();
  const isOpen = or(eq(approval.state, "UNKNOWN"), eq(approval.state, "HELD"));
  const isSaidAnew = sql`exists (select 1 from ${bankIntent} where ${bankIntent.tenant} = ${approval.tenant}
    and ${bankIntent.id} = ${approval.intentId} and ${bankIntent.endedBy} is not null and (
      ${approval.state} = 'EXECUTED' and ${bankIntent.state} = 'REFUSED' or ${approval.state} = 'FAILED' and ${bankIntent.state} = 'DONE'))`;
  const rows = await store
    .select()
    .from(approval)
    .where(and(eq(approval.tenant, tenant), or(isOpen, isSaidAnew)));
  for (const row of rows) {
    const { end } = await endOf(store, row);
    if (end !== null && end.state !== row.state) await conclude(store, row, { ...end, by: WATCH });
  }
}
