import { randomUUID } from "node:crypto";
import { and, asc, eq, inArray, or, sql } from "drizzle-orm";
import { isCoin } from "@/lib/contract/coins";
import { CHAIN_FAMILIES, type ChainFamily } from "@/lib/contract/crypto";
import { addressKey, addressSpellings } from "@/lib/contract/identity";
import type { Db, Tx } from "@/lib/db/connection";
import { holdLock } from "@/lib/db/lock";
import { publishAll } from "@/lib/db/publish";
import { lookupHash, lookupHashes, seal, unseal, unsealedOrNull } from "@/lib/db/seal";
import type { EntryPlace, Evidence } from "@/lib/db/enums/deposits";
import { deposit, depositNotice } from "@/lib/db/tables/deposits";
import { chainMovement, wallet, walletLabel, walletRequest } from "@/lib/db/tables/wallets";
import { hasTime, movementState, type StoredMovement, toldReference } from "@/lib/wallets/records";
import { openedLabels } from "@/lib/wallets/look-up";
import { movementDirection } from "@/lib/wallets/view";
import { assembleDeposits, type Entry, type Expected, type Facts, type Notice } from "./assemble";
import type { AddressKey } from "./cash-in";
import type { Arrival, Sweep } from "./sweeps";

type DepositRow = typeof deposit.$inferSelect;

export const depositTarget = (
  column: "reference_sealed" | "note_sealed",
  { tenant, id }: Pick<DepositRow, "tenant" | "id">,
) => ({ column: `deposit.${column}`, row: [tenant, id] }) as const;

export const openedReference = (row: Pick<DepositRow, "tenant" | "id">, sealed: string): string | null =>
  unsealedOrNull(() => unseal(sealed, depositTarget("reference_sealed", row)));

/** Before any row is locked; who only notes on rows needs their locks alone. */
export const holdDeposits = (tx: Tx, tenant: string): Promise<void> => holdLock(tx, `deposits ${tenant}`);

const isFamily = (name: string): name is ChainFamily => CHAIN_FAMILIES.some((family) => family === name);

/** `walletIds`: under which the provider lists it; `reference` null: nothing here says whose it is. */
export type KnownAddress = AddressKey & {
  address: string;
  walletIds: string[];
  reference: string | null;
  isCheckout: boolean;
};

/** What is known here of these addresses; the first of several requests counts. */
export async function readKnown(tx: Db | Tx, tenant: string, keys: readonly AddressKey[]): Promise<KnownAddress[]> {
  const spellings = keys.flatMap(({ family, addressKey: key }) => addressSpellings(family, key));
  if (spellings.length === 0) return [];
  const wallets = await tx
    .select({ wallet, use: walletLabel.use })
    .from(wallet)
    .leftJoin(walletLabel, and(eq(walletLabel.tenant, wallet.tenant), eq(walletLabel.walletId, wallet.id)))
    .where(and(eq(wallet.tenant, tenant), inArray(sql`lower(${wallet.address})`, spellings)));
  const ids = wallets.map((one) => one.wallet.id);
  const isAt = inArray(sql`lower(${walletRequest.address})`, spellings);
  const requests = await tx
    .select()
    .from(walletRequest)
    .where(
      and(eq(walletRequest.tenant, tenant), ids.length === 0 ? isAt : or(isAt, inArray(walletRequest.walletId, ids))),
    )
    .orderBy(asc(walletRequest.createdAt), asc(walletRequest.intentId));
  return keys.map(({ family, addressKey: key }): KnownAddress => {
    const own = wallets.filter((one) => one.wallet.family === family && addressKey(family, one.wallet.address) === key);
    const ownIds = own.map((one) => one.wallet.id);
    const made = requests.filter(
      (one) =>
        one.family === family &&
        ((one.walletId !== null && ownIds.includes(one.walletId)) ||
          (one.address !== null && addressKey(family, one.address) === key)),
    );
    const opened = made.map((one) => openedLabels(one)).find((one) => one.reference ?? one.customer);
    const told = own.flatMap((one) => toldReference(one.wallet) ?? [])[0] ?? null;
    const userId = own.flatMap((one) => one.wallet.userId ?? [])[0] ?? null;
    const isForward = own.some(
      (one) => one.use === "checkout" || (one.use === null && one.wallet.isForwardPayment === true),
    );
    return {
      family,
      addressKey: key,
      address: own[0]?.wallet.address ?? made[0]?.address ?? key,
      walletIds: ownIds,
      reference: opened?.reference ?? opened?.customer ?? told ?? userId,
      isCheckout: isForward || made.some((one) => one.isForward),
    };
  });
}

