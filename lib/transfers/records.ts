import { type SQL, and, count, desc, eq, gte, inArray, lt, ne, notExists, or, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import { type Approval, readSnapshot } from "@/lib/approvals/snapshot";
import { approval } from "@/lib/db/tables/approvals";
import type { Actor } from "@/lib/permission/grant";
import { type Intent, intentTarget, isAcceptedSql, isUnanswered, ofIntent } from "@/lib/provider/intents/intent-record";
import { providerIntent } from "@/lib/db/tables/provider";
import { ExternalTransfer, InternalTransfer } from "@/lib/contract/accounts";
import { maskDocument, maskWithin } from "@/lib/contract/document";
import { parseJson } from "@/lib/contract/json";
import { storeNow } from "@/lib/db/clock";
import { shownAccountDocument } from "@/lib/db/document";
import { staff } from "@/lib/db/tables/staff";
import { account } from "@/lib/db/tables/customers";
import { lookupHashes, unseal, unsealedOrNull } from "@/lib/db/seal";
import { type Db, db, type Tx } from "@/lib/db/connection";
import { decimalOf, unitsOf } from "@/lib/text/decimal";
import { maskName } from "@/lib/text/format";
import { isUuid } from "@/lib/text/decode";
import { PAGE_SIZE, type Page, pageWindow } from "@/lib/text/page";
import { TIME_ZONE, firstOfLastDays } from "@/lib/text/time";
import { bankLabel, bankOfIspb } from "./banks-view";
import {
  type Essence,
  ExternalOrder,
  InternalOrder,
  type TedPayee,
  TransferFilter,
  essenceOfExternal,
  essenceOfInternal,
} from "./inputs";
import { paidBanks, payeeNarrowing } from "./find-payee";
import { transfer, transferPayee } from "@/lib/db/tables/transfers";
import type { AccountParty, Recipient, TransferRow, TransferState, TransferSum, TransferView } from "./view";
import type { TransferKind } from "@/lib/db/enums/transfers";

/** As the provider answered, blocked apart from refused; what it contradicted is not known again. */
export const stateOfIntent: SQL<TransferState> = sql<TransferState>`case
  when ${providerIntent.contradictedAt} is not null then 'UNKNOWN'
  when ${transfer.returnedAt} is not null then 'RETURNED'
  when ${providerIntent.state} = 'DONE' then 'CONFIRMED'
  when ${isAcceptedSql} then 'ACCEPTED'
  when ${providerIntent.state} = 'REFUSED' and ${providerIntent.code} = 'TRANSACTION_BLOCKED' then 'BLOCKED'
  else ${providerIntent.state} end`;

/** What of an order a screen may show beside its state; an account by the provider's id. */
export type OrderedTransfer = {
  userId: string;
  amount: string;
  description: string | null;
  to: { as: "account"; accountId: string } | Recipient;
};

function ofInternal({ userId, amount, accountIdTo, description }: InternalTransfer): OrderedTransfer {
  const said = description === undefined || description === "" ? null : maskWithin(description);
  return { userId, amount, description: said, to: { as: "account", accountId: accountIdTo } };
}

export function recipientOf(paid: TedPayee): Recipient {
  const bank = bankOfIspb(paid.institutionIspb);
  return {
    as: "recipient",
    name: maskName(paid.name),
    document: maskDocument(paid.document),
    bank: bank === null ? null : bankLabel(bank),
    ispb: paid.institutionIspb,
    code: paid.institutionCode,
    branch: paid.branchCode,
    account: paid.accountCode,
    accountType: paid.bankAccountType,
  };
}

const ofExternal = (body: ExternalTransfer): OrderedTransfer => ({
  userId: body.userId,
  amount: body.value,
  description: null,
  to: recipientOf(body),
});

/** Null when it does not open. */
export function orderedBodyOf(kind: TransferKind, intent: Intent): OrderedTransfer | null {
  const { bodySealed } = intent;
  if (bodySealed === null) return null;
  const bytes = unsealedOrNull(() => unseal(bodySealed, intentTarget("body_sealed", intent)));
  if (bytes === null) return null;
  const body = parseJson(bytes);
  return kind === "INTERNAL" ? ofInternal(InternalTransfer.parse(body)) : ofExternal(ExternalTransfer.parse(body));
}

/** Null when it is no longer what was proposed. */
export async function orderedApprovalOf(row: Approval): Promise<(OrderedTransfer & { essence: Essence }) | null> {
  const snapshot = await readSnapshot(row);
  if (snapshot === null) return null;
  const order: unknown = JSON.parse(snapshot.order);
  if (row.kind === "transfer.internal") {
    const internal = InternalOrder.parse(order);
    return { ...ofInternal(internal), essence: essenceOfInternal(internal) };
  }
  const external = ExternalOrder.parse(order);
  return { ...ofExternal(external), essence: essenceOfExternal(external) };
}

export const partyOf = (row: typeof account.$inferSelect): AccountParty => ({
  as: "account",
  name: `${row.branch} / ${row.number}`,
  ref: row.ref,
  document: shownAccountDocument(row).mask,
  holder: row.holder,
  standing: row.standing,
});

export type Reader = Actor<"transfers:read"> | Actor<"statement:export">;

type OwnView = Exclude<TransferView, "all">;

const viewOfIntent = sql<OwnView | null>`case
  when ${isUnanswered} then 'unanswered' when ${transfer.returnedAt} is not null then 'returned' when ${providerIntent.state} = 'HELD' then 'held'
  when ${providerIntent.state} = 'DONE' then 'confirmed' when ${providerIntent.state} = 'REFUSED' then 'unpaid' end`;

const TRANSFER_KINDS = ["transfer.internal", "transfer.external"] as const;

/** Those that were sent, and the proposals of which nothing was sent. */
function orderedIn(store: Db, tenant: string) {
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

type Sent = {
  transfer: typeof transfer.$inferSelect;
  intent: typeof providerIntent.$inferSelect;
  paidAccountId: string | null;
};
type Proposal = typeof approval.$inferSelect;

/** What carried it, or is to; what was refused may be proposed, corrected. */
const isOfSent = ({ id }: Proposal, sent: Sent | undefined) =>
  sent === undefined || sent.transfer.approvalId === id || sent.intent.state === "REFUSED";

/** What is on record of these, by intent. */
async function recordsOf(store: Db | Tx, tenant: string, ids: readonly string[]) {
  if (ids.length === 0) return { sent: new Map<string, Sent>(), pendingApprovals: new Map<string, Proposal>() };
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

const unknown = (name: string): AccountParty => ({
  as: "account",
  name,
  ref: null,
  document: null,
  holder: null,
  standing: "UNTOLD",
});

/** Accounts as people know them; by the provider's id when nobody looked them up. */
async function namesOf(store: Db | Tx, tenant: string, wanted: readonly string[]): Promise<Names> {
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

async function orderOf(kind: TransferKind, sent: Sent | undefined, pendingApproval: Proposal | undefined) {
  if (sent === undefined) return pendingApproval === undefined ? null : orderedApprovalOf(pendingApproval);
  const { approvalId } = sent.transfer;
  const carriedIt = pendingApproval !== undefined && pendingApproval.id === approvalId;
  // What carried it still says what was sent.
  return orderedBodyOf(kind, sent.intent) ?? (carriedIt ? orderedApprovalOf(pendingApproval) : null);
}

/** The own account that is paid, by its order or by what is kept beside it. */
function paidAccountOf(order: OrderedTransfer | null, sent: Sent | undefined): string | null {
  if (order === null) return sent?.paidAccountId ?? null;
  return order.to.as === "account" ? order.to.accountId : null;
}

export type ReadTransfer = { row: TransferRow; order: OrderedTransfer | null; sent?: Sent; pendingApproval?: Proposal };

async function readAll(store: Db, reader: Reader, found: readonly Ordered[]): Promise<ReadTransfer[]> {
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

export type TransferList = Page<TransferRow> & {
  counts: Record<TransferView, number>;
  /** Of what is filtered, all pages. */
  sum: TransferSum;
  /** The account that the filter names; null: any. */
  account: AccountParty | null;
  /** Whom the filter names, masked; null: anybody. */
  payee: string | null;
  /** What can be chosen from. */
  people: { id: string; name: string }[];
  banks: { ispb: string; label: string }[];
};

const startOf = (day: string) => sql`(${day}::timestamp at time zone ${TIME_ZONE})`;

type OrderedIn = ReturnType<typeof orderedIn>;

type Narrowed = { filter: TransferFilter; payees: Awaited<ReturnType<typeof payeeNarrowing>> };

function narrowing(ordered: OrderedIn, reader: Reader, { filter, payees }: Narrowed): SQL | undefined {
  const { kind, period, from, to, state, who, account: ref, min, max } = filter;
  return and(
    kind && eq(ordered.kind, kind),
    state && eq(ordered.state, state),
    period && gte(ordered.at, startOf(firstOfLastDays(Number(period)))),
    from === undefined ? undefined : gte(ordered.at, startOf(from)),
    to === undefined ? undefined : lt(ordered.at, sql`((${to}::date + 1)::timestamp at time zone ${TIME_ZONE})`),
    min === undefined ? undefined : sql`${ordered.amount}::numeric >= ${min}::numeric`,
    max === undefined ? undefined : sql`${ordered.amount}::numeric <= ${max}::numeric`,
    who === undefined ? undefined : eq(ordered.staffId, who === "me" ? reader.id : who),
    ref === undefined ? undefined : eq(ordered.object, `account:${ref}`),
    payees === null ? undefined : inArray(ordered.id, payees.intents),
  );
}

const inView = (ordered: OrderedIn, view: TransferView) => (view === "all" ? undefined : eq(ordered.view, view));

const MAX_PEOPLE = 500;

/** Who ordered any of the tenant's. */
function peopleOf(store: Db, tenant: string) {
  const senders = store.select({ id: transfer.staffId }).from(transfer).where(eq(transfer.tenant, tenant));
  const makers = store
    .select({ id: approval.makerId })
    .from(approval)
    .where(and(eq(approval.tenant, tenant), inArray(approval.kind, [...TRANSFER_KINDS])));
  return store
    .select({ id: staff.id, name: staff.name })
    .from(staff)
    .where(or(inArray(staff.id, senders), inArray(staff.id, makers)))
    .orderBy(staff.name)
    .limit(MAX_PEOPLE);
}

/** Newest first. */
export async function readTransfers(reader: Reader, given: Partial<TransferFilter>): Promise<TransferList> {
  const filter = TransferFilter.parse(given);
  const store = await db();
  const { tenant } = reader;
  const ordered = orderedIn(store, tenant);
  const { view, account: ref } = filter;
  const payees = await payeeNarrowing(store, tenant, filter);
  const narrowed = narrowing(ordered, reader, { filter, payees });
  const fits = and(narrowed, inView(ordered, view));
  const [now, people, banks, counted] = await Promise.all([
    storeNow(store),
    peopleOf(store, tenant),
    paidBanks(store, tenant),
    store
      .select({
        view: ordered.view,
        n: count(),
        amount: sql<string>`coalesce(sum(${ordered.amount}::numeric), 0)::text`,
        confirmed: sql<string>`coalesce(sum(${ordered.amount}::numeric) filter (where ${ordered.state} = 'CONFIRMED'), 0)::text`,
        unknown: sql<number>`(count(*) filter (where ${ordered.amount} is null))::int`,
      })
      .from(ordered)
      .where(narrowed)
      .groupBy(ordered.view),
  ]);
  const within = (one: TransferView) => counted.filter(({ view: own }) => one === "all" || own === one);
  const countOf = (one: TransferView) => within(one).reduce((all, { n }) => all + n, 0);
  const sumOf = (of: "amount" | "confirmed") =>
    decimalOf(within(view).reduce((units, sums) => units + unitsOf(sums[of]), 0n));
  const counts: TransferList["counts"] = {
    all: countOf("all"),
    waiting: countOf("waiting"),
    held: countOf("held"),
    unanswered: countOf("unanswered"),
    confirmed: countOf("confirmed"),
    returned: countOf("returned"),
    unpaid: countOf("unpaid"),
  };
  const { page, totalPages, offset } = pageWindow(filter.page, counts[view]);
  const found = await store
    .select()
    .from(ordered)
    .where(fits)
    .orderBy(desc(ordered.at), ordered.id)
    .limit(PAGE_SIZE)
    .offset(offset);
  const rows = await readAll(store, reader, found);
  const asOf = now.toISOString();
  return {
    rows: rows.map(({ row }) => row),
    page,
    totalPages,
    total: counts[view],
    counts,
    sum: {
      amount: sumOf("amount"),
      confirmed: sumOf("confirmed"),
      unknown: within(view).reduce((all, { unknown: n }) => all + n, 0),
    },
    payee: payees?.shown ?? null,
    people,
    banks,
    account: ref === undefined ? null : (await namesOf(store, tenant, [ref])).byObject(ref),
    asOf,
    isStale: false,
    failure: null,
  };
}

/** Null when the tenant has none of this intent. */
export async function findTransfer(store: Db, reader: Reader, id: string): Promise<ReadTransfer | null> {
  const ordered = orderedIn(store, reader.tenant);
  const found = await store.select().from(ordered).where(eq(ordered.id, id)).limit(1);
  const [read] = await readAll(store, reader, found);
  return read ?? null;
}

/** Whom a transfer that was sent pays, on one line and masked; null where nothing tells. */
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

const EARLIER_MAX = 5;

/** The newest transfers of the tenant to whom this one pays, whoever ordered them; null when that does not open. */
export async function readEarlierToPayee(store: Db, reader: Reader, of: ReadTransfer): Promise<TransferRow[] | null> {
  const { row, sent, pendingApproval } = of;
  const order = pendingApproval === undefined ? null : await orderedApprovalOf(pendingApproval);
  const hashes = sent === undefined ? order && lookupHashes(order.essence.payee) : [sent.transfer.payeeHash];
  if (hashes === null) return null;
  const ordered = orderedIn(store, reader.tenant);
  const toPayee = store
    .select({ intentId: transfer.intentId })
    .from(transfer)
    .where(and(eq(transfer.tenant, reader.tenant), inArray(transfer.payeeHash, hashes), ne(transfer.payeeHash, "")));
  const found = await store
    .select()
    .from(ordered)
    .where(and(inArray(ordered.id, toPayee), ne(ordered.id, row.id), lt(ordered.at, new Date(row.at))))
    .orderBy(desc(ordered.at), ordered.id)
    .limit(EARLIER_MAX);
  return (await readAll(store, reader, found)).map((read) => read.row);
}

const BATCH_ROWS = 200;

/** All that the filter fits, newest first, some at a time. */
export async function* transferBatches(
  store: Db,
  reader: Reader,
  filter: TransferFilter,
): AsyncGenerator<ReadTransfer[]> {
  const ordered = orderedIn(store, reader.tenant);
  // Of more digits than a JavaScript date has.
  const instant = sql<string>`${ordered.at}::text`;
  const payees = await payeeNarrowing(store, reader.tenant, filter);
  const fits = and(narrowing(ordered, reader, { filter, payees }), inView(ordered, filter.view));
  let afterCursor: SQL | undefined;
  for (;;) {
    const found = await store
      .select({
        id: ordered.id,
        at: ordered.at,
        kind: ordered.kind,
        state: ordered.state,
        staffId: ordered.staffId,
        object: ordered.object,
        instant,
      })
      .from(ordered)
      .where(and(fits, afterCursor))
      .orderBy(desc(ordered.at), desc(ordered.id))
      .limit(BATCH_ROWS);
    const last = found.at(-1);
    if (last === undefined) return;
    yield readAll(store, reader, found);
    afterCursor = sql`(${ordered.at}, ${ordered.id}) < (${last.instant}::timestamptz, ${last.id}::uuid)`;
  }
}
