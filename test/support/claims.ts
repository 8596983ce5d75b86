import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import type { PgInsertValue } from "drizzle-orm/pg-core";
import { admitting, type Approvable, type Ordered, type Performing } from "@/lib/approvals/define-write";
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

/** The meaning of an id, as an earlier version left it. */
export async function givenClaim(db: Db, claims: (Pick<ClaimRow, "tenant" | "id"> & Partial<ClaimRow>)[]) {
  const meant = { kind: "earlier", actor: "somebody", isProposed: false, createdAt: new Date() };
  const rows = claims.map((claim) => ({ ...meant, ...claim }));
  await db.insert(intentClaim).values(rows).onConflictDoNothing();
}

/** Intents as given, each with its claim. */
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

/** Carries an order out as if a second person had authorised it. */
export async function performAuthorised<P extends Permission, Order extends Ordered, Done>(
  write: Approvable<P, Order> & Performing<P, Order, Done>,
  { actor, order }: Authorised<P, Order>,
) {
  const { tenant, id: makerId } = actor;
  const { intentId } = order;
  const bytes = write.bytesOf(order);
  const at = new Date();
  const columns = {
    tenant,
    id: randomUUID(),
    kind: write.name,
    permission: write.permission,
    intentId,
    object: await write.objectOf(await openDb(), tenant, order),
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
    await claimIntent(tx, { tenant, id: intentId, kind: write.claimedAs, actor: makerId, bytes, isProposed: true });
    await tx
      .insert(approval)
      .values({ ...columns, frozenSealed, ...ended })
      .onConflictDoNothing();
    const isIts = and(eq(approval.tenant, tenant), eq(approval.intentId, intentId));
    const [row] = await tx.select({ id: approval.id }).from(approval).where(isIts);
    if (row === undefined) throw new Error("the approval was not made");
    return row.id;
  });
  return write.perform({ actor, order, secret: null, approvalId }, admitting(write));
}
