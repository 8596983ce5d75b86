import { and, desc, eq, inArray, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Closing } from "./view";
import { OPEN_STATES } from "@/lib/approvals/view";
import { approval } from "@/lib/approvals/schema";
import type { Actor } from "@/lib/auth/grant";
import { bankIntent } from "@/lib/bank/schema";
import { ofIntent } from "@/lib/bank/intent-record";
import { shownSealed } from "@/lib/store/seal";
import { staff } from "@/lib/store/schema";
import { type Db, db } from "@/lib/store/store";
import { isUuid } from "@/lib/text/hash";
import { accountClosure } from "./schema";

type Which = { tenant: string; ref: string };

const decider = alias(staff, "decider");

/** What was sent last to close it, and took effect or may have. */
async function findSent(store: Db, { tenant, ref }: Which): Promise<Closing | null> {
  const [sent] = await store
    .select({
      closure: accountClosure,
      intent: { state: bankIntent.state, firstSentAt: bankIntent.firstSentAt, finishedAt: bankIntent.finishedAt },
      maker: staff.name,
      approvalId: approval.id,
      decider: decider.name,
    })
    .from(accountClosure)
    .innerJoin(bankIntent, ofIntent(accountClosure))
    .innerJoin(staff, eq(staff.id, accountClosure.staffId))
    .leftJoin(approval, and(eq(approval.tenant, tenant), eq(approval.intentId, accountClosure.intentId)))
    .leftJoin(decider, eq(decider.id, approval.deciderId))
    .where(
      and(
        eq(accountClosure.tenant, tenant),
        eq(accountClosure.accountRef, ref),
        inArray(bankIntent.state, ["DONE", "UNKNOWN"]),
      ),
    )
    .orderBy(sql`${bankIntent.state} = 'DONE' desc`, desc(accountClosure.createdAt))
    .limit(1);
  if (sent === undefined) return null;
  const { closure, intent, maker, approvalId } = sent;
  const at = (intent.finishedAt ?? intent.firstSentAt ?? closure.createdAt).toISOString();
  if (intent.state === "UNKNOWN")
    return {
      state: "UNKNOWN",
      intentId: closure.intentId,
      maker,
      at,
      seenOpenAt: closure.seenOpenAt?.toISOString() ?? null,
      approvalId,
    };
  const reason = shownSealed(closure.reasonSealed, {
    column: "account_closure.reason_sealed",
    row: [tenant, closure.intentId],
  });
  return { state: "CLOSED", maker, at, decider: sent.decider, approvalId, reason };
}

async function findProposed(store: Db, reader: Actor, ref: string): Promise<Closing | null> {
  const [open] = await store
    .select({ row: approval, maker: staff.name, decider: decider.name })
    .from(approval)
    .innerJoin(staff, eq(staff.id, approval.makerId))
    .leftJoin(decider, eq(decider.id, approval.deciderId))
    .where(
      and(
        eq(approval.tenant, reader.tenant),
        eq(approval.kind, "account.close"),
        eq(approval.object, `account:${ref}`),
        inArray(approval.state, [...OPEN_STATES]),
      ),
    );
  if (open === undefined) return null;
  const { id: approvalId, state, makerId, expiresAt } = open.row;
  if (state !== "PENDING" && state !== "READY" && state !== "AUTHORISED") return null;
  const isMine = makerId === reader.id;
  return { state, approvalId, isMine, maker: open.maker, decider: open.decider, expiresAt: expiresAt.toISOString() };
}

/** How far the closure of this account has come; null when nobody has one under way. */
export async function readClosing(reader: Actor<"accounts:read">, ref: string): Promise<Closing | null> {
  if (!isUuid(ref)) return null;
  const store = await db();
  const sent = await findSent(store, { tenant: reader.tenant, ref });
  return sent ?? findProposed(store, reader, ref);
}
