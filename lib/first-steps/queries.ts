import { and, arrayOverlaps, count, desc, eq, gt, isNotNull, isNull, lt, ne, type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import { type Db, db } from "@/lib/db/connection";
import { approval, approvalPolicy } from "@/lib/db/tables/approvals";
import { staffInvitation, staffMembership } from "@/lib/db/tables/auth";
import { account } from "@/lib/db/tables/customers";
import { providerCall } from "@/lib/db/tables/provider";
import { webhookEvent } from "@/lib/db/tables/webhooks";
import { rolesWith } from "@/lib/permission/permission";
import { hidesFirstSteps } from "@/lib/preferences/queries";
import { query } from "@/lib/query";
import { isOpen } from "@/lib/staff/queries";
import { ownAddressOf } from "@/lib/webhooks/queries";
import { FIRST_STEPS, type FirstSteps } from "./view";

async function isThere(store: Db, table: PgTable, which: SQL | undefined): Promise<boolean> {
  const rows = await store
    .select({ one: sql`1` })
    .from(table)
    .where(which)
    .limit(1);
  return rows.length > 0;
}

async function readSteps(store: Db, tenant: string, staffId: string): Promise<FirstSteps> {
  const isMember = and(eq(staffMembership.tenant, tenant), isNull(staffMembership.disabledAt));
  const isAnswer = and(eq(providerCall.tenant, tenant), isNotNull(providerCall.status));
  const authorising = arrayOverlaps(staffMembership.roles, rolesWith("approvals:authorize"));
  const isWaiting = and(
    eq(staffInvitation.tenant, tenant),
    isOpen,
    gt(staffInvitation.expiresAt, sql`clock_timestamp()`),
  );
  const [provider, last, team, approver, hasPolicy, hasRequest, webhook, known, invitations] = await Promise.all([
    isThere(store, providerCall, and(isAnswer, lt(providerCall.status, 400))),
    store
      .select({ status: providerCall.status })
      .from(providerCall)
      .where(isAnswer)
      .orderBy(desc(providerCall.at), desc(providerCall.seq))
      .limit(1),
    isThere(store, staffMembership, and(isMember, ne(staffMembership.staffId, staffId))),
    isThere(store, staffMembership, and(isMember, authorising)),
    isThere(store, approvalPolicy, eq(approvalPolicy.tenant, tenant)),
    isThere(store, approval, eq(approval.tenant, tenant)),
    isThere(store, webhookEvent, eq(webhookEvent.tenant, tenant)),
    isThere(store, account, eq(account.tenant, tenant)),
    store.select({ invited: count() }).from(staffInvitation).where(isWaiting),
  ]);
  return {
    done: { provider, team, approver, policy: hasPolicy || hasRequest, webhook, account: known },
    lastStatus: last[0]?.status ?? null,
    invited: invitations[0]?.invited ?? 0,
    ownAddress: ownAddressOf(tenant).href,
  };
}

/** What a new company does first. Null once all of it is done, or hidden in this browser. */
export const getFirstSteps = query("settings:manage", async ({ tenant, id }): Promise<FirstSteps | null> => {
  if (await hidesFirstSteps()) return null;
  const steps = await readSteps(await db(), tenant, id);
  return FIRST_STEPS.every((step) => steps.done[step]) ? null : steps;
});
