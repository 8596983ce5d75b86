import { and, eq, sql } from "drizzle-orm";
import type { ApprovalState } from "./view";
import type { AuditCode } from "@/lib/audit/codes";
import { record } from "@/lib/audit/record";
import { publish } from "@/lib/live/publish";
import type { AuditOutcome } from "@/lib/store/schema";
import type { Db, Tx } from "@/lib/store/store";
import type { Approval } from "./frozen";
import { approval } from "./schema";

export type ApprovalId = Pick<Approval, "tenant" | "id">;

export const named = ({ tenant, id }: ApprovalId) => and(eq(approval.tenant, tenant), eq(approval.id, id));

export async function findApproval(store: Db | Tx, which: ApprovalId): Promise<Approval | null> {
  const [row] = await store.select().from(approval).where(named(which));
  return row ?? null;
}

/** Locked until the transaction ends. */
export async function holdApproval(tx: Tx, which: ApprovalId): Promise<Approval | null> {
  const [row] = await tx.select().from(approval).where(named(which)).for("update");
  return row ?? null;
}

type Move = {
  from: ApprovalState;
  to: ApprovalState;
  set?: Partial<Pick<Approval, "deciderId" | "decisionSealed" | "owner" | "code">>;
};

type Told = { by: string; code: AuditCode; outcome: AuditOutcome; detail?: Record<string, string | number | null> };

const now = sql`clock_timestamp()`;
/** Longer than carrying it out can take. */
export const executingUntil = sql`clock_timestamp() + interval '90 seconds'`;

const handsOf = (to: ApprovalState) => {
  if (to === "AUTHORISED") return { executingUntil };
  return to === "READY" ? { owner: null, executingUntil: null } : { endedAt: now };
};

export async function moveOn(tx: Tx, which: ApprovalId, { from, to, set = {} }: Move): Promise<Approval | null> {
  const [moved] = await tx
    .update(approval)
    .set({
      ...set,
      state: to,
      ...(set.deciderId !== undefined && { decidedAt: now }),
      ...handsOf(to),
    })
    .where(and(named(which), eq(approval.state, from)))
    .returning();
  return moved ?? null;
}

export async function tell(tx: Tx, row: Approval, { by, code, outcome, detail = {} }: Told): Promise<void> {
  const { tenant, id, intentId, kind, object, makerId, bodyHash } = row;
  await publish(tx, { tenant, topic: "approvals", object: id });
  const about = { kind, about: object, maker: makerId, bodyHash };
  const what = { code, object: `approval:${id}`, intentId, detail: { ...about, ...detail } };
  await record(tx, { tenant, actor: by, outcome, ...what });
}
