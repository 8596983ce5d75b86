import { and, asc, eq, gt, gte, inArray, isNotNull, isNull, or, sql } from "drizzle-orm";
import { z } from "zod";
import { familyOf } from "@/lib/contract/addresses";
import { CHAIN_FAMILIES, type ChainFamily } from "@/lib/contract/crypto";
import { addressKey, addressSpellings } from "@/lib/contract/identity";
import { storeNow } from "@/lib/db/clock";
import { type Db, db } from "@/lib/db/connection";
import { deposit } from "@/lib/db/tables/deposits";
import { chainMovement, wallet, walletRequest } from "@/lib/db/tables/wallets";
import { recall, remember } from "@/lib/db/watch-state";
import { type Actor, watchActor } from "@/lib/permission/grant";
import { readChainHistory } from "@/lib/wallets/look-up";
import { isOutOfTurn } from "@/lib/wallets/records";
import type { Watch } from "@/lib/watch/watch";
import { type AddressKey, readNotices } from "./cash-in";
import {
  type AskedSweeps,
  holdDeposits,
  keepDeposits,
  keepReference,
  openedReference,
  type PendingSweep,
} from "./keep";

const NAME = "deposits";
const MOST_ASKED = 2_000;
const MOST_READS = 4;
const REST_MS = 60_000;
/** By then an address that does not answer counts as read. */
const GIVE_UP_MS = 3_600_000;
/** Writes are seen in another order than they were dated in. */
const OVERLAP_MS = 120_000;
const MOST_OLDER = 200;
const LONG_AGO = "1970-01-01T00:00:00.000Z";

const Memory = z
  .object({
    seq: z.int().min(0),
    since: z.iso.datetime().nullable(),
    /** Of the last wallet whose older movements were looked through; null: of all. */
    older: z.string().nullable(),
    /** By sweep: since when its address wants reading, when that was tried, and whether it is over. */
    asked: z.record(
      z.string(),
      z.object({
        family: z.enum(CHAIN_FAMILIES),
        addressKey: z.string(),
        at: z.iso.datetime(),
        tried: z.iso.datetime().nullable(),
        isDone: z.boolean(),
      }),
    ),
  })
  .catch({ seq: 0, since: null, older: "", asked: {} });
type Memory = z.output<typeof Memory>;

const settled = ({ asked }: Memory): AskedSweeps =>
  new Set(Object.entries(asked).flatMap(([id, { isDone }]) => (isDone ? [id] : [])));

/** The addresses that still want reading; what wanted it for too long is over. */
function readAsked({ asked }: Memory): AddressKey[] {
  const open = Object.values(asked).filter(({ isDone }) => !isDone);
  for (const one of open) one.isDone = Date.now() - Date.parse(one.at) >= GIVE_UP_MS;
  return open;
}

export async function askedSweeps(store: Db, tenant: string): Promise<AskedSweeps> {
  return settled(Memory.parse(await recall(store, { tenant, name: NAME })));
}

/** What events have told by now, in its rows; and which sweeps' addresses were read. */
export async function catchUp(store: Db, tenant: string): Promise<AskedSweeps> {
  const memory = Memory.parse(await recall(store, { tenant, name: NAME }));
  const { told } = await readNotices(store, tenant, memory.seq);
  await keepDeposits(store, tenant, { keys: [], told }, settled(memory));
  return settled(memory);
}

const isFamily = (name: string): name is ChainFamily => CHAIN_FAMILIES.some((family) => family === name);

const keysOf = (rows: readonly { family: string; address: string | null }[]): AddressKey[] =>
  rows.flatMap(({ family, address }) =>
    isFamily(family) && address !== null ? [{ family, addressKey: addressKey(family, address) }] : [],
  );

const isForwarding = sql`(${wallet.isForwardPayment} is true or exists (select from ${walletRequest}
  where ${walletRequest.tenant} = ${wallet.tenant} and ${walletRequest.isForward}
    and (${walletRequest.walletId} = ${wallet.id} or lower(${walletRequest.address}) = lower(${wallet.address}))))`;

/** Where something arrived or was swept from, by what was written of chains since. */
async function readMoved(store: Db, tenant: string, since: Date): Promise<AddressKey[]> {
  const isNew = and(eq(chainMovement.tenant, tenant), gte(chainMovement.writtenAt, since));
  const arrived = await store
    .selectDistinct({ family: wallet.family, address: wallet.address })
    .from(chainMovement)
    .innerJoin(wallet, and(eq(wallet.tenant, chainMovement.tenant), eq(wallet.id, chainMovement.walletId)))
    .where(and(isNew, isForwarding));
  const from = await store
    .selectDistinct({ network: chainMovement.network, address: chainMovement.counterAddress })
    .from(chainMovement)
    .where(isNew);
  const spelt = [...new Set(from.flatMap(({ network, address }) => addressSpellings(familyOf(network), address)))];
  const swept =
    spelt.length === 0
      ? []
      : await store
          .select({ family: wallet.family, address: wallet.address })
          .from(wallet)
          .where(and(eq(wallet.tenant, tenant), inArray(sql`lower(${wallet.address})`, spelt), isForwarding));
  return keysOf([...arrived, ...swept]);
}

/** A file of what is expected is saved at once, and its references are looked through here. */
async function keepExpected(store: Db, tenant: string, since: Date, asked: AskedSweeps): Promise<void> {
  const { id, referenceSealed: sealed } = deposit;
  const rows = await store
    .select({ id, sealed })
    .from(deposit)
    .where(and(eq(deposit.tenant, tenant), eq(deposit.standing, "expected"), gte(deposit.at, since)));
  const references = rows.flatMap((row) =>
    row.sealed === null ? [] : (openedReference({ tenant, id: row.id }, row.sealed) ?? []),
  );
  for (const reference of new Set(references))
    await store.transaction(async (tx) => {
      await holdDeposits(tx, tenant);
      await keepReference(tx, tenant, reference, asked);
    });
}

