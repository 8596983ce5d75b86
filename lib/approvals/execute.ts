import { watchId } from "@/lib/permission/watches";
import { and, eq, lt, ne, or, sql } from "drizzle-orm";
import { ZodError } from "zod";
import { AppError } from "@/lib/errors/app-error";
import { findIntent, type Intent } from "@/lib/provider/intents/intent-record";
import { providerIntent, type IntentState } from "@/lib/db/tables/provider";
import { env } from "@/lib/settings/env";
import { storeNow } from "@/lib/db/clock";
import { instanceId } from "@/lib/db/lease";
import type { AuditOutcome } from "@/lib/db/tables/audit";
import { isHashOf } from "@/lib/db/seal";
import { db, type Db, type Tx } from "@/lib/db/connection";
import type { ApprovableWrite, ParsedOrder } from "./define-write";
import { type Approval, readDecision, readSnapshot } from "./snapshot";
import { executingUntil, holdApproval, transition, isApproval, announce } from "./records";
import { approval } from "@/lib/db/tables/approvals";
import { isCompletedByMaker } from "./view";
import type { ApprovalState } from "@/lib/db/enums/approvals";

type End = { state: Extract<ApprovalState, "EXECUTED" | "HELD" | "FAILED" | "UNKNOWN">; code: string | null };

export const WATCH = watchId("approvals");

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

/** The end is null while the write is in flight, and for one that never began. */
export async function requestEnd(store: Db, row: Approval): Promise<{ intent: Intent | null; end: End | null }> {
  const intent = await findIntent(store, { tenant: row.tenant, id: row.intentId });
  if (intent === null) return { intent, end: null };
  const snapshot = await readSnapshot(row);
  const isOurs = intent.bodyHash === row.bodyHash || (snapshot !== null && isHashOf(intent.bodyHash, snapshot.bytes));
  return { intent, end: isOurs ? known(intent) : failed("intent-reused") };
}

/** Returns null for an order that does not parse, which another version may have stored. */
export function parseOrNull<Parsed>(parse: () => Parsed): Parsed | null {
  try {
    return parse();
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof ZodError) return null;
    throw error;
  }
}

async function parseAuthorised(writes: readonly ApprovableWrite[], row: Approval): Promise<ParsedOrder | string> {
  const snapshot = await readSnapshot(row);
  const decision = await readDecision(row);
  const isAuthorised = decision?.verdict === "AUTHORISED" && decision.deciderId !== row.makerId;
  if (snapshot === null || !isAuthorised) return "approval-edited";
  const write = writes.find(({ name }) => name === row.kind);
  if (write === undefined) return "approval-kind";
  const parsed = parseOrNull(() => write.parse(snapshot.order));
  // Another version may read the same order differently.
  return parsed?.bytes === snapshot.bytes ? parsed : "intent-bytes";
}

type SentOrder = Extract<ParsedOrder, { sendAs: unknown }>;
type AppliedOrder = Extract<ParsedOrder, { applyAs: unknown }>;