/** What no wallet here has may be a checkout address of another system. */
const mayBeOurs = ({ isCheckout, walletIds }: KnownAddress) => isCheckout || walletIds.length === 0;

/** Of one reference, or one address without any. */
type Group = { reference: string | null; addresses: KnownAddress[] };

async function addressesOf(tx: Db | Tx, tenant: string, reference: string): Promise<AddressKey[]> {
  const hashes = lookupHashes(reference);
  const rows = await tx
    .select({
      family: walletRequest.family,
      address: sql<string>`coalesce(${walletRequest.address}, ${wallet.address})`,
    })
    .from(walletRequest)
    .leftJoin(wallet, and(eq(wallet.tenant, walletRequest.tenant), eq(wallet.id, walletRequest.walletId)))
    .where(
      and(
        eq(walletRequest.tenant, tenant),
        or(inArray(walletRequest.referenceHash, hashes), inArray(walletRequest.customerHash, hashes)),
        sql`coalesce(${walletRequest.address}, ${wallet.address}) is not null`,
      ),
    );
  const ofUser = await tx
    .select({ family: wallet.family, address: wallet.address })
    .from(wallet)
    .where(and(eq(wallet.tenant, tenant), or(eq(wallet.userId, reference), inArray(wallet.referenceHash, hashes))));
  return [...rows, ...ofUser].flatMap(({ family, address }) =>
    isFamily(family) ? [{ family, addressKey: addressKey(family, address) }] : [],
  );
}

const nameOf = ({ family, addressKey: key }: AddressKey) => `${family} ${key}`;

const distinct = (keys: readonly AddressKey[]) => new Map(keys.map((one) => [nameOf(one), one]));

export async function groupOf(
  tx: Db | Tx,
  tenant: string,
  reference: string,
  more: readonly AddressKey[],
): Promise<Group> {
  const all = distinct([...more, ...(await addressesOf(tx, tenant, reference))]);
  const known = await readKnown(tx, tenant, [...all.values()]);
  return { reference, addresses: known.filter((one) => one.isCheckout && one.reference === reference) };
}

/** Null: no address of ours that people pay to. */
async function groupAt(tx: Tx, tenant: string, key: AddressKey): Promise<Group | null> {
  const [known] = await readKnown(tx, tenant, [key]);
  if (known === undefined) return null;
  if (known.isCheckout && known.reference !== null) return groupOf(tx, tenant, known.reference, [known]);
  return mayBeOurs(known) ? { reference: null, addresses: [known] } : null;
}

const placeOf = ({ walletId, network, key, ordinal }: EntryPlace): string =>
  JSON.stringify([network, key, ordinal, walletId]);
/** One address may be listed under several ids. */
const once = (rows: readonly StoredMovement[]): StoredMovement[] => [
  ...new Map(rows.toReversed().map((row) => [JSON.stringify([row.network, row.key, row.ordinal]), row])).values(),
];

const stateOf = (row: StoredMovement): Entry["state"] => {
  const state = movementState(row);
  return state === "undated" ? "confirmed" : state;
};

/** Empty where its entry tells the network's coin. */
const tokenOf = ({ network, tokenAddress, asset }: StoredMovement): string | null =>
  tokenAddress ?? (asset !== null && isCoin(network, { asset }) ? "" : null);

