import { type ApprovalState, decidingPermission, isCompletedByMaker } from "@/lib/approval-terms";
import type { AuditCode } from "@/lib/audit/codes";
import { actorNow } from "@/lib/auth/actor-now";
import type { Actor } from "@/lib/auth/grant";
import { BankError } from "@/lib/bank/error";
import type { ErrorKind } from "@/lib/result";
import { instanceId } from "@/lib/store/lease";
import { storeNow } from "@/lib/store/clock";
import { db, type Tx } from "@/lib/store/store";
import type { KnownKind } from "./approval-kind";
import { execute } from "./execute";
import { type Approval, readFrozen, sealDecision } from "./frozen";
import { holdApproval, moveOn, tell } from "./row";

type Approver = Actor<"approvals:authorize" | "staff:manage">;

/** What became of it, for whoever pressed the button. */
export type Concluded = { state: ApprovalState; code: string | null };

/** Why it may not be decided; `endsAs` when that is its end, too. */
type Obstacle = { kind: ErrorKind; code: string; endsAs?: "REFUSED" | "EXPIRED" };

/** What speaks against anybody's deciding about it. */
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

/** What speaks against its being carried out, and by this person's word. */
async function obstacleToExecution(tx: Tx, row: Approval, { approver, kinds }: Deciding): Promise<Obstacle | null> {
  const kind = kinds?.find(({ name }) => name === row.kind);
  const denial = await kind?.denialOf?.(tx, { staffId: row.makerId, tenant: row.tenant }, approver.id);
  if (typeof denial === "string") return { kind: "forbidden", code: denial };
  if ((await readFrozen(row)) === null) return { kind: "conflict", code: "approval-edited", endsAs: "REFUSED" };
  const { makerId: staffId, tenant, permission } = row;
  const maker = await actorNow(tx, { staffId, tenant }, permission);
  return maker === null ? { kind: "conflict", code: "maker-lost-right", endsAs: "REFUSED" } : null;
}

/** What stood in the way is on record; where it is the end, that is written with it. */
async function turnAway(tx: Tx, row: Approval, { by, tried, obstacle }: { by: string; tried: AuditCode } & Refused) {
  const { code, endsAs } = obstacle;
  const ended = endsAs && (await moveOn(tx, row, { from: "PENDING", to: endsAs, set: { code } }));
  await tell(tx, ended ?? row, { by, code: tried, outcome: "REFUSED", detail: { why: code } });
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
  const moved = await moveOn(tx, row, { from: "PENDING", to, set });
  if (moved === null) return { obstacle: { kind: "conflict", code: "approval-ended" } };
  await tell(tx, moved, { by, code: CODES[verdict], outcome: "DONE" });
  return { moved };
}

async function decide(deciding: Deciding): Promise<Approval> {
  const store = await db();
  const outcome = await store.transaction((tx) => decideIn(tx, deciding));
  if ("moved" in outcome) return outcome.moved;
  const { kind, code } = outcome.obstacle;
  throw new BankError(kind, { code });
}

/** Puts the authorisation on record and carries nothing out: `execute` does, here or after a restart. */
export const agree = (approver: Approver, approvalId: string, kinds?: readonly KnownKind[]): Promise<Approval> =>
  decide({ approver, approvalId, verdict: "AUTHORISED", reason: null, ...(kinds && { kinds }) });

/**
 * Authorises what somebody else proposed and carries it out, once. Answers what became of it: EXECUTED, HELD, FAILED with
 * its code, or UNKNOWN; READY when its maker is to complete it. Throws forbidden `approval-own`; conflict `approval-ended`, `approval-expired`, `approval-edited`
 * and `maker-lost-right`, of which the last three end it; not-found.
 */
export async function authorise(
  kinds: readonly KnownKind[],
  approver: Approver,
  { approvalId }: { approvalId: string },
): Promise<Concluded> {
  const agreed = await agree(approver, approvalId, kinds);
  const { state, code } = agreed.state === "READY" ? agreed : await execute(kinds, agreed, approver.id);
  return { state, code };
}

/** Refuses what somebody else proposed, with the reason that its maker reads. Throws as `authorise` does. */
export async function refuse(
  approver: Approver,
  { approvalId, reason }: { approvalId: string; reason: string },
): Promise<Concluded> {
  const { state, code } = await decide({ approver, approvalId, verdict: "REFUSED", reason });
  return { state, code };
}

/** Takes one's own proposal back while nobody carries it out. Throws forbidden `approval-not-yours` and conflict `approval-ended`. */
export async function withdraw(
  actor: Actor<"approvals:read">,
  { approvalId }: { approvalId: string },
): Promise<Concluded> {
  const { tenant, id: by } = actor;
  return (await db()).transaction(async (tx) => {
    const row = await holdApproval(tx, { tenant, id: approvalId });
    if (row === null) throw new BankError("not-found", { code: "approval" });
    if (row.makerId !== by) throw new BankError("forbidden", { code: "approval-not-yours" });
    const { state: from } = row;
    const isOpen = from === "PENDING" || from === "READY";
    const moved = isOpen ? await moveOn(tx, row, { from, to: "WITHDRAWN" }) : null;
    if (moved === null) throw new BankError("conflict", { code: "approval-ended" });
    await tell(tx, moved, { by, code: "approval.withdraw", outcome: "DONE" });
    return { state: moved.state, code: moved.code };
  });
}
