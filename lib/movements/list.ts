import { and, arrayOverlaps, asc, desc, eq, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { recordAccess } from "@/lib/audit/access-log";
import { counterpartOfEntry, textOfEntry } from "@/lib/accounts/records";
import { familyOf } from "@/lib/contract/addresses";
import { maskDocument } from "@/lib/contract/document";
import type { Actor } from "@/lib/permission/grant";
import { isStorable } from "@/lib/contract/shared";
import { storeNow } from "@/lib/db/clock";
import { type Db, db } from "@/lib/db/connection";
import { countUpTo } from "@/lib/db/count-up-to";
import { accountEntry } from "@/lib/db/tables/accounts";
import { account } from "@/lib/db/tables/customers";
import { transfer } from "@/lib/db/tables/transfers";
import { chainMovement, wallet, walletLabel } from "@/lib/db/tables/wallets";
import { NETWORKS } from "@/lib/contract/crypto";
import { isDecimal } from "@/lib/text/format";
import { maskName } from "@/lib/text/masks";
import { hrefWith, PAGE_SIZE } from "@/lib/text/page";
import { payeesShown } from "@/lib/transfers/records";
import { hasTime, movementState, publicLink } from "@/lib/wallets/records";
import { movementDirection, movedAsset } from "@/lib/wallets/view";
import { ACCOUNT_COUNTERPART, MovementFilter } from "./inputs";
import { entryHref, mayWallets } from "./records";
import { type ReturnedAt, readReturns } from "./returned";
import { readKinds } from "./unread-sources";
import type { ListedMovement, MovementPage, MovementStanding } from "./view";
import { hasNoToken, narrowEntries, narrowMovements, otherIds, readElsewhere, readWords } from "./where";

type EntryRow = typeof accountEntry.$inferSelect;
type ChainRow = typeof chainMovement.$inferSelect & { isTokenless: boolean };
type Found = { at: Date } & ({ kind: "account"; row: EntryRow } | { kind: "wallet"; row: ChainRow });

/** Where one page ends: a moment, and what tells rows of one moment apart. */
const Place = z.discriminatedUnion("kind", [
  z.object({
    at: z.iso.datetime(),
    kind: z.literal("account"),
    id: z.uuid(),
    key: z.string().refine(isStorable),
    ordinal: z.coerce.number().int(),
  }),
  z.object({
    at: z.iso.datetime(),
    kind: z.literal("wallet"),
    id: z.string().refine(isStorable),
    network: z.enum(NETWORKS),
    key: z.string().refine(isStorable),
    ordinal: z.coerce.number().int(),
  }),
]);
type Place = z.output<typeof Place>;

function cursorOf({ at, kind, row }: Found): string {
  const { key, ordinal } = row;
  const own = kind === "account" ? { id: row.accountRef } : { id: row.walletId, network: row.network };
  const place = new URLSearchParams({ at: at.toISOString(), kind, ...own, key, ordinal: String(ordinal) });
  return Buffer.from(place.toString()).toString("base64url");
}

/** Enough of a digest to tell the rows of a page apart. */
const keyOf = ({ row: { key, ordinal } }: Found): string => `${key.slice(0, 12)}${ordinal}`;

const placeOf = (cursor: string): Place | null =>
  Place.safeParse(Object.fromEntries(new URLSearchParams(Buffer.from(cursor, "base64url").toString("utf8")))).data ??
  null;

type Edge = { place: Place; isUpwards: boolean };

const entryKeys = [accountEntry.at, accountEntry.accountRef, accountEntry.key, accountEntry.ordinal] as const;
const chainKeys = [
  chainMovement.at,
  chainMovement.walletId,
  chainMovement.network,
  chainMovement.key,
  chainMovement.ordinal,
] as const;

/** Of one moment accounts stand before wallets. */
function beyondEntries({ place, isUpwards }: Edge): SQL {
  const at = sql`${place.at}::timestamptz`;
  if (place.kind === "wallet") return isUpwards ? sql`${accountEntry.at} >= ${at}` : sql`${accountEntry.at} < ${at}`;
  const keys = sql`(${sql.join([...entryKeys], sql`, `)})`;
  const edge = sql`(${at}, ${place.id}::uuid, ${place.key}::text, ${place.ordinal}::int)`;
  return isUpwards ? sql`${keys} > ${edge}` : sql`${keys} < ${edge}`;
}

function beyondMovements({ place, isUpwards }: Edge): SQL {
  const at = sql`${place.at}::timestamptz`;
  if (place.kind === "account") return isUpwards ? sql`${chainMovement.at} > ${at}` : sql`${chainMovement.at} <= ${at}`;
  const keys = sql`(${sql.join([...chainKeys], sql`, `)})`;
  const edge = sql`(${at}, ${place.id}::text, ${place.network}::text, ${place.key}::text, ${place.ordinal}::int)`;
  return isUpwards ? sql`${keys} > ${edge}` : sql`${keys} < ${edge}`;
}

type Reader = { tenant: string; roles: Actor["roles"] };

/** What fits the filter, some rows at a time from any place of it. */
export async function openMovementRows(store: Db, reader: Reader, filter: MovementFilter) {
  const { tenant } = reader;
  const entries = await narrowEntries(store, tenant, filter);
  const chain = mayWallets(reader)
    ? await narrowMovements(store, tenant, filter, {
        words: await readWords(store, tenant),
        others: await otherIds(store, tenant),
      })
    : null;
  async function take(edge: Edge | null, limit: number): Promise<Found[]> {
    const isUpwards = edge?.isUpwards ?? false;
    const order = isUpwards ? asc : desc;
    const [kept, moved] = await Promise.all([
      entries === null
        ? []
        : store
            .select()
            .from(accountEntry)
            .where(and(entries.where, edge === null ? undefined : beyondEntries(edge)))
            .orderBy(...entryKeys.map(order))
            .limit(limit),
      chain === null
        ? []
        : store
            .select({ row: chainMovement, isTokenless: hasNoToken(store, tenant) })
            .from(chainMovement)
            .where(and(chain, edge === null ? undefined : beyondMovements(edge)))
            .orderBy(...chainKeys.map(order))
            .limit(limit),
    ]);
    const found: Found[] = [
      ...kept.map((row): Found => ({ at: row.at, kind: "account", row })),
      ...moved.map(({ row, isTokenless }): Found => ({ at: row.at, kind: "wallet", row: { ...row, isTokenless } })),
    ];
    const rank = ({ kind }: Found) => (kind === "account" ? 1 : 0);
    const newestFirst = (one: Found, other: Found) => other.at.getTime() - one.at.getTime() || rank(other) - rank(one);
    const sorted = isUpwards ? found.toSorted((one, other) => newestFirst(other, one)) : found.toSorted(newestFirst);
    return sorted.slice(0, limit);
  }
  return { take, searched: entries?.searched ?? null };
}

const standingOfEntry = ({ droppedAt, isBooked, isDated }: EntryRow): MovementStanding => {
  if (droppedAt !== null) return "dropped";
  if (!isBooked) return "open";
  return isDated ? "booked" : "undated";
};

function standingOfChain(row: ChainRow): MovementStanding {
  const state = movementState(row);
  return state === "confirmed" ? "booked" : state;
}

function shownCounterpart(row: EntryRow): string | null {
  const { name, document } = counterpartOfEntry(row);
  const shown = [name === null ? "" : maskName(name).toUpperCase(), document === null ? "" : maskDocument(document)];
  return shown.filter((part) => part !== "").join(" · ") || null;
}

type Customer = { ref: string; name: string };
type Known = {
  accounts: ReadonlyMap<string, typeof account.$inferSelect>;
  wallets: ReadonlyMap<string, { address: string; label: string | null; customer: Customer | null }>;
  transfers: ReadonlyMap<string, NonNullable<ListedMovement["transfer"]>>;
  returnedAt: ReturnedAt;
  payees: Awaited<ReturnType<typeof payeesShown>>;
  otherOf: (one: Found) => ListedMovement["other"];
};

const customerOf = ({ ref, holder, branch, number }: typeof account.$inferSelect): Customer => ({
  ref,
  name: holder ?? `${branch} / ${number}`,
});

type OfTransfer = NonNullable<ListedMovement["transfer"]>;

const spelt = ({ counterAddress }: ChainRow): string => counterAddress.toLowerCase();

const ofEntry = (entryId: string | null, its: OfTransfer): [string, OfTransfer][] =>
  entryId === null ? [] : [[entryId, its]];

/** The other side of each entry between two wallets or two accounts of the tenant. */
async function readOthers(store: Db, tenant: string, found: readonly Found[]): Promise<Known["otherOf"]> {
  const ids = found.flatMap(({ kind, row }) => (kind === "account" && row.isOwn ? [row.transactionId] : []));
  const addresses = found.flatMap(({ kind, row }) => (kind === "wallet" && row.isOwn ? [spelt(row)] : []));
  const { accountRef, transactionId, at, isDated, direction, droppedAt, isOwn } = accountEntry;
  const [entries, wallets] = await Promise.all([
    ids.length === 0
      ? []
      : store
          .select({ accountRef, transactionId, at, isDated, direction, branch: account.branch, number: account.number })
          .from(accountEntry)
          .innerJoin(account, and(eq(account.tenant, tenant), eq(account.ref, accountRef)))
          .where(and(eq(accountEntry.tenant, tenant), inArray(transactionId, ids), isOwn, isNull(droppedAt))),
    addresses.length === 0
      ? []
      : store
          .select({ wallet, label: walletLabel.label })
          .from(wallet)
          .leftJoin(walletLabel, and(eq(walletLabel.tenant, wallet.tenant), eq(walletLabel.walletId, wallet.id)))
          .where(and(eq(wallet.tenant, tenant), arrayOverlaps(wallet.spellings, addresses)))
          .orderBy(wallet.createdAt),
  ]);
  return ({ kind, row }) => {
    if (!row.isOwn) return null;
    if (kind === "account") {
      const other = entries.find(
        (one) =>
          one.transactionId === row.transactionId &&
          one.accountRef !== row.accountRef &&
          one.direction !== row.direction,
      );
      if (other === undefined) return null;
      return { label: `${other.branch} / ${other.number}`, href: entryHref(other), accountRef: other.accountRef };
    }
    const { network, hash } = row;
    const other = wallets.find(
      ({ wallet: { family, spellings } }) => family === familyOf(network) && spellings.includes(spelt(row)),
    );
    if (other === undefined) return null;
    const { id, address } = other.wallet;
    const href = hrefWith(`/wallets/${encodeURIComponent(id)}`, { network, search: hash });
    return { label: other.label ?? address, href, accountRef: null };
  };
}

async function readKnown(store: Db, tenant: string, found: readonly Found[]): Promise<Known> {
  const entries = found.flatMap((one) => (one.kind === "account" ? [one.row] : []));
  const walletIds = [...new Set(found.flatMap((one) => (one.kind === "wallet" ? [one.row.walletId] : [])))];
  const refs = [...new Set(entries.map(({ accountRef }) => accountRef))];
  const ids = [...new Set(entries.flatMap(({ transactionId }) => (transactionId === "" ? [] : [transactionId])))];
  const ofTenant = eq(account.tenant, tenant);
  const [accounts, wallets, transfers] = await Promise.all([
    refs.length === 0
      ? []
      : store
          .select()
          .from(account)
          .where(and(ofTenant, inArray(account.ref, refs))),
    walletIds.length === 0
      ? []
      : store
          .select({ id: wallet.id, address: wallet.address, label: walletLabel.label, holder: account })
          .from(wallet)
          .leftJoin(walletLabel, and(eq(walletLabel.tenant, wallet.tenant), eq(walletLabel.walletId, wallet.id)))
          .leftJoin(account, and(eq(account.tenant, wallet.tenant), eq(account.userId, wallet.userId)))
          .where(and(eq(wallet.tenant, tenant), inArray(wallet.id, walletIds))),
    ids.length === 0
      ? []
      : store
          .select({
            id: transfer.intentId,
            transactionId: transfer.transactionId,
            returnId: transfer.returnId,
          })
          .from(transfer)
          .where(
            and(eq(transfer.tenant, tenant), or(inArray(transfer.transactionId, ids), inArray(transfer.returnId, ids))),
          ),
  ]);
  return {
    accounts: new Map(accounts.map((row) => [row.ref, row])),
    wallets: new Map(
      wallets.map(({ id, address, label, holder }) => [
        id,
        { address, label, customer: holder === null ? null : customerOf(holder) },
      ]),
    ),
    transfers: new Map(
      transfers.flatMap(({ id, transactionId, returnId }) => [
        ...ofEntry(returnId, { id, isReturn: true }),
        ...ofEntry(transactionId, { id, isReturn: false }),
      ]),
    ),
    payees: await payeesShown(
      store,
      tenant,
      transfers.map(({ id }) => id),
    ),
    returnedAt: await readReturns(store, tenant, ids),
    otherOf: await readOthers(store, tenant, found),
  };
}

const accountKeyOf = (other: ListedMovement["other"]): string | null =>
  other === null || other.accountRef === null ? null : `${ACCOUNT_COUNTERPART}${other.accountRef}`;

function listedEntry(found: Found & { kind: "account" }, known: Known): ListedMovement {
  const { row } = found;
  const { accountRef, transactionId, direction, directionWord, amount, type, status, at, isDated } = row;
  const holder = known.accounts.get(accountRef);
  const sent = known.transfers.get(transactionId) ?? null;
  const isPaying = sent !== null && (direction === "out" || sent.isReturn);
  const payee = isPaying ? known.payees.get(sent.id) : undefined;
  const other = known.otherOf(found);
  return {
    key: keyOf(found),
    kind: "account",
    source: { id: accountRef, label: holder === undefined ? "" : `${holder.branch} / ${holder.number}` },
    at: isDated ? at.toISOString() : null,
    direction,
    amount: direction === null ? `${amount} ${directionWord}`.trim() : amount,
    isExact: direction !== null && isDecimal(amount),
    type,
    standing: standingOfEntry(row),
    status,
    text: textOfEntry(row),
    counterpart: shownCounterpart(row) ?? payee?.shown ?? null,
    counterpartKey: accountKeyOf(other) ?? row.documentHash ?? row.nameHash ?? payee?.key ?? null,
    id: transactionId,
    explorer: null,
    href: entryHref(row),
    transfer: sent,
    returnedAt: known.returnedAt(row),
    customer: holder === undefined ? null : customerOf(holder),
    isOwn: row.isOwn,
    other,
  };
}

function listedChain(tenant: string, found: Found & { kind: "wallet" }, known: Known): ListedMovement {
  const { row } = found;
  const { walletId, network, hash, subtype, amount, tokenAddress: token, counterAddress, status } = row;
  const place = known.wallets.get(walletId);
  const direction = movementDirection(subtype);
  const { asset, basis } = movedAsset(row, row.isTokenless);
  const isExact = direction !== null && isDecimal(amount) && !amount.startsWith("-");
  return {
    key: keyOf(found),
    kind: "wallet",
    source: { id: walletId, label: place?.label ?? place?.address ?? walletId },
    at: hasTime(row) ? row.at.toISOString() : null,
    direction,
    amount: isExact ? amount : `${amount} ${subtype}`.trim(),
    isExact,
    coin: { network, asset, token, ...(basis === "likely" && { isLikely: true }) },
    type: subtype,
    standing: standingOfChain(row),
    status: status ?? "",
    text: "",
    counterpart: counterAddress,
    counterpartKey: counterAddress === "" ? null : counterAddress,
    id: hash,
    explorer: publicLink(tenant, network, hash),
    href: hrefWith(`/wallets/${encodeURIComponent(walletId)}`, { network, search: hash }),
    transfer: null,
    returnedAt: null,
    customer: place?.customer ?? null,
    isOwn: row.isOwn,
    other: known.otherOf(found),
  };
}

export async function toListed(store: Db, tenant: string, found: readonly Found[]): Promise<ListedMovement[]> {
  const known = await readKnown(store, tenant, found);
  return found.map((one) => (one.kind === "account" ? listedEntry(one, known) : listedChain(tenant, one, known)));
}

/** Newest first, some at a time. */
export async function* movementBatches(store: Db, reader: Reader, filter: MovementFilter, size: number) {
  const { take } = await openMovementRows(store, reader, filter);
  let edge: Edge | null = null;
  for (;;) {
    const found: Found[] = await take(edge, size);
    yield toListed(store, reader.tenant, found);
    const last = found.at(-1);
    const place = last === undefined ? null : placeOf(cursorOf(last));
    if (found.length < size || place === null) return;
    edge = { place, isUpwards: false };
  }
}

/** What the filter names, as people know it; of an account, that this person looked at it is on record. */
async function nameOf(
  store: Db,
  actor: Actor,
  { account: ref, wallet: walletId }: MovementFilter,
): Promise<string | null> {
  const { tenant } = actor;
  if (ref !== undefined) {
    const { branch, number } = account;
    const isIt = and(eq(account.tenant, tenant), eq(account.ref, ref));
    const [found] = await store.select({ branch, number }).from(account).where(isIt);
    if (found === undefined) return ref;
    await recordAccess(actor, `account:${ref}`);
    return `${found.branch} / ${found.number}`;
  }
  if (walletId === undefined || !mayWallets(actor)) return walletId ?? null;
  const isIt = and(eq(wallet.tenant, tenant), eq(wallet.id, walletId));
  const [found] = await store.select({ address: wallet.address }).from(wallet).where(isIt);
  return found?.address ?? walletId;
}

/** By kind; null while a text is searched for, which opens the newest texts alone. */
async function countKinds(
  store: Db,
  reader: Reader,
  { filter, asOf }: { filter: MovementFilter; asOf: string },
): Promise<MovementPage["counts"]> {
  if (filter.search !== undefined) return null;
  const { tenant } = reader;
  const ofAccounts = await narrowEntries(store, tenant, { ...filter, kind: "account" });
  const ofWallets = mayWallets(reader)
    ? await narrowMovements(
        store,
        tenant,
        { ...filter, kind: "wallet" },
        { words: await readWords(store, tenant), others: await otherIds(store, tenant) },
      )
    : null;
  const entries = ofAccounts === null ? 0 : await countUpTo(store, accountEntry, ofAccounts.where);
  const movements = ofWallets === null ? 0 : await countUpTo(store, chainMovement, ofWallets);
  const isRead = await readKinds(store, tenant);
  return {
    account: { count: entries, asOf: isRead.account ? asOf : null },
    wallet: { count: movements, asOf: isRead.wallet ? asOf : null },
  };
}

/** Keyset paging: the last page costs what the first one does. */
export async function readMovements(
  actor: Actor<"accounts:read">,
  given: Record<string, unknown>,
): Promise<MovementPage> {
  const filter = MovementFilter.parse(given);
  const { before, after } = filter;
  const { tenant } = actor;
  const store = await db();
  const named = await nameOf(store, actor, filter);
  const { take, searched } = await openMovementRows(store, actor, filter);
  const upper = after === undefined ? null : placeOf(after);
  const lower = before === undefined ? null : placeOf(before);
  const up = upper === null ? null : await take({ place: upper, isUpwards: true }, PAGE_SIZE + 1);
  // Less than a page is left above: the newest page is shown whole.
  const isUpwards = up !== null && up.length > PAGE_SIZE;
  const isFirst = up !== null || lower === null;
  const found = isUpwards ? up : await take(isFirst ? null : { place: lower, isUpwards: false }, PAGE_SIZE + 1);
  const page = found.slice(0, PAGE_SIZE);
  const shown = isUpwards ? page.toReversed() : page;
  const first = shown[0];
  const last = shown.at(-1);
  const asOf = (await storeNow(store)).toISOString();
  return {
    rows: await toListed(store, tenant, shown),
    named,
    older: last !== undefined && (isUpwards || found.length > PAGE_SIZE) ? cursorOf(last) : null,
    newer: first !== undefined && (isUpwards || !isFirst) ? cursorOf(first) : null,
    hasWallets: mayWallets(actor),
    counts: await countKinds(store, actor, { filter, asOf }),
    searched,
    elsewhere: await readElsewhere(store, tenant, filter),
    asOf,
  };
}