async function readEntries(tx: Tx, tenant: string, { addressKey: key, walletIds }: KnownAddress) {
  if (walletIds.length === 0) return [];
  const rows = await tx
    .select()
    .from(chainMovement)
    .where(and(eq(chainMovement.tenant, tenant), inArray(chainMovement.walletId, walletIds)))
    .orderBy(chainMovement.walletId);
  return once(rows.filter(({ subtype }) => movementDirection(subtype) === "in")).map((row) => ({
    row,
    entry: {
      id: placeOf(row),
      addressKey: key,
      network: row.network,
      txHash: row.hash,
      amount: row.amount,
      token: tokenOf(row),
      asset: row.asset,
      at: row.at,
      isDated: hasTime(row),
      state: stateOf(row),
    } satisfies Entry,
  }));
}

async function readSweepRows(
  tx: Tx,
  tenant: string,
  { family, addressKey: key }: KnownAddress,
): Promise<StoredMovement[]> {
  const rows = await tx
    .select({ row: chainMovement })
    .from(chainMovement)
    .innerJoin(wallet, and(eq(wallet.tenant, chainMovement.tenant), eq(wallet.id, chainMovement.walletId)))
    .where(
      and(
        eq(chainMovement.tenant, tenant),
        inArray(sql`lower(${chainMovement.counterAddress})`, addressSpellings(family, key)),
        sql`${wallet.isForwardPayment} is not true`,
      ),
    )
    .orderBy(chainMovement.walletId);
  return once(rows.map(({ row }) => row)).filter(
    (row) => movementDirection(row.subtype) === "in" && stateOf(row) === "confirmed",
  );
}

const noticeOf = (row: typeof depositNotice.$inferSelect): Notice => ({ ...row, id: row.identity });

/** Sweeps whose addresses were read since, or cannot be. */
export type AskedSweeps = ReadonlySet<string>;

/** A sweep that what arrived does not explain, and the address to read. */
export type PendingSweep = {
  id: string;
  at: Date;
  walletId: string;
  address: string;
  network: Sweep["network"];
  token: string | null;
};

type Read = { facts: Facts; entries: Map<string, StoredMovement>; pending: PendingSweep[] };

async function readFacts(
  tx: Tx,
  tenant: string,
  { reference, addresses }: Group,
  { expected, asked }: { expected: readonly DepositRow[]; asked: AskedSweeps },
): Promise<Read> {
  const keys = addresses.map((one) => one.addressKey);
  const notices =
    keys.length === 0
      ? []
      : await tx
          .select()
          .from(depositNotice)
          .where(and(eq(depositNotice.tenant, tenant), inArray(depositNotice.addressKey, keys)));
  const stored = new Map<string, StoredMovement>();
  const entries: Entry[] = [];
  const sweeps: Sweep[] = [];
  const pending: PendingSweep[] = [];
  for (const known of addresses) {
    for (const { row, entry } of await readEntries(tx, tenant, known)) {
      stored.set(entry.id, row);
      entries.push(entry);
    }
    const [walletId] = known.walletIds;
    for (const row of await readSweepRows(tx, tenant, known)) {
      const id = placeOf(row);
      const { network, tokenAddress, asset, amount, at } = row;
      const isRead = asked.has(id) || walletId === undefined;
      stored.set(id, row);
      sweeps.push({
        id,
        addressKey: known.addressKey,
        network,
        token: tokenOf(row),
        asset,
        amount,
        at,
        isDated: hasTime(row),
        isRead,
      });
      if (!isRead) pending.push({ id, at, walletId, address: known.address, network, token: tokenAddress });
    }
  }
  const isUnknown = reference === null && !(addresses[0]?.isCheckout ?? false);
  return {
    facts: {
      reference: reference === null ? (isUnknown ? "unknown-address" : "none") : "known",
      notices: notices.map(noticeOf),
      entries,
      sweeps,
      expected: expected.map((row): Expected => ({ ...row, typedAt: row.seenAt })),
    },
    entries: stored,
    pending,
  };
}

