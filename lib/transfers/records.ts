import { type SQL, and, desc, eq, inArray, ne, notExists, or, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import { approval } from "@/lib/db/tables/approvals";
import type { Actor } from "@/lib/permission/grant";
import { type Intent, isAcceptedSql, isUnanswered, isUnsentSql, ofIntent } from "@/lib/provider/intents/intent-record";
import { providerIntent } from "@/lib/db/tables/provider";
import { shownAccountDocument } from "@/lib/db/document";
import { staff } from "@/lib/db/tables/staff";
import { account } from "@/lib/db/tables/customers";
import type { Db, Tx } from "@/lib/db/connection";
import { isUuid } from "@/lib/text/decode";
import { transfer, transferPayee } from "@/lib/db/tables/transfers";
import type { TransferKind } from "@/lib/db/enums/transfers";
import type { AccountParty, TransferRow, TransferState, TransferView } from "./view";
import { UNOPENED } from "@/lib/text/provider-word";
import { payeeNarrowing } from "./find-payee";
import { type OrderedTransfer, orderedBodyOf, orderedApprovalOf } from "./ordered";

/** As the provider answered, blocked apart from refused; a contradicted outcome is unknown again. */
export const stateOfIntent: SQL<TransferState> = sql<TransferState>`case
  when ${providerIntent.contradictedAt} is not null then 'UNKNOWN'
  when ${transfer.returnedAt} is not null then 'RETURNED'
  when ${providerIntent.state} = 'DONE' then 'CONFIRMED'
  when ${isAcceptedSql} then 'ACCEPTED'
  when ${providerIntent.state} = 'REFUSED' and ${providerIntent.code} = 'TRANSACTION_BLOCKED' then 'BLOCKED'
  when ${isUnsentSql} then 'FAILED'
  else ${providerIntent.state} end`;

export const partyOf = (row: typeof account.$inferSelect): AccountParty => ({
  as: "account",
  name: `${row.branch} / ${row.number}`,
  ref: row.ref,
  document: shownAccountDocument(row).mask,
  holder: row.holder,
  standing: row.standing,
});

export { payeesShown } from "./find-payee";

export type Reader = Actor<"transfers:read"> | Actor<"statement:export">;

type OwnView = Exclude<TransferView, "all">;

const viewOfIntent = sql<OwnView | null>`case
  when ${isUnanswered} then 'unanswered' when ${transfer.returnedAt} is not null then 'returned' when ${providerIntent.state} = 'HELD' then 'held'
  when ${providerIntent.state} = 'DONE' then 'confirmed' when ${providerIntent.state} = 'REFUSED' then 'unpaid' end`;

export const TRANSFER_KINDS = ["transfer.internal", "transfer.external"] as const;

/** Sent transfers, and proposals without any sending. */
export function orderedIn(store: Db, tenant: string) {
  const sent = store
    .select({
      id: transfer.intentId,
      at: transfer.createdAt,
      kind: transfer.kind,
      state: stateOfIntent.as("state"),
      view: viewOfIntent.as("view"),
      staffId: transfer.staffId,
      object: providerIntent.object,
      amount: sql<string | null>`${transfer.amount}`.as("amount"),
    })
    .from(transfer)
    .innerJoin(providerIntent, ofIntent(transfer))
    .where(eq(transfer.tenant, tenant));
  const itsTransfer = store
    .select({ intentId: transfer.intentId })
    .from(transfer)
    .where(and(eq(transfer.tenant, approval.tenant), eq(transfer.intentId, approval.intentId)));
  const proposed = store
    .select({
      id: approval.intentId,
      at: approval.createdAt,
      kind: sql<TransferKind>`case ${approval.kind} when 'transfer.internal' then 'INTERNAL' else 'EXTERNAL' end`,
      state: sql<TransferState>`case ${approval.state}
        when 'PENDING' then 'WAITING' when 'AUTHORISED' then 'SENDING' when 'REFUSED' then 'DECLINED'
        when 'WITHDRAWN' then 'WITHDRAWN' when 'EXPIRED' then 'EXPIRED' else 'FAILED' end`,
      view: sql<OwnView | null>`case ${approval.state}
        when 'PENDING' then 'waiting' when 'AUTHORISED' then null else 'unpaid' end`,
      staffId: approval.makerId,
      object: approval.object,
      amount: sql<string | null>`${transferPayee.amount}`,
    })
    .from(approval)
    .leftJoin(
      transferPayee,
      and(eq(transferPayee.tenant, approval.tenant), eq(transferPayee.intentId, approval.intentId)),
    )
    .where(and(eq(approval.tenant, tenant), inArray(approval.kind, [...TRANSFER_KINDS]), notExists(itsTransfer)));
  return unionAll(sent, proposed).as("ordered");
}

type Ordered = { id: string; at: Date; kind: TransferKind; state: TransferState; staffId: string; object: string };

type SentTransfer = {
  transfer: typeof transfer.$inferSelect;
  intent: typeof providerIntent.$inferSelect;
  paidAccountId: string | null;
};
type Proposal = typeof approval.$inferSelect;

/** The approval of a sent transfer; a refused one may be proposed again, corrected. */
const isOfSent = ({ id }: Proposal, sent: SentTransfer | undefined) =>
  sent === undefined || sent.transfer.approvalId === id || sent.intent.state === "REFUSED";

/** The audit rows of these, by intent. */
async function recordsOf(store: Db | Tx, tenant: string, ids: readonly string[]) {
  if (ids.length === 0) return { sent: new Map<string, SentTransfer>(), pendingApprovals: new Map<string, Proposal>() };
  const sent = await store
    .select({ transfer, intent: providerIntent, paidAccountId: transferPayee.accountId })
    .from(transfer)
    .innerJoin(providerIntent, ofIntent(transfer))
    .leftJoin(
      transferPayee,
      and(eq(transferPayee.tenant, transfer.tenant), eq(transferPayee.intentId, transfer.intentId)),
    )
    .where(and(eq(transfer.tenant, tenant), inArray(transfer.intentId, [...ids])));
  const proposed = await store
    .select()
    .from(approval)
    .where(
      and(
        eq(approval.tenant, tenant),
        inArray(approval.kind, [...TRANSFER_KINDS]),
        inArray(approval.intentId, [...ids]),
      ),
    );
  const byId = new Map(sent.map((row) => [row.intent.id, row]));
  const ofThem = proposed.filter((row) => isOfSent(row, byId.get(row.intentId)));
  return { sent: byId, pendingApprovals: new Map(ofThem.map((row) => [row.intentId, row])) };
}

type Names = { byObject: (object: string) => AccountParty; byId: (accountId: string) => AccountParty };

export const unknown = (name: string): AccountParty => ({
  as: "account",
  name,
  ref: null,
  document: null,
  holder: null,
  standing: "UNKNOWN",
});

/** Accounts as people know them; by the provider's id when not looked up yet. */
export async function namesOf(store: Db | Tx, tenant: string, wanted: readonly string[]): Promise<Names> {
  const ids = [...new Set(wanted)];
  const isWanted = or(inArray(account.ref, ids.filter(isUuid)), inArray(account.accountId, ids));
  const rows = await store
    .select()
    .from(account)
    .where(and(eq(account.tenant, tenant), isWanted));
  const shown = (row: (typeof rows)[number] | undefined, name: string) =>
    row === undefined ? unknown(name) : partyOf(row);
  return {
    byId: (accountId) =>
      shown(
        rows.find((row) => row.accountId === accountId),
        accountId,
      ),
    byObject: (object) => {
      const ref = object.replace("account:", "");
      return shown(
        rows.find((row) => row.ref === ref || row.accountId === ref),
        ref,
      );
    },
  };
}

async function orderOf(kind: TransferKind, sent: SentTransfer | undefined, pendingApproval: Proposal | undefined) {
  if (sent === undefined) return pendingApproval === undefined ? null : orderedApprovalOf(pendingApproval);
  const { approvalId } = sent.transfer;
  const carriedIt = pendingApproval !== undefined && pendingApproval.id === approvalId;
  // The authorised proposal still has the order.
  return orderedBodyOf(kind, sent.intent) ?? (carriedIt ? orderedApprovalOf(pendingApproval) : null);
}

/** The paid own account, by its order or the data stored beside it. */
function paidAccountOf(order: OrderedTransfer | null, sent: SentTransfer | undefined): string | null {
  if (order === null) return sent?.paidAccountId ?? null;
  return order.to.as === "account" ? order.to.accountId : null;
}

export type ReadTransfer = {
  row: TransferRow;
  order: OrderedTransfer | null;
  sent?: SentTransfer;
  pendingApproval?: Proposal;
};

export async function readAll(store: Db, reader: Reader, found: readonly Ordered[]): Promise<ReadTransfer[]> {
  const { tenant, id: readerId } = reader;
  const { sent, pendingApprovals } = await recordsOf(
    store,
    tenant,
    found.map(({ id }) => id),
  );
  const orders = await Promise.all(found.map(({ id, kind }) => orderOf(kind, sent.get(id), pendingApprovals.get(id))));
  const paying = found.map(({ object }) => object.replace("account:", ""));
  const paid = found.flatMap(({ id }, index) => paidAccountOf(orders[index] ?? null, sent.get(id)) ?? []);
  const names = await namesOf(store, tenant, [...paying, ...paid]);
  const makers = new Map(
    found.length === 0
      ? []
      : (
          await store
            .select({ id: staff.id, name: staff.name })
            .from(staff)
            .where(
              inArray(
                staff.id,
                found.map(({ staffId }) => staffId),
              ),
            )
        ).map(({ id, name }) => [id, name]),
  );
  return found.map(({ id, at, kind, state, staffId, object }, index): ReadTransfer => {
    const [mine, pendingApproval, order = null] = [sent.get(id), pendingApprovals.get(id), orders[index]];
    const paidId = paidAccountOf(order, mine);
    const recipient = order?.to.as === "recipient" ? order.to : null;
    const isHeld = state === "HELD";
    const until = isHeld ? mine?.intent.pendingExpiresAt : state === "WAITING" ? pendingApproval?.expiresAt : null;
    const row = {
      id,
      kind,
      state,
      amount: mine?.transfer.amount ?? order?.amount ?? null,
      from: names.byObject(object),
      to: paidId === null ? recipient : names.byId(paidId),
      byName: makers.get(staffId) ?? "",
      isMine: staffId === readerId,
      at: at.toISOString(),
      code: mine?.intent.code ?? pendingApproval?.code ?? null,
      antifraudId: mine?.intent.antifraudId ?? null,
      candidateId: isHeld ? (mine?.transfer.candidateId ?? null) : null,
      until: until?.toISOString() ?? null,
      approvalId: pendingApproval?.id ?? null,
    };
    return {
      row,
      order,
      ...(mine !== undefined && { sent: mine }),
      ...(pendingApproval !== undefined && { pendingApproval }),
    };
  });
}

/** Null when the tenant has no transfer with this intent. */
export async function findTransfer(store: Db, reader: Reader, id: string): Promise<ReadTransfer | null> {
  const ordered = orderedIn(store, reader.tenant);
  const found = await store.select().from(ordered).where(eq(ordered.id, id)).limit(1);
  const [read] = await readAll(store, reader, found);
  return read ?? null;
}

/** A sent transfer's payee on one line, masked; null when unknown. */
export async function describePayee(
  store: Db | Tx,
  { tenant, id }: Pick<Intent, "tenant" | "id">,
): Promise<string | null> {
  const { sent, pendingApprovals } = await recordsOf(store, tenant, [id]);
  const mine = sent.get(id);
  if (mine === undefined) return null;
  const order = await orderOf(mine.transfer.kind, mine, pendingApprovals.get(id));
  if (order?.to.as === "recipient") return `${order.to.name}, ${order.to.bank ?? order.to.ispb}`;
  const accountId = paidAccountOf(order, mine);
  return accountId === null ? null : (await namesOf(store, tenant, [accountId])).byId(accountId).name;
}

const OTHERS_MAX = 5;

/** The tenant's newest other transfers to this payee, by anybody, waiting ones too; null when the payee does not open. */
export async function readOthersToPayee(store: Db, reader: Reader, id: string): Promise<TransferRow[] | null> {
  const payees = await payeeNarrowing(store, reader.tenant, { payeeOf: id });
  if (payees === null || payees.shown === UNOPENED) return null;
  const ordered = orderedIn(store, reader.tenant);
  const found = await store
    .select()
    .from(ordered)
    .where(and(inArray(ordered.id, payees.intents), ne(ordered.id, id)))
    .orderBy(desc(ordered.at), ordered.id)
    .limit(OTHERS_MAX);
  return (await readAll(store, reader, found)).map((read) => read.row);
}