/** Returns null when another process is sending it and will record its end. */
async function perform(store: Db, row: Approval, { sendAs }: SentOrder): Promise<End | null> {
  const { tenant, makerId: staffId } = row;
  try {
    if (!(await sendAs({ staffId, tenant }, row.id))) return failed("maker-lost-right");
  } catch (error) {
    const { intent, end } = await requestEnd(store, row);
    if (intent !== null) return end;
    if (error instanceof AppError) return failed(error.details.code ?? error.kind);
    throw error;
  }
  const { intent, end } = await requestEnd(store, row);
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

export const conclude = async (store: Db, row: Approval, end: Concluding): Promise<Approval> =>
  store.transaction(async (tx) => (await concludeIn(tx, row, end)) ?? row);

/** One transaction for the change and the end of its proposal. */
async function apply(
  store: Db,
  row: Approval,
  { parsed, by }: { parsed: AppliedOrder; by: string },
): Promise<Approval> {
  const { tenant, makerId: staffId } = row;
  try {
    return await store.transaction(async (tx) => {
      const held = await holdApproval(tx, row);
      if (held?.state !== "AUTHORISED") return held ?? row;
      const isDone = await parsed.applyAs(tx, { staffId, tenant }, held.id);
      const end: End = isDone ? { state: "EXECUTED", code: null } : failed("maker-lost-right");
      return (await concludeIn(tx, held, { ...end, by })) ?? held;
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return conclude(store, row, { ...failed(error.details.code ?? error.kind), by });
  }
}

/** Acts as the maker under the request's own intent; called by whoever moved it to AUTHORISED or claimed it. */
export async function execute(writes: readonly ApprovableWrite[], row: Approval, by: string): Promise<Approval> {
  const store = await db();
  const parsed = await parseAuthorised(writes, row);
  if (typeof parsed !== "string" && "applyAs" in parsed) return apply(store, row, { parsed, by });
  const end = typeof parsed === "string" ? failed(parsed) : await perform(store, row, parsed);
  return end === null ? row : conclude(store, row, { ...end, by });
}

/** Owner is another process (embedded database only), or its lease expired. */
function isAbandoned() {
  const isForeign = env().databaseUrl === null ? ne(approval.owner, instanceId()) : sql`false`;
  return or(lt(approval.executingUntil, sql`clock_timestamp()`), isForeign);
}

/** Its intent certainly had no effect, so its maker may try again. Null when another process was first. */
export function returnToMaker(store: Db, row: Approval, { code, by }: { code: string; by: string }) {
  return store.transaction(async (tx) => {
    const ready = await transition(tx, row, { from: "AUTHORISED", to: "READY" });
    if (ready !== null)
      await announce(tx, ready, { by, code: "approval.execute", outcome: "REFUSED", detail: { code } });
    return ready;
  });
}

async function claim(store: Db, row: Approval): Promise<Approval | null> {
  const [claimed] = await store
    .update(approval)
    .set({ owner: instanceId(), executingUntil })
    .where(and(isApproval(row), eq(approval.state, "AUTHORISED"), isAbandoned()))
    .returning();
  return claimed ?? null;
}

async function isSendingOverdue(store: Db, row: Approval): Promise<boolean> {
  return row.expiresAt <= (await storeNow(store));
}

async function resumeAbandoned(store: Db, writes: readonly ApprovableWrite[], row: Approval): Promise<void> {
  const claimed = await claim(store, row);
  if (claimed === null) return;
  const { intent, end } = await requestEnd(store, claimed);
  const isUnsent = intent === null || (intent.state === "REFUSED" && intent.code === "never-sent");
  // An order meant for one day must not run later because a machine was down.
  if (isUnsent && (await isSendingOverdue(store, claimed)))
    await conclude(store, claimed, { ...failed("approval-expired"), by: WATCH });
  else if (isCompletedByMaker(claimed.kind) && (isUnsent || end?.state === "FAILED"))
    await returnToMaker(store, claimed, { code: end?.code ?? "never-sent", by: WATCH });
  else if (isUnsent) await execute(writes, claimed, WATCH);
  else if (end !== null) await conclude(store, claimed, { ...end, by: WATCH });
}

export async function recoverAuthorised(writes: readonly ApprovableWrite[], tenant: string): Promise<void> {
  const store = await db();
  const abandoned = await store
    .select()
    .from(approval)
    .where(and(eq(approval.tenant, tenant), eq(approval.state, "AUTHORISED"), isAbandoned()));
  const failures: unknown[] = [];
  for (const row of abandoned)
    await resumeAbandoned(store, writes, row).catch((error: unknown) => failures.push(error));
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
    const { end } = await requestEnd(store, row);
    if (end !== null && end.state !== row.state) await conclude(store, row, { ...end, by: WATCH });
  }
}

export type Concluded = { state: ApprovalState; code: string | null };
