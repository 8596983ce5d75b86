import { and, desc, eq, gt, inArray, ne, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { accountCan } from "./can";
import type { Closing, ClosingNote, ClosingTerms } from "./view";
import type { AccountStanding } from "@/lib/db/enums/accounts";
import { OPEN_STATES } from "@/lib/approvals/view";
import { approval } from "@/lib/db/tables/approvals";
import type { Actor } from "@/lib/permission/grant";
import { providerIntent } from "@/lib/db/tables/provider";
import { isAccepted, ofIntent } from "@/lib/provider/intents/intent-record";
import { shownSealed } from "@/lib/db/seal";
import { staff } from "@/lib/db/tables/staff";
import { onboarding } from "@/lib/db/tables/customers";
import { type Db, db, type Tx } from "@/lib/db/connection";
import { isUuid } from "@/lib/text/decode";
import { providerWord } from "@/lib/text/provider-word";
import { accountClosure } from "@/lib/db/tables/accounts";
import { readPendingApprovals } from "@/lib/approvals/records";
import { readArriving, readWaiting } from "@/lib/approvals/waiting";
import { policyOf } from "@/lib/approvals/policy";
import { refuse } from "@/lib/errors/app-error";
import { sendExternalTransfer, sendInternalTransfer } from "@/lib/provider/operations";
import { shownAccountDocument } from "@/lib/db/document";
import { type AccountRow, readHoldings, readStanding } from "./standing";
import { accountOf } from "./records";
import { findUser } from "./find-user";

type AccountKey = { tenant: string; ref: string };

/** After a day without an answer a person must check the account at the provider. */
const isPendingNow = gt(accountClosure.createdAt, sql`clock_timestamp() - interval '1 day'`);

const decider = alias(staff, "decider");

/** The last closing request that took effect or may have. */
async function findSent(store: Db, { tenant, ref }: AccountKey): Promise<Closing | null> {
  // An earlier version let another order share its id.
  const carried = and(eq(approval.tenant, tenant), eq(approval.kind, "account.close"));
  const [sent] = await store
    .select({
      closure: accountClosure,
      isPending: sql<boolean>`${isPendingNow}`,
      intent: providerIntent,
      maker: staff.name,
      approvalId: approval.id,
      decider: decider.name,
    })
    .from(accountClosure)
    .innerJoin(providerIntent, ofIntent(accountClosure))
    .innerJoin(staff, eq(staff.id, accountClosure.staffId))
    .leftJoin(approval, and(carried, eq(approval.intentId, accountClosure.intentId)))
    .leftJoin(decider, eq(decider.id, approval.deciderId))
    .where(
      and(
        eq(accountClosure.tenant, tenant),
        eq(accountClosure.accountRef, ref),
        inArray(providerIntent.state, ["DONE", "UNKNOWN"]),
      ),
    )
    .orderBy(sql`${providerIntent.state} = 'DONE' desc`, desc(accountClosure.createdAt))
    .limit(1);
  if (sent === undefined) return null;
  const { closure, isPending, intent, maker, approvalId } = sent;
  const at = (intent.finishedAt ?? intent.firstSentAt ?? closure.createdAt).toISOString();
  if (intent.state === "UNKNOWN")
    return {
      state: "UNKNOWN",
      intentId: closure.intentId,
      isPending,
      maker,
      at,
      seenOpenAt: closure.seenOpenAt?.toISOString() ?? null,
      word: isAccepted(intent) ? providerWord(intent.code ?? "") : null,
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

/** The progress of this account's closing; null when there is none. */
export async function readClosing(reader: Actor<"accounts:read">, ref: string): Promise<Closing | null> {
  if (!isUuid(ref)) return null;
  const store = await db();
  const sent = await findSent(store, { tenant: reader.tenant, ref });
  return sent ?? findProposed(store, reader, ref);
}

type Closer = Actor<"accounts:close">;

/** Outgoing transfers in flight, held or unconfirmed. */
async function hasTransferUnderWay(store: Db | Tx, { tenant, ref, accountId }: AccountRow): Promise<boolean> {
  const underWay = and(
    eq(providerIntent.tenant, tenant),
    inArray(providerIntent.operation, [sendInternalTransfer.path, sendExternalTransfer.path]),
    inArray(providerIntent.object, [`account:${ref}`, `account:${accountId}`]),
    inArray(providerIntent.state, ["SENDING", "UNKNOWN", "HELD"]),
  );
  return (await store.$count(providerIntent, underWay)) > 0;
}

async function hasPendingClosure(store: Db | Tx, { tenant, ref }: AccountKey, except: string | null): Promise<boolean> {
  const pending = await store
    .select({ intentId: accountClosure.intentId })
    .from(accountClosure)
    .innerJoin(providerIntent, ofIntent(accountClosure))
    .where(
      and(
        eq(accountClosure.tenant, tenant),
        eq(accountClosure.accountRef, ref),
        inArray(providerIntent.state, ["SENDING", "UNKNOWN"]),
        isPendingNow,
        except === null ? undefined : ne(accountClosure.intentId, except),
      ),
    )
    .limit(1);
  return pending.length > 0;
}

type Seen = { standing: AccountStanding; balance: string; blockedBalance: string; asOf: string };

async function readAccount(actor: Closer, row: AccountRow): Promise<Seen> {
  const [recorded, { reportedStanding, ...holdings }] = await Promise.all([
    readStanding({ actor, row }),
    readHoldings({ actor, row }),
  ]);
  // Either answer may hold the value.
  return {
    standing: recorded === "UNKNOWN" || reportedStanding === "CLOSED" ? reportedStanding : recorded,
    ...holdings,
  };
}

type Asking = { seen: Seen; isProposed: boolean; except: string | null };

async function obstaclesTo(store: Db, row: AccountRow, { seen, isProposed, except }: Asking) {
  const isPending = await hasPendingClosure(store, row, except);
  return accountCan.close({ ...seen, isProposed, isPending, hasTransfer: await hasTransferUnderWay(store, row) });
}

/**
 * The account's current balance when it may be closed. Throws not-found, conflict with the first obstacle's code
 * (`closing-balance`), and as reads of the provider do. `intentId` is the closing that asks.
 */
export async function readClosable(actor: Closer, { ref, intentId }: { ref: string; intentId: string }) {
  const store = await db();
  const row = await accountOf(store, actor.tenant, ref);
  const seen = await readAccount(actor, row);
  const [first] = await obstaclesTo(store, row, { seen, isProposed: false, except: intentId });
  refuse(first?.denial ?? null);
  return { row, seen };
}

export async function refuseUnclosable(
  tx: Tx,
  tenant: string,
  { ref, intentId }: { ref: string; intentId: string },
): Promise<void> {
  const row = await accountOf(tx, tenant, ref);
  const isPending = await hasPendingClosure(tx, row, intentId);
  const [first] = accountCan.close({ isPending, hasTransfer: await hasTransferUnderWay(tx, row) });
  refuse(first?.denial ?? null);
}

/** Throws as `readClosable` does while an obstacle exists. */
export async function requireClosable(actor: Closer, asked: { ref: string; intentId: string }): Promise<void> {
  await readClosable(actor, asked);
}

type Noted = Pick<ClosingTerms, "arriving"> & { standing: AccountStanding };

async function notesOf(store: Db, row: AccountRow, { standing, arriving }: Noted): Promise<ClosingNote[]> {
  const { tenant, ref } = row;
  const proposed = and(
    eq(approval.tenant, tenant),
    eq(approval.object, `account:${ref}`),
    inArray(approval.kind, ["transfer.internal", "transfer.external"]),
    inArray(approval.state, ["PENDING", "AUTHORISED"]),
  );
  const opening = and(
    eq(onboarding.tenant, tenant),
    inArray(onboarding.documentHash, shownAccountDocument(row).hashes),
    eq(onboarding.status, "PROCESSING"),
  );
  return [
    ...(standing === "UNKNOWN" ? (["status-untold"] as const) : []),
    ...((await store.$count(approval, proposed)) > 0 ? (["transfer-proposed"] as const) : []),
    ...(arriving.count > 0 ? (["transfer-arriving"] as const) : []),
    ...((await store.$count(onboarding, opening)) > 0 ? (["onboarding-open"] as const) : []),
  ];
}

/** All facts for somebody about to close an account, read just now. Throws not-found and as reads do. */
export async function readClosingTerms(actor: Closer, ref: string): Promise<ClosingTerms> {
  const store = await db();
  const { tenant } = actor;
  const row = await accountOf(store, tenant, ref);
  const seen = await readAccount(actor, row);
  const object = `account:${ref}`;
  const isProposed = (await readPendingApprovals(store, { tenant, kind: "account.close" }, [object])).has(object);
  const { rule } = await policyOf(store, tenant, "account.close");
  const obstacles = await obstaclesTo(store, row, { seen, isProposed, except: null });
  const [waiting] = await readWaiting(store, { tenant, object, exceptIntent: null });
  const arriving = await readArriving(store, tenant, row.accountId);
  const { balance, blockedBalance, asOf, standing } = seen;
  return {
    balance,
    blockedBalance,
    asOf,
    needsApproval: rule !== "never",
    obstacles: obstacles.map(({ obstacle }) => obstacle),
    notes: await notesOf(store, row, { standing, arriving }),
    waiting: { sum: waiting?.sum ?? "0.00", count: waiting?.count ?? 0 },
    arriving,
    user: await findUser(store, row),
  };
}