const evidenceOf = (one: Arrival, entries: Read["entries"]): Evidence => {
  const placed = (id: string | null): EntryPlace | null => {
    const row = id === null ? undefined : entries.get(id);
    return row === undefined
      ? null
      : { walletId: row.walletId, network: row.network, key: row.key, ordinal: row.ordinal };
  };
  return { notices: one.notices, entry: placed(one.entry), sweep: placed(one.sweep) };
};

const marksOf = ({ notices, entry }: Evidence): string[] => [...notices, ...(entry === null ? [] : [placeOf(entry)])];

const isOfSweep = (row: DepositRow, { sweep }: Evidence): boolean =>
  sweep !== null && row.evidence?.sweep != null && placeOf(row.evidence.sweep) === placeOf(sweep);

/** The row that this arrival had: by an event or its entry, else the row that its sweep stood for until it was read. */
function rowOf(evidence: Evidence, rows: readonly DepositRow[]): DepositRow | undefined {
  const marks = new Set(marksOf(evidence));
  const isSame = (row: DepositRow) => row.evidence !== null && marksOf(row.evidence).some((mark) => marks.has(mark));
  return rows.find(isSame) ?? rows.find((row) => row.stage === "summed" && isOfSweep(row, evidence));
}

const CHANGING = [
  "standing",
  "cause",
  "stage",
  "referenceHash",
  "network",
  "txHash",
  "amount",
  "token",
  "asset",
  "expectedId",
  "sweepWalletId",
] as const;

const spellingOf = (evidence: Evidence | null | undefined): string =>
  JSON.stringify(evidence && [...marksOf(evidence), evidence.sweep && placeOf(evidence.sweep)]);

const timeOf = (at: Date | null) => at?.getTime() ?? null;

const differs = (row: DepositRow, values: Partial<DepositRow>): boolean =>
  CHANGING.some((name) => row[name] !== values[name]) ||
  timeOf(row.at) !== timeOf(values.at ?? null) ||
  timeOf(row.dueAt) !== timeOf(values.dueAt ?? null) ||
  spellingOf(row.evidence) !== spellingOf(values.evidence);

/** In one order, so that two who lock several cannot deadlock. */
async function lockRows(tx: Tx, tenant: string, { reference, addresses }: Group): Promise<DepositRow[]> {
  const keys = addresses.map((one) => one.addressKey);
  const isOfThese = or(
    keys.length === 0 ? undefined : inArray(deposit.addressKey, keys),
    reference === null ? undefined : inArray(deposit.referenceHash, lookupHashes(reference)),
  );
  if (isOfThese === undefined) return [];
  return tx
    .select()
    .from(deposit)
    .where(and(eq(deposit.tenant, tenant), isOfThese))
    .orderBy(deposit.id)
    .for("update");
}

