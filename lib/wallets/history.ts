import { ownWalletsLock, shareLock } from "@/lib/db/lock";
import { and, eq, isNull, sql } from "drizzle-orm";
import { z } from "zod";
import type { Actor } from "@/lib/permission/grant";
import { AppError } from "@/lib/errors/app-error";
import type { Allowance } from "@/lib/provider/allowance";
import { isCoin } from "@/lib/contract/coins";
import { CHAIN_FAMILIES, NETWORKS } from "@/lib/contract/crypto";
import { tokenKey } from "@/lib/contract/identity";
import { publish } from "@/lib/db/publish";
import { type Db, db, type Tx } from "@/lib/db/connection";
import { isDecimal } from "@/lib/text/format";
import { deposit } from "@/lib/db/tables/deposits";
import { chainMovement, chainReading, wallet, walletBalance, walletLabel } from "@/lib/db/tables/wallets";
import { countedIn, heldIn } from "./held";
import { holdsSomething } from "./last-movement";
import { isAwaitingDeposit, isOutOfTurn, type WalletNetwork } from "./records";
import { networksOf } from "./inputs";
import { movementDirection } from "./view";
import { heedsToken, movementKey, type Question, type Walked, walkHistory } from "./walk-history";
import { attribute, type Token } from "./attribute";
import { derivedFee, type Native, saveMovements } from "./movements";

const isToken = (address: string | undefined) => address !== undefined && address !== "";

/** Of the balance as last read; null where it is untold, or doubted. */
export async function readHeld(
  store: Db | Tx,
  tenant: string,
  { walletId, network }: Pick<WalletNetwork, "walletId" | "network">,
) {
  const isThis = and(
    eq(walletBalance.tenant, tenant),
    eq(walletBalance.walletId, walletId),
    eq(walletBalance.network, network),
  );
  const [row] = await store.select().from(walletBalance).where(isThis);
  const entries = (row?.entries ?? []).flatMap((entry) => ("shape" in entry ? [] : [entry]));
  const coin = heldIn(tenant, network, entries).find((one) => isCoin(network, one));
  const isClear = coin?.doubt === null || coin?.doubt === "above-supply";
  // The setting is about balances: no history entry gives its decimals.
  const isSure = coin !== undefined && isClear && isDecimal(coin.balance) && countedIn(tenant) === "units";
  const native: Native | null = isSure && row?.asOf ? { native: coin.balance, nativeAt: row.asOf } : null;
  const tokens = new Map(
    entries.flatMap(({ tokenAddress = "", asset }): [string, Token][] =>
      isToken(tokenAddress)
        ? [[tokenKey(network, tokenAddress), { address: tokenAddress, asset: asset === "" ? null : asset }]]
        : [],
    ),
  );
  return { native, tokens: [...tokens.values()] };
}

const readingAt = (tenant: string, { walletId, network }: WalletNetwork) =>
  and(eq(chainReading.tenant, tenant), eq(chainReading.walletId, walletId), eq(chainReading.network, network));

async function saveReading(store: Db | Tx, values: typeof chainReading.$inferInsert): Promise<void> {
  await store
    .insert(chainReading)
    .values(values)
    .onConflictDoUpdate({
      target: [chainReading.tenant, chainReading.walletId, chainReading.network, chainReading.tokenAddress],
      set: values,
    });
}

const NOTHING_AWAITED: ReadonlySet<string> = new Set();

async function awaitedOf(
  store: Db,
  tenant: string,
  { walletId, network }: WalletNetwork,
): Promise<ReadonlySet<string>> {
  const rows = await store
    .select()
    .from(chainMovement)
    .where(
      and(
        eq(chainMovement.tenant, tenant),
        eq(chainMovement.walletId, walletId),
        eq(chainMovement.network, network),
        eq(chainMovement.isDated, false),
        isNull(chainMovement.droppedAt),
      ),
    );
  return new Set(rows.map((row) => movementKey(network, row)));
}

const stateOf = ({ nextPage, isWhole, unread }: Walked) => ({ nextPage, isWhole, unread });

