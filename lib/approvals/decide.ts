import { approvalCan } from "./can";
import type { AuditCode } from "@/lib/audit/codes";
import { actorNow } from "@/lib/auth/actor-now";
import type { Actor } from "@/lib/permission/grant";
import { AppError } from "@/lib/errors/app-error";
import type { ErrorKind } from "@/lib/errors/result";
import { storeNow } from "@/lib/db/clock";
import { instanceId } from "@/lib/db/lease";
import { db, type Tx } from "@/lib/db/connection";
import { independentAdmins } from "@/lib/auth/roster";
import type { ApprovableWrite } from "./define-write";
import { type Approval, readSnapshot, sealDecision } from "./snapshot";
import { holdApproval, transition, announce } from "./records";
import { decidingPermission, isCompletedByMaker } from "./view";
import { execute, type Concluded } from "./execute";

type Approver = Actor<"approvals:authorize" | "staff:manage">;

type Obstacle = { kind: ErrorKind; code: string; endsAs?: "REFUSED" | "EXPIRED" };

async function obstacleToAnyone(tx: Tx, row: Approval, approver: Approver): Promise<Obstacle | null> {
  const denial = approvalCan.decide({ state: row.state, isMine: row.makerId === approver.id });
  if (denial !== null) return denial;
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
};

/** Two administrators must not have invited each other. */
const isIndependent = async (tx: Tx, { makerId: staffId, tenant, kind }: Approval, approver: Approver) =>
  decidingPermission(kind) !== "staff:manage" ||
  (await independentAdmins(tx, { staffId, tenant })).includes(approver.id);

async function obstacleToExecution(tx: Tx, row: Approval, approver: Approver): Promise<Obstacle | null> {
  if (!(await isIndependent(tx, row, approver))) return { kind: "forbidden", code: "admin-not-independent" };
  if ((await readSnapshot(row)) === null) return { kind: "conflict", code: "approval-edited", endsAs: "REFUSED" };
  const { makerId: staffId, tenant, permission } = row;
  const maker = await actorNow(tx, { staffId, tenant }, permission);
  return maker === null ? { kind: "conflict", code: "maker-lost-right", endsAs: "REFUSED" } : null;
}

async function turnAway(tx: Tx, row: Approval, { by, tried, obstacle }: { by: string; tried: AuditCode } & Denial) {
  const { code, endsAs } = obstacle;
  const ended = endsAs && (await transition(tx, row, { from: "PENDING", to: endsAs, set: { code } }));
  await announce(tx, ended ?? row, { by, code: tried, outcome: "REFUSED", detail: { why: code } });
}

type Denial = { obstacle: Obstacle };
type Decided = { moved: Approval };

const CODES = { AUTHORISED: "approval.authorise", REFUSED: "approval.refuse" } as const;

async function decideIn(tx: Tx, deciding: Deciding): Promise<Decided | Denial> {
  const { approver, approvalId, verdict, reason } = deciding;
  const row = await holdApproval(tx, { tenant: approver.tenant, id: approvalId });
  if (row === null) return { obstacle: { kind: "not-found", code: "approval" } };
  const by = approver.id;
  const obstacle =
    (await obstacleToAnyone(tx, row, approver)) ??
    (verdict === "AUTHORISED" ? await obstacleToExecution(tx, row, approver) : null);
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

/** `execute` runs the write, here or after a restart. */
export const agree = (approver: Approver, approvalId: string): Promise<Approval> =>
  decide({ approver, approvalId, verdict: "AUTHORISED", reason: null });

/** Once. READY: its maker completes it. Throws forbidden `approval-own`, conflict `approval-…` and not-found. */
export async function authorise(
  writes: readonly ApprovableWrite[],
  approver: Approver,
  { approvalId }: { approvalId: string },
): Promise<Concluded> {
  const agreed = await agree(approver, approvalId);
  const { state, code } = agreed.state === "READY" ? agreed : await execute(writes, agreed, approver.id);
  return { state, code };
}

export async function refuseRequest(
  approver: Approver,
  { approvalId, reason }: { approvalId: string; reason: string },
): Promise<Concluded> {
  const { state, code } = await decide({ approver, approvalId, verdict: "REFUSED", reason });
  return { state, code };
}
