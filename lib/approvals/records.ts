import type { ApprovalKindName } from "@/lib/permission/writes";
import { sql, and, eq, inArray } from "drizzle-orm";
import { OPEN_STATES } from "./view";
import type { ApprovalState } from "@/lib/db/enums/approvals";
import type { Db, Tx } from "@/lib/db/connection";
import type { Approval } from "./snapshot";
import { approval } from "@/lib/db/tables/approvals";
import type { AuditCode } from "@/lib/audit/codes";
import { record } from "@/lib/audit/record";
import { publish } from "@/lib/db/publish";
import { queueMail } from "@/lib/mail/outbox";
import { findIntent } from "@/lib/provider/intents/intent-record";
import type { MailSubject } from "@/lib/db/enums/mail";
import { staff } from "@/lib/db/tables/staff";
import type { AuditOutcome } from "@/lib/db/tables/audit";

export type ApprovalId = Pick<Approval, "tenant" | "id">;

export const isApproval = ({ tenant, id }: ApprovalId) => and(eq(approval.tenant, tenant), eq(approval.id, id));

export async function findApproval(store: Db | Tx, which: ApprovalId): Promise<Approval | null> {
  const [row] = await store.select().from(approval).where(isApproval(which));
  return row ?? null;
}

export async function holdApproval(tx: Tx, which: ApprovalId): Promise<Approval | null> {
  const [row] = await tx.select().from(approval).where(isApproval(which)).for("update");
  return row ?? null;
}

type Move = {
  from: ApprovalState;
  to: ApprovalState;
  set?: Partial<Pick<Approval, "deciderId" | "decisionSealed" | "owner" | "code">>;
};

type ApprovalEvent = {
  by: string;
  code: AuditCode;
  outcome: AuditOutcome;
  detail?: Record<string, string | number | null>;
};

const now = sql`clock_timestamp()`;
/** Longer than any execution. */
export const executingUntil = sql`clock_timestamp() + interval '90 seconds'`;

const handsOf = (to: ApprovalState) => {
  if (to === "AUTHORISED") return { executingUntil };
  return to === "READY" ? { owner: null, executingUntil: null } : { endedAt: now };
};

export async function transition(tx: Tx, which: ApprovalId, { from, to, set = {} }: Move): Promise<Approval | null> {
  const [moved] = await tx
    .update(approval)
    .set({
      ...set,
      state: to,
      ...(set.deciderId !== undefined && { decidedAt: now }),
      ...handsOf(to),
    })
    .where(and(isApproval(which), eq(approval.state, from)))
    .returning();
  return moved ?? null;
}

const TOLD_MAKER: Partial<Record<AuditCode, MailSubject>> = {
  "approval.authorise": "authorised",
  "approval.refuse": "refused",
  "approval.expire": "expired",
};

export async function announce(
  tx: Tx,
  row: Approval,
  { by, code, outcome, detail = {} }: ApprovalEvent,
): Promise<void> {
  const { tenant, id, intentId, kind, object, makerId, bodyHash } = row;
  await publish(tx, { tenant, topic: "approvals", object: id });
  const about = { kind, about: object, maker: makerId, bodyHash };
  const what = { code, object: `approval:${id}`, intentId, detail: { ...about, ...detail } };
  const subject = TOLD_MAKER[code];
  if (subject !== undefined && outcome === "DONE") await queueMail(tx, { tenant, subject, object: id, to: makerId });
  await record(tx, { tenant, actor: by, outcome, ...what });
}

export type PendingApproval = {
  approvalId: string;
  makerId: string;
  makerName: string;
  at: string;
  /** It no longer waits: it is being executed. */
  isUnderWay: boolean;
};

type Kind = { tenant: string; kind: ApprovalKindName };

/** An open request of any kind locks its object, also while its outcome is unknown. */
export async function isUnderApproval(store: Db | Tx, tenant: string, object: string): Promise<boolean> {
  const states = [...OPEN_STATES, "UNKNOWN", "HELD"] as const satisfies ApprovalState[];
  const open = and(eq(approval.tenant, tenant), eq(approval.object, object), inArray(approval.state, [...states]));
  return (await store.$count(approval, open)) > 0;
}

export async function readPendingApprovals(
  store: Db,
  { tenant, kind }: Kind,
  objects: readonly string[],
): Promise<Map<string, PendingApproval>> {
  if (objects.length === 0) return new Map();
  const { id: approvalId, object, makerId, createdAt, state } = approval;
  const rows = await store
    .select({ approvalId, object, makerId, createdAt, makerName: staff.name, state })
    .from(approval)
    .innerJoin(staff, eq(staff.id, approval.makerId))
    .where(
      and(
        eq(approval.tenant, tenant),
        eq(approval.kind, kind),
        inArray(object, [...objects]),
        inArray(approval.state, [...OPEN_STATES]),
      ),
    );
  return new Map(
    rows.map(({ object: about, createdAt: at, state: stands, ...pendingApproval }) => [
      about,
      { ...pendingApproval, at: at.toISOString(), isUnderWay: stands === "AUTHORISED" },
    ]),
  );
}

export async function isOrdered(store: Db, tenant: string, intentId: string): Promise<boolean> {
  const isIts = and(eq(approval.tenant, tenant), eq(approval.intentId, intentId));
  if ((await store.$count(approval, isIts)) > 0) return true;
  const intent = await findIntent(store, { tenant, id: intentId });
  return intent !== null && intent.state !== "REFUSED";
}
