import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import type { PgInsertValue } from "drizzle-orm/pg-core";
import { agreedTo, type ApprovalKind, type Execution, type Ordered } from "@/lib/approvals/propose";
import { approval } from "@/lib/db/tables/approvals";
import { sealSnapshot, shownText } from "@/lib/approvals/snapshot";
import type { Actor } from "@/lib/permission/grant";
import type { Permission } from "@/lib/permission/permission";
import { claimIntent } from "@/lib/provider/intents/claim";
import { providerIntent } from "@/lib/db/tables/provider";
import { intentClaim } from "@/lib/db/tables/intent-claim";
import { lookupHash } from "@/lib/db/seal";
import { type Db, db as openDb } from "@/lib/db/connection";

type ClaimRow = PgInsertValue<typeof intentClaim>;
type IntentRow = PgInsertValue<typeof providerIntent>;

/** What an id stands for, as an earlier version left it. */
export async function givenClaim(db: Db, claims: (Pick<ClaimRow, "tenant" | "id"> & Partial<ClaimRow>)[]) {
  const meant = { kind: "earlier", actor: "somebody", isProposed: false, createdAt: new Date() };
  const rows = claims.map((claim) => ({ ...meant, ...claim }));
  await db.insert(intentClaim).values(rows).onConflictDoNothing();
}

/** Intents as they stand, each with its claim. */
export async function givenIntentRows(db: Db, ...rows: IntentRow[]): Promise<void> {
  await givenClaim(
    db,
    rows.map(({ operation: kind, ...row }) => {
      const { tenant, id, actor, bodyHash, createdAt } = row;
      return { tenant, id, kind, actor, bodyHash, createdAt };
    }),
  );
  await db.insert(providerIntent).values(rows);
}

type Authorised<P extends Permission, Order> = { actor: Actor<P>; order: Order };

/** Carries an order out as if a second person had agreed to it. */
export async function performAuthorised<P extends Permission, Order extends Ordered, Done>(
  kind: Omit<ApprovalKind<P, Order>, "perform"> & { perform: (execution: Execution<P, Order>) => Promise<Done> },
  { actor, order }: Authorised<P, Order>,
): Promise<Done> {
  const { tenant, id: makerId } = actor;
  const { intentId } = order;
  const bytes = kind.bytesOf(order);
  const at = new Date();
  const columns = {
    tenant,
    id: randomUUID(),
    kind: kind.name,
    permission: kind.permission,
    intentId,
    object: await kind.objectOf({ store: await openDb(), tenant, order }),
    isExclusive: false,
    bodyHash: lookupHash(bytes),
    policyVersion: 0,
    makerId,
    createdAt: at,
    expiresAt: at,
  };
  const shown = { headline: shownText(""), href: null, facts: [] };
  const frozenSealed = sealSnapshot(columns, { order: JSON.stringify(order), bytes, shown });
  const ended = { state: "EXECUTED", endedAt: at, makerSawAt: at } as const;
  const approvalId = await (
    await openDb()
  ).transaction(async (tx) => {
    await claimIntent(tx, { tenant, id: intentId, kind: kind.claimedAs, actor: makerId, bytes, isProposed: true });
    await tx
      .insert(approval)
      .values({ ...columns, frozenSealed, ...ended })
      .onConflictDoNothing();
    const isIts = and(eq(approval.tenant, tenant), eq(approval.intentId, intentId));
    const [row] = await tx.select({ id: approval.id }).from(approval).where(isIts);
    if (row === undefined) throw new Error("the approval was not made");
    return row.id;
  });
  return kind.perform({ actor, order, ...agreedTo(approvalId) });
}