/** `token`: a token to query though the balance no longer names it. */
type How = { isPatient?: boolean; token?: string | null };

declare global {
  var retaguardaHistories: Set<string> | undefined;
}

/** Per process, since a restore happens while none runs. Though Next loads modules several times. */
const readHere = () => (globalThis.retaguardaHistories ??= new Set());
const nameOf = (tenant: string, { walletId, network }: Pick<WalletNetwork, "walletId" | "network">) =>
  `${tenant} ${network} ${walletId}`;

export const wasReadSinceStart = (tenant: string, one: Pick<WalletNetwork, "walletId" | "network">): boolean =>
  readHere().has(nameOf(tenant, one));

async function prepare({ tenant }: Actor, one: WalletNetwork) {
  const { network } = one;
  const store = await db();
  const triedAt = new Date();
  const { native, tokens } = await readHeld(store, tenant, one);
  const before = await store.select().from(chainReading).where(readingAt(tenant, one));
  const beforeOf = (token: string) =>
    before.find(({ tokenAddress }) => tokenKey(network, tokenAddress) === tokenKey(network, token));
  return { store, triedAt, native, tokens, beforeOf, awaited: await awaitedOf(store, tenant, one) };
}

type Prepared = Awaited<ReturnType<typeof prepare>>;
type OfToken = { token: Token; walked: Walked };

const noteAttempt = ({ store, triedAt }: Prepared, tenant: string, { walletId, network }: WalletNetwork) =>
  saveReading(store, { tenant, walletId, network, tokenAddress: "", triedAt });

/** Whether every entry came for this token, too: a provider that ignores tokens answers so. */
function isEverything({ walked }: OfToken, whole: Walked): boolean {
  const keys = new Set(walked.movements.map(({ key }) => key));
  return keys.size > 0 && whole.movements.every(({ key }) => keys.has(key));
}

function mayBeEverything({ walked, token }: OfToken, whole: Walked): boolean {
  if (walked.isWhole) return isEverything({ walked, token }, whole);
  const keys = new Set(whole.movements.map(({ key }) => key));
  return walked.movements.every(({ key }) => keys.has(key));
}

/** One query for everything and one per token in the balance. A failed attempt is recorded too. */
export async function refreshHistory(
  actor: Actor,
  one: WalletNetwork,
  { isPatient = false, token: also = null }: How = {},
): Promise<void> {
  const { tenant } = actor;
  const { network } = one;
  const prepared = await prepare(actor, one);
  const { tokens: named, beforeOf, awaited } = prepared;
  const isNamed = also === null || named.some(({ address }) => tokenKey(network, address) === tokenKey(network, also));
  const tokens = isNamed ? named : [...named, { address: also, asset: null }];
  const walk = async (token: string) =>
    walkHistory(actor, { one, token, isPatient, awaited: token === "" ? awaited : NOTHING_AWAITED }, beforeOf(token));
  const readAll = async () => {
    const whole = await walk("");
    const byToken: OfToken[] = [];
    for (const token of tokens) {
      const read = { token, walked: await walk(token.address) };
      const isNew = beforeOf(token.address) === undefined;
      const question = { one, token: "", isPatient, awaited: NOTHING_AWAITED };
      if (isEverything(read, whole) && isNew && !(await heedsToken(actor, question))) continue;
      byToken.push(read);
    }
    return { whole, byToken };
  };
  const { whole, byToken } = await readAll().catch(async (error: unknown) => {
    if (!isOutOfTurn(error)) await noteAttempt(prepared, tenant, one);
    throw error;
  });
  await keepWalked(actor, one, prepared, { whole, byToken });
}

/** `token` null: everything. */
export type Glance = { token: Token | null; allowance: Allowance };

/** `part`: not to its end. */
export type Glanced = "whole" | "part" | AppError;

/**
 * Of few calls, everything first: each query as far as its allowance goes. What was read is kept, also beside a query
 * that failed, which is told.
 */