/** Puts what is known of one reference, or of one address, into its rows. What gained or lost nothing stays as it is. */
async function keepGroup(tx: Tx, tenant: string, group: Group, asked: AskedSweeps): Promise<PendingSweep[]> {
  const { reference, addresses } = group;
  const hashes = reference === null ? [] : lookupHashes(reference);
  const rows = await lockRows(tx, tenant, group);
  const expected = rows.filter(({ kind, cause }) => kind === "expected" && cause !== "withdrawn");
  const before = rows.filter(({ kind }) => kind === "arrival");
  const { facts, entries, pending } = await readFacts(tx, tenant, group, { expected, asked });
  const { arrivals, fulfilled } = assembleDeposits(facts);
  const seenAt = new Date();
  const changed: string[] = [];
  const left = new Set(before);
  for (const one of arrivals) {
    const evidence = evidenceOf(one, entries);
    const row = rowOf(evidence, [...left]);
    if (row !== undefined) left.delete(row);
    const id = row?.id ?? randomUUID();
    const wanted = expected.find((candidate) => candidate.id === one.expected);
    const isNamed = row?.referenceHash != null && hashes.includes(row.referenceHash);
    const values = {
      standing: one.standing,
      cause: one.cause,
      stage: one.stage,
      referenceHash: isNamed ? row.referenceHash : reference === null ? null : lookupHash(reference),
      address: addresses.find((known) => known.addressKey === one.addressKey)?.address ?? one.addressKey,
      addressKey: one.addressKey,
      network: one.network,
      txHash: one.txHash,
      amount: one.amount,
      token: one.token,
      asset: one.asset,
      at: one.at ?? row?.at ?? one.seenAt ?? seenAt,
      dueAt: wanted?.dueAt ?? null,
      expectedId: one.expected,
      matchedAt: one.expected === null ? null : row?.expectedId === one.expected ? row.matchedAt : seenAt,
      evidence,
      sweepWalletId: evidence.sweep?.walletId ?? null,
    };
    if (row !== undefined && !differs(row, values)) continue;
    changed.push(id);
    const referenceSealed = isNamed
      ? row.referenceSealed
      : reference === null
        ? null
        : seal(reference, depositTarget("reference_sealed", { tenant, id }));
    await tx
      .insert(deposit)
      .values({ tenant, id, kind: "arrival", seenAt, ...values, referenceSealed })
      .onConflictDoUpdate({ target: [deposit.tenant, deposit.id], set: { ...values, referenceSealed } });
  }
  for (const row of left) {
    const isIt = and(eq(deposit.tenant, tenant), eq(deposit.id, row.id));
    if (row.handledAt === null) await tx.delete(deposit).where(isIt);
    else if (row.standing !== null) await tx.update(deposit).set({ standing: null, expectedId: null }).where(isIt);
    else continue;
    changed.push(row.id);
  }
  for (const row of expected) {
    const standing = fulfilled.has(row.id) ? null : ("expected" as const);
    if (row.standing === standing) continue;
    changed.push(row.id);
    await tx
      .update(deposit)
      .set({ standing })
      .where(and(eq(deposit.tenant, tenant), eq(deposit.id, row.id)));
  }
  await publishAll(tx, { tenant, topic: "deposits", objects: changed });
  const taken = new Set(arrivals.flatMap(({ sweep }) => sweep ?? []));
  return pending.filter(({ id }) => !taken.has(id));
}

/** What reading brought: addresses, and what events said of some of them. */
export type DepositNews = {
  keys: readonly AddressKey[];
  told?: readonly (typeof depositNotice.$inferInsert & AddressKey)[];
};

/** What an event said is noted with the row that it makes. Sweeps that nothing explains yet are handed back: their addresses want reading. */
export async function keepDeposits(
  store: Db,
  tenant: string,
  { keys, told = [] }: DepositNews,
  asked: AskedSweeps,
): Promise<PendingSweep[]> {
  const left = distinct([...told, ...keys]);
  const keepAt = (key: AddressKey) =>
    store.transaction(async (tx) => {
      await holdDeposits(tx, tenant);
      const group = await groupAt(tx, tenant, key);
      const of = distinct([key, ...(group?.addresses ?? [])]);
      const news = told.filter((one) => of.has(nameOf(one)));
      if (news.length > 0) await tx.insert(depositNotice).values(news).onConflictDoNothing();
      return { kept: [...of.keys()], pending: group === null ? [] : await keepGroup(tx, tenant, group, asked) };
    });
  const all: PendingSweep[] = [];
  for (const key of left.values()) {
    const { kept, pending } = await keepAt(key);
    for (const name of kept) left.delete(name);
    all.push(...pending);
  }
  return all;
}

/** In the transaction that wrote down what is expected of it, and holds the deposits. */
export async function keepReference(tx: Tx, tenant: string, reference: string, asked: AskedSweeps): Promise<void> {
  await keepGroup(tx, tenant, await groupOf(tx, tenant, reference, []), asked);
}

/** Locks all that `keepReference` may change. */
export async function lockReference(tx: Tx, tenant: string, reference: string): Promise<void> {
  await lockRows(tx, tenant, await groupOf(tx, tenant, reference, []));
}
