import { followedUntil } from "@/lib/db/provider-silence";
import { type SQL, and, count, desc, eq, inArray, or, sql } from "drizzle-orm";
import { approval } from "@/lib/db/tables/approvals";
import { storeNow, within } from "@/lib/db/clock";
import { staff } from "@/lib/db/tables/staff";
import { type Db, db } from "@/lib/db/connection";
import { decimalOf, unitsOf } from "@/lib/text/decimal";
import { PAGE_SIZE, type Page, pageWindow } from "@/lib/text/page";
import { spanOf } from "@/lib/text/period";
import { transfer } from "@/lib/db/tables/transfers";
import { TransferFilter } from "./inputs";
import { paidBanks, payeeNarrowing } from "./find-payee";
import type { AccountParty, TransferRow, TransferSum, TransferView } from "./view";
import { type Reader, TRANSFER_KINDS, orderedIn, namesOf, type ReadTransfer, readAll } from "./records";

export type TransferList = Page<TransferRow> & {
  counts: Record<TransferView, number>;
  /** Over all pages of the filtered list. */
  sum: TransferSum;
  /** The filter's account; null: any. */
  account: AccountParty | null;
  /** The filter's payee, masked; null: any. */
  payee: string | null;
  people: { id: string; name: string }[];
  banks: { ispb: string; label: string }[];
};

type OrderedIn = ReturnType<typeof orderedIn>;

type Narrowed = { filter: TransferFilter; payees: Awaited<ReturnType<typeof payeeNarrowing>> };

function narrowing(ordered: OrderedIn, reader: Reader, { filter, payees }: Narrowed): SQL | undefined {
  const { kind, state, who, account: ref, min, max } = filter;
  return and(
    kind && eq(ordered.kind, kind),
    state && eq(ordered.state, state),
    within(ordered.at, spanOf(filter)),
    min === undefined ? undefined : sql`${ordered.amount}::numeric >= ${min}::numeric`,
    max === undefined ? undefined : sql`${ordered.amount}::numeric <= ${max}::numeric`,
    who === undefined ? undefined : eq(ordered.staffId, who === "me" ? reader.id : who),
    ref === undefined ? undefined : eq(ordered.object, `account:${ref}`),
    payees === null ? undefined : inArray(ordered.id, payees.intents),
  );
}

const inView = (ordered: OrderedIn, view: TransferView) => (view === "all" ? undefined : eq(ordered.view, view));

const MAX_PEOPLE = 500;

/** Everybody who ordered a transfer at the tenant. */
export function orderersOf(store: Db, tenant: string) {
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
    orderersOf(store, tenant),
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
  const countedIn = (one: TransferView) => counted.filter(({ view: own }) => one === "all" || own === one);
  const countOf = (one: TransferView) => countedIn(one).reduce((all, { n }) => all + n, 0);
  const sumOf = (of: "amount" | "confirmed") =>
    decimalOf(countedIn(view).reduce((units, sums) => units + unitsOf(sums[of]), 0n));
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
  return {
    rows: rows.map(({ row }) => row),
    page,
    totalPages,
    total: counts[view],
    counts,
    sum: {
      amount: sumOf("amount"),
      confirmed: sumOf("confirmed"),
      unknown: countedIn(view).reduce((all, { unknown: n }) => all + n, 0),
    },
    payee: payees?.shown ?? null,
    people,
    banks,
    account: ref === undefined ? null : (await namesOf(store, tenant, [ref])).byObject(ref),
    asOf: await followedUntil(store, tenant, now),
    isStale: false,
    failure: null,
  };
}

const BATCH_ROWS = 200;

/** Every match, newest first, in batches. */
export async function* transferBatches(
  store: Db,
  reader: Reader,
  filter: TransferFilter,
): AsyncGenerator<ReadTransfer[]> {
  const ordered = orderedIn(store, reader.tenant);
  // More digits than a JavaScript date has.
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