export async function glanceAtHistory(
  actor: Actor,
  one: WalletNetwork,
  [everything, ...others]: readonly [Glance, ...Glance[]],
): Promise<Glanced[]> {
  const prepared = await prepare(actor, one);
  const { beforeOf } = prepared;
  const walk = async ({ token, allowance }: Glance): Promise<Walked | AppError> => {
    const address = token?.address ?? "";
    const question = { one, token: address, isPatient: false, awaited: NOTHING_AWAITED, allowance };
    return walkHistory(actor, question, beforeOf(address)).catch((error: unknown) => {
      if (error instanceof AppError) return error;
      throw error;
    });
  };
  const whole = await walk(everything);
  if (whole instanceof AppError) {
    if (!isOutOfTurn(whole)) await noteAttempt(prepared, actor.tenant, one);
    return [whole, ...others.map(() => whole)];
  }
  const read: { glance: Glance; walked: Walked | AppError }[] = [];
  for (const glance of others) read.push({ glance, walked: await walk(glance) });
  const found = read.flatMap(({ glance: { token, allowance }, walked }) =>
    token === null || walked instanceof AppError ? [] : [{ token, walked, allowance }],
  );
  const isSuspect = (own: OfToken) => mayBeEverything(own, whole) && beforeOf(own.token.address) === undefined;
  const isHeeded = found.some((own) => own.walked.isWhole && !isEverything(own, whole));
  const byToken: OfToken[] = [];
  for (const { allowance, ...own } of found) {
    const question = { one, token: "", isPatient: false, awaited: NOTHING_AWAITED, allowance };
    if (isHeeded || !isSuspect(own) || (await isTokenHeeded(actor, question))) byToken.push(own);
  }
  await keepWalked(actor, one, prepared, { whole, byToken });
  return [whole, ...read.map(({ walked }) => walked)].map((walked) =>
    walked instanceof AppError ? walked : walked.isWhole ? "whole" : "part",
  );
}

/** Not as far as few calls tell. */
const isTokenHeeded = (actor: Actor, question: Question): Promise<boolean> =>
  heedsToken(actor, question).catch((error: unknown) => {
    if (error instanceof AppError) return false;
    throw error;
  });

/** The last answer wins; a later reading that finished first is newer. */
async function keepWalked(
  { tenant }: Actor,
  one: WalletNetwork,
  { store, triedAt, native, beforeOf }: Prepared,
  { whole, byToken }: { whole: Walked; byToken: readonly OfToken[] },
): Promise<void> {
  const { walletId, network } = one;
  const told = attribute(
    network,
    whole.movements,
    byToken.map(({ token, walked }) => ({ token, movements: walked.movements })),
  );
  await store.transaction(async (tx) => {
    const isWallet = and(eq(wallet.tenant, tenant), eq(wallet.id, walletId));
    await shareLock(tx, ownWalletsLock(tenant));
    await tx.select({ id: wallet.id }).from(wallet).where(isWallet).for("update");
    const [last] = await tx
      .select()
      .from(chainReading)
      .where(and(readingAt(tenant, one), eq(chainReading.tokenAddress, "")));
    if (last?.asOf && last.asOf > triedAt) return;
    const saved = await saveMovements(tx, tenant, one, { readAt: triedAt, told, whole, byToken });
    const { fresh } = saved;
    const held = last?.native && last.nativeAt ? { native: last.native, nativeAt: last.nativeAt } : null;
    const isSure = whole.unread === 0 && whole.isWhole && !saved.isOpen;
    const fee = isSure ? derivedFee(held, native, fresh) : null;
    const paid = fresh.find(({ hash, subtype }) => hash === fee?.hash && movementDirection(subtype) === "out");
    if (fee !== null && paid !== undefined) {
      const isPaid = and(
        eq(chainMovement.tenant, tenant),
        eq(chainMovement.walletId, walletId),
        eq(chainMovement.network, network),
        eq(chainMovement.key, paid.key),
        eq(chainMovement.ordinal, paid.ordinal),
      );
      await tx.update(chainMovement).set({ derivedFee: fee.fee }).where(isPaid);
    }
    // A movement missing from the balance would distort the next difference.
    const isNewest = held === null || (native !== null && native.nativeAt >= held.nativeAt);
    const isSettled = native !== null && isNewest && !saved.isOpen && fresh.every(({ at }) => at <= native.nativeAt);
    const kept = isSettled ? native : { native: null, nativeAt: null };
    const read = { tenant, walletId, network, asOf: triedAt, triedAt };
    await saveReading(tx, { ...read, tokenAddress: "", ...stateOf(whole), ...kept });
    for (const { token, walked } of byToken)
      await saveReading(tx, {
        ...read,
        tokenAddress: beforeOf(token.address)?.tokenAddress ?? token.address,
        ...stateOf(walked),
      });
    if (saved.hasChanged) await publish(tx, { tenant, topic: "wallets", object: walletId });
  });
  readHere().add(nameOf(tenant, one));
}