/** Checkout addresses in order, from before this was kept. */
async function readOlder(store: Db, tenant: string, after: string) {
  const rows = await store
    .select({ id: wallet.id, family: wallet.family, address: wallet.address })
    .from(wallet)
    .where(and(eq(wallet.tenant, tenant), gt(wallet.id, after), isForwarding))
    .orderBy(asc(wallet.id))
    .limit(MOST_OLDER);
  return { keys: keysOf(rows), older: rows.length < MOST_OLDER ? null : (rows.at(-1)?.id ?? null) };
}

/** Arrivals without a reference whose address has been named or listed since. */
async function readNamed(store: Db, tenant: string): Promise<AddressKey[]> {
  const isRequested = sql`exists (select from ${walletRequest} where ${walletRequest.tenant} = ${deposit.tenant}
    and lower(${walletRequest.address}) = lower(${deposit.address}) and ${walletRequest.referenceHash} is not null)`;
  const isTold = sql`exists (select from ${wallet} where ${wallet.tenant} = ${deposit.tenant}
    and lower(${wallet.address}) = lower(${deposit.address}) and ${wallet.referenceHash} is not null)`;
  const isListed = sql`exists (select from ${wallet} where ${wallet.tenant} = ${deposit.tenant} and lower(${wallet.address}) = lower(${deposit.address}))`;
  const rows = await store
    .select({ address: deposit.address, key: deposit.addressKey })
    .from(deposit)
    .where(
      and(
        eq(deposit.tenant, tenant),
        eq(deposit.standing, "unattributed"),
        isNull(deposit.referenceHash),
        isNotNull(deposit.addressKey),
        or(isRequested, isTold, and(eq(deposit.cause, "unknown-address"), isListed)),
      ),
    )
    .limit(MOST_OLDER);
  const families =
    rows.length === 0
      ? []
      : await readFamilies(
          store,
          tenant,
          rows.flatMap(({ address }) => address ?? []),
        );
  return keysOf(families);
}

async function readFamilies(store: Db, tenant: string, addresses: readonly string[]) {
  const lower = addresses.map((address) => address.toLowerCase());
  const listed = await store
    .select({ family: wallet.family, address: wallet.address })
    .from(wallet)
    .where(and(eq(wallet.tenant, tenant), inArray(sql`lower(${wallet.address})`, lower)));
  const made = await store
    .select({ family: walletRequest.family, address: walletRequest.address })
    .from(walletRequest)
    .where(and(eq(walletRequest.tenant, tenant), inArray(sql`lower(${walletRequest.address})`, lower)));
  return [...listed, ...made];
}

const placeOf = ({ network, walletId, token }: PendingSweep) => `${network} ${walletId} ${token ?? ""}`;

const addressIn = ({ network, address }: PendingSweep) => keysOf([{ family: familyOf(network), address }]);

/** Reads only the addresses whose sweeps nothing explains, a few at a time. */
async function askAddresses(
  actor: Actor<"wallets:read">,
  { asked }: Memory,
  pending: readonly PendingSweep[],
): Promise<AddressKey[]> {
  const at = new Date().toISOString();
  for (const one of pending)
    for (const key of addressIn(one)) asked[one.id] ??= { ...key, at, tried: null, isDone: false };
  const isDue = ({ id }: PendingSweep) => Date.now() - Date.parse(asked[id]?.tried ?? LONG_AGO) >= REST_MS;
  const places = new Map(pending.filter(isDue).map((one) => [placeOf(one), one]));
  const read: AddressKey[] = [];
  for (const one of [...places.values()].slice(0, MOST_READS)) {
    const { network, token, walletId, address } = one;
    const came = await readChainHistory(actor, { walletId, address, network }, { isPatient: true, token }).then(
      () => "read" as const,
      (error: unknown) => (isOutOfTurn(error) ? null : ("failed" as const)),
    );
    if (came === null) break;
    for (const { id } of pending.filter((other) => placeOf(other) === placeOf(one))) {
      const before = asked[id];
      if (before !== undefined) asked[id] = { ...before, tried: at, isDone: came === "read" };
    }
    read.push(...addressIn(one));
  }
  return read;
}

export const depositWatch: Watch = {
  name: NAME,
  topic: "deposits",
  intervalMs: 10_000,
  async sweep(tenant) {
    const store = await db();
    const actor = watchActor(NAME, tenant, "wallets:read");
    const key = { tenant, name: NAME };
    const memory = Memory.parse(await recall(store, key));
    const now = await storeNow(store);
    const { told, seq, isAll } = await readNotices(store, tenant, memory.seq);
    const since = new Date((memory.since === null ? now : new Date(memory.since)).getTime() - OVERLAP_MS);
    const older = memory.older === null ? { keys: [], older: null } : await readOlder(store, tenant, memory.older);
    const keys = [
      ...(await readMoved(store, tenant, since)),
      ...(await readNamed(store, tenant)),
      ...older.keys,
      ...readAsked(memory),
    ];
    await keepExpected(store, tenant, since, settled(memory));
    const pending = await keepDeposits(store, tenant, { keys, told }, settled(memory));
    const read = await askAddresses(actor, memory, pending);
    await keepDeposits(store, tenant, { keys: read }, settled(memory));
    const asked = Object.fromEntries(Object.entries(memory.asked).slice(-MOST_ASKED));
    await remember(store, key, { seq, since: now.toISOString(), older: older.older, asked });
    return isAll && older.older === null ? "done" : "unfinished";
  },
};