const Due = z.object({
  rows: z.array(
    z
      .object({ id: z.string(), address: z.string(), network: z.enum(NETWORKS), isEmpty: z.boolean() })
      .transform(({ id, ...one }): WalletNetwork & { isEmpty: boolean } => ({ walletId: id, ...one })),
  ),
});

/** Per sweep; each takes at least one call. */
const MAX_HISTORIES = 12;
/** Of those, never read and without a balance. */
const MAX_EMPTY = 4;

/**
 * Those with movements since, then the company's own and those that are swept to each minute, then unfinished ones, then
 * unread balances, then the others once: that nothing moved is known by their history alone.
 */
export async function historiesDue(store: Db, tenant: string): Promise<WalletNetwork[]> {
  const pairs = CHAIN_FAMILIES.flatMap((family) =>
    networksOf(family).map((network) => sql`(${family}::text, ${network}::text)`),
  );
  const isRested = sql`coalesce(reading.tried_at <= clock_timestamp() - interval '1 minute', true)`;
  const hasMoved = sql`(coalesce(balance.moved_at > coalesce(reading.as_of, '-infinity'), false)
    and (balance.moved_at > reading.tried_at or ${isRested}))`;
  const isSweptTo = sql`exists (select from ${deposit} as swept where swept.tenant = one.tenant and swept.sweep_wallet_id = one.id)`;
  const isOwnDue = sql`((coalesce(label.use = 'own', false) or ${isSweptTo}) and ${isRested})`;
  const isOpen = sql`(coalesce(not reading.is_whole and reading.next_page > 0, false) and ${isRested})`;
  const isNew = sql`(reading.as_of is null and ${isRested}
    and ${holdsSomething(sql`balance.entries`)})`;
  const isEmpty = sql`(reading.as_of is null and not ${holdsSomething(sql`balance.entries`)})`;
  const isEmptyDue = sql`(${isEmpty} and not ${isAwaitingDeposit} and coalesce(reading.tried_at <= clock_timestamp() - interval '1 hour', true))`;
  const isSooner = sql`(${hasMoved} or ${isOwnDue} or ${isOpen} or ${isNew})`;
  const found = await store.execute(sql`
    select one.id, one.address, on_chain.network, not ${isSooner} as "isEmpty"
    from ${wallet} as one
    join (values ${sql.join(pairs, sql`, `)}) as on_chain (family, network) on on_chain.family = one.family
    left join ${walletBalance} as balance
      on balance.tenant = one.tenant and balance.wallet_id = one.id and balance.network = on_chain.network
    left join ${chainReading} as reading on reading.tenant = one.tenant and reading.wallet_id = one.id
      and reading.network = on_chain.network and reading.token_address = ''
    left join ${walletLabel} as label on label.tenant = one.tenant and label.wallet_id = one.id
    where one.tenant = ${tenant} and (${isSooner} or ${isEmptyDue})
    order by ${isSooner} desc, ${hasMoved} desc, ${isOwnDue} desc, ${isNew}, reading.tried_at nulls last, one.id, on_chain.network
    limit ${MAX_HISTORIES}`);
  const { rows } = Due.parse(found);
  const sooner = rows.filter((one) => !one.isEmpty).length;
  return rows.slice(0, sooner + MAX_EMPTY).map(({ walletId, address, network }) => ({ walletId, address, network }));
}
