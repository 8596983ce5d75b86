import { and, eq, inArray, sql } from "drizzle-orm";
import { z } from "zod";
import type { Actor } from "@/lib/permission/grant";
import { AppError } from "@/lib/errors/app-error";
import { bank } from "@/lib/provider/client";
import { getWalletHistory } from "@/lib/provider/operations";
import { CHAIN_FAMILIES, type ChainEntry, NETWORKS } from "@/lib/contract/crypto";
import { stringifyJson } from "@/lib/contract/json";
import { isStorable, WholeNumber } from "@/lib/contract/shared";
import { publish } from "@/lib/db/publish";
import { type Db, db, type Tx } from "@/lib/db/connection";
import { decimalOf, unitsOf } from "@/lib/text/decimal";
import { sha256 } from "@/lib/text/decode";
import { isDecimal } from "@/lib/text/format";
import { heldIn } from "./held";
import { isOutOfTurn, type WalletNetwork } from "./records";
import { networksOf } from "./inputs";
import { chainMovement, chainReading, wallet, walletBalance, walletLabel } from "@/lib/db/tables/wallets";
import { directionOf } from "./view";

const PAGE_LIMIT = 50;
/** Of one question: the next reading goes on from there. */
const MAX_PAGES = 6;

type MovementRow = typeof chainMovement.$inferSelect;
type ReadingRow = typeof chainReading.$inferSelect;

export type ToldMovement = Pick<
  MovementRow,
  "key" | "hash" | "subtype" | "counterAddress" | "amount" | "blockNumber" | "at"
>;
type Token = { address: string; asset: string | null };

/** Null for what cannot be kept: it counts as unread. */
function movementOf(entry: ChainEntry): ToldMovement | null {
  const { hash, transactionSubtype: subtype, counterAddress, amount, timestamp } = entry;
  const at = new Date(timestamp);
  const told = [hash, subtype, counterAddress, amount];
  if (timestamp < 0 || Number.isNaN(at.getTime()) || !told.every(isStorable)) return null;
  const block = WholeNumber.safeParse(entry.blockNumber).data;
  const blockNumber = block === undefined ? null : String(block);
  return { key: sha256(JSON.stringify(told)), hash, subtype, counterAddress, amount, blockNumber, at };
}

type Walked = Pick<ReadingRow, "nextPage" | "isWhole" | "unread"> & { movements: ToldMovement[] };

type Question = { one: WalletNetwork; token: string; isPatient: boolean };

async function isStored(store: Db, tenant: string, { one, token }: Question, key: string): Promise<boolean> {
  const { walletId, network } = one;
  const rows = await store
    .select({ key: chainMovement.key })
    .from(chainMovement)
    .where(
      and(
        eq(chainMovement.tenant, tenant),
        eq(chainMovement.walletId, walletId),
        eq(chainMovement.network, network),
        eq(chainMovement.key, key),
        token === "" ? undefined : eq(chainMovement.tokenAddress, token),
      ),
    );
  return rows.length > 0;
}

type ToldPage = { marks: string[]; movements: ToldMovement[] };

async function readPage(actor: Actor, { one, token, isPatient }: Question, page: number): Promise<ToldPage> {
  const { walletId, address, network } = one;
  const { answer } = await bank.get(actor, getWalletHistory, {
    params: { address },
    query: { network, page, pageSize: PAGE_LIMIT, ...(token !== "" && { tokenAddress: token }) },
    object: `wallet:${walletId}`,
    isPatient,
  });
  const told = answer.data.map((entry) => ({
    movement: "unread" in entry ? null : movementOf(entry),
    mark: sha256(stringifyJson("unread" in entry ? entry.unread : entry)),
  }));
  return {
    marks: told.map(({ movement, mark }) => movement?.key ?? mark),
    movements: told.flatMap(({ movement }) => movement ?? []),
  };
}

const isNewestFirst = (movements: readonly ToldMovement[]): boolean =>
  (movements.at(0)?.at ?? 0) >= (movements.at(-1)?.at ?? 0);

const isSame = (one: readonly string[], other: readonly string[]): boolean => one.join() === other.join();

/**
 * Newest first, until a page ends with what is known; then on from the last page of the reading before. The order is not
 * documented: where it is another, what is new stands on that page. An empty or repeated page is the end.
 */
async function walkHistory(actor: Actor, question: Question, before: ReadingRow | undefined): Promise<Walked> {
  const store = await db();
  const pages = new Map<number, ToldPage>();
  const walked = (state: Pick<Walked, "nextPage" | "isWhole">): Walked => {
    const all = [...pages.values()];
    const movements = all.flatMap((told) => told.movements);
    const unread = all.reduce((sum, { marks }) => sum + marks.length, 0) - movements.length;
    return { ...state, movements, unread: Math.max(unread, before?.unread ?? 0) };
  };
  const unfinished = () => walked({ nextPage: Math.max(0, ...pages.keys()), isWhole: false });
  let page = 0;
  for (let calls = 0; calls < MAX_PAGES; calls += 1) {
    const told = await readPage(actor, question, page);
    const first = pages.get(0);
    const seen = new Set([...pages.values()].flatMap(({ marks }) => marks));
    if (told.marks.every((mark) => seen.has(mark))) {
      const mayHaveMore = page === 1 && told.marks.length >= PAGE_LIMIT && isSame(told.marks, first?.marks ?? []);
      return walked({ nextPage: mayHaveMore ? 0 : Math.max(0, ...pages.keys()), isWhole: !mayHaveMore });
    }
    // Told twice: alike, or moved down by what came while it was read.
    if (told.marks.some((mark) => seen.has(mark))) {
      calls += 1;
      if (calls === MAX_PAGES) return unfinished();
      const again = await readPage(actor, question, 0);
      if (!isSame(again.marks, first?.marks ?? [])) {
        pages.clear();
        pages.set(0, again);
        page = 1;
        continue;
      }
    }
    pages.set(page, told);
    const oldest = told.movements.at(-1);
    const isKnown = oldest !== undefined && (await isStored(store, actor.tenant, question, oldest.key));
    if (isKnown && before?.isWhole === true && isNewestFirst(told.movements))
      return walked({ nextPage: before.nextPage, isWhole: true });
    page = isKnown ? Math.max(page + 1, before?.nextPage ?? 0) : page + 1;
  }
  return unfinished();
}

/** A provider may ignore the token: it then tells of this one, which is none, too. */
async function heedsToken(actor: Actor, question: Question): Promise<boolean> {
  const noToken = question.one.address;
  const told = await readPage(actor, { ...question, token: noToken }, 0).catch((error: unknown) => {
    if (error instanceof AppError && (error.kind === "invalid" || error.kind === "not-found")) return null;
    throw error;
  });
  return told === null || told.marks.length === 0;
}

type Attributed = ToldMovement & { total: number; tokens: readonly (Token & { times: number })[] };

/**
 * An entry names no asset: it has that of the token whose question told it. Told for several tokens more often than there are
 * of it in all, the provider does not part them, and the asset stays untold.
 */
export function attribute(
  all: readonly ToldMovement[],
  byToken: readonly { token: Token; movements: readonly ToldMovement[] }[],
): Attributed[] {
  const every = new Map([...all, ...byToken.flatMap(({ movements }) => movements)].map((one) => [one.key, one]));
  const timesIn = (movements: readonly ToldMovement[], key: string) =>
    movements.filter((one) => one.key === key).length;
  return [...every.values()].map((one) => {
    const inAll = timesIn(all, one.key);
    const tokens = byToken
      .map(({ token, movements }) => ({ ...token, times: timesIn(movements, one.key) }))
      .filter(({ times }) => times > 0);
    const told = tokens.reduce((sum, { times }) => sum + times, 0);
    if (inAll > 0 && tokens.length > 1 && told > inAll) return { ...one, total: inAll, tokens: [] };
    return { ...one, total: Math.max(inAll, told), tokens };
  });
}

type Fresh = Pick<MovementRow, "key" | "ordinal" | "hash" | "subtype" | "amount" | "at" | "tokenAddress">;

/** Once each, whichever question tells it again; what a token's question tells later is named then. */
async function saveMovements(
  tx: Tx,
  tenant: string,
  { walletId, network }: WalletNetwork,
  told: readonly Attributed[],
): Promise<Fresh[]> {
  if (told.length === 0) return [];
  const isHere = and(
    eq(chainMovement.tenant, tenant),
    eq(chainMovement.walletId, walletId),
    eq(chainMovement.network, network),
  );
  const keys = told.map(({ key }) => key);
  const { key, ordinal, tokenAddress } = chainMovement;
  const stored = await tx
    .select({ key, ordinal, tokenAddress })
    .from(chainMovement)
    .where(and(isHere, inArray(chainMovement.key, keys)));
  const fresh: (typeof chainMovement.$inferInsert & Fresh)[] = [];
  for (const { total, tokens, ...one } of told) {
    const mine = stored.filter((row) => row.key === one.key);
    const untold = mine.filter((row) => row.tokenAddress === null);
    const missing: (Token | null)[] = [];
    for (const { times, ...token } of tokens) {
      const named = mine.filter((row) => row.tokenAddress === token.address).length;
      for (let nth = named; nth < times; nth += 1) {
        const claimed = untold.shift();
        if (claimed === undefined) missing.push(token);
        else {
          await tx
            .update(chainMovement)
            .set({ tokenAddress: token.address, asset: token.asset })
            .where(and(isHere, eq(chainMovement.key, one.key), eq(chainMovement.ordinal, claimed.ordinal)));
        }
      }
    }
    while (mine.length + missing.length < total) missing.push(null);
    for (const [nth, token] of missing.entries()) {
      const named = { tokenAddress: token?.address ?? null, asset: token?.asset ?? null };
      fresh.push({ ...one, tenant, walletId, network, ordinal: mine.length + nth, ...named });
    }
  }
  if (fresh.length > 0) await tx.insert(chainMovement).values(fresh);
  return fresh;
}

type Native = { native: string; nativeAt: Date };

/** What the native balance lost beyond what one transaction sent; null where that cannot be said. */
export function derivedFee(
  before: Native | null,
  after: Native | null,
  fresh: readonly Pick<Fresh, "hash" | "subtype" | "amount" | "at" | "tokenAddress">[],
): { hash: string; fee: string } | null {
  if (before === null || after === null) return null;
  const isBetween = fresh.every(({ at }) => at > before.nativeAt && at <= after.nativeAt);
  const isCounted = fresh.every(({ amount, subtype }) => /^\d+(\.\d+)?$/.test(amount) && directionOf(subtype) !== null);
  const [hash, ...others] = new Set(
    fresh.filter(({ subtype }) => directionOf(subtype) === "out").map((one) => one.hash),
  );
  if (!isBetween || !isCounted || hash === undefined || hash === "" || others.length > 0) return null;
  const moved = fresh
    .filter(({ tokenAddress }) => tokenAddress === null)
    .reduce((sum, { subtype, amount }) => sum + (directionOf(subtype) === "in" ? 1n : -1n) * unitsOf(amount), 0n);
  const fee = unitsOf(before.native) - unitsOf(after.native) + moved;
  return fee > 0n ? { hash, fee: decimalOf(fee) } : null;
}

const isToken = (address: string | undefined) => address !== undefined && address !== "";

/** Of the balance as last read; null where it is untold, or may mean two things. */
async function readHeld(store: Db | Tx, tenant: string, { walletId, network }: WalletNetwork) {
  const isThis = and(
    eq(walletBalance.tenant, tenant),
    eq(walletBalance.walletId, walletId),
    eq(walletBalance.network, network),
  );
  const [row] = await store.select().from(walletBalance).where(isThis);
  const entries = (row?.entries ?? []).flatMap((entry) => ("shape" in entry ? [] : [entry]));
  const coin = heldIn(network, entries).find(({ tokenAddress }) => !isToken(tokenAddress));
  const isSure = coin !== undefined && coin.other === null && isDecimal(coin.balance);
  const native: Native | null = isSure && row?.asOf ? { native: coin.balance, nativeAt: row.asOf } : null;
  const tokens = new Map(
    entries.flatMap(({ tokenAddress = "", asset }): [string, Token][] =>
      isToken(tokenAddress)
        ? [[tokenAddress.toLowerCase(), { address: tokenAddress, asset: asset === "" ? null : asset }]]
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

const stateOf = ({ nextPage, isWhole, unread }: Walked) => ({ nextPage, isWhole, unread });

/** One question about everything and one per token that the balance names. A failed attempt is recorded too. */
export async function refreshHistory(
  actor: Actor<"wallets:read">,
  one: WalletNetwork,
  { isPatient } = { isPatient: false },
): Promise<void> {
  const { tenant } = actor;
  const { walletId, network } = one;
  const store = await db();
  const triedAt = new Date();
  const { native, tokens } = await readHeld(store, tenant, one);
  const before = await store.select().from(chainReading).where(readingAt(tenant, one));
  const beforeOf = (token: string) => before.find(({ tokenAddress }) => tokenAddress === token);
  const walk = async (token: string) => walkHistory(actor, { one, token, isPatient }, beforeOf(token));
  const readAll = async () => {
    const whole = await walk("");
    const byToken: { token: Token; walked: Walked }[] = [];
    for (const token of tokens) {
      const walked = await walk(token.address);
      const keys = new Set(walked.movements.map(({ key }) => key));
      const isAll = keys.size > 0 && whole.movements.every(({ key }) => keys.has(key));
      const isNew = beforeOf(token.address) === undefined;
      if (isAll && isNew && !(await heedsToken(actor, { one, token: "", isPatient }))) continue;
      byToken.push({ token, walked });
    }
    return { whole, byToken };
  };
  const { whole, byToken } = await readAll().catch(async (error: unknown) => {
    if (!isOutOfTurn(error)) await saveReading(store, { tenant, walletId, network, tokenAddress: "", triedAt });
    throw error;
  });
  const told = attribute(
    whole.movements,
    byToken.map(({ token, walked }) => ({ token, movements: walked.movements })),
  );
  await store.transaction(async (tx) => {
    const isWallet = and(eq(wallet.tenant, tenant), eq(wallet.id, walletId));
    await tx.select({ id: wallet.id }).from(wallet).where(isWallet).for("update");
    const fresh = await saveMovements(tx, tenant, one, told);
    const [last] = await tx
      .select()
      .from(chainReading)
      .where(and(readingAt(tenant, one), eq(chainReading.tokenAddress, "")));
    const held = last?.native && last.nativeAt ? { native: last.native, nativeAt: last.nativeAt } : null;
    const fee = whole.unread > 0 || !whole.isWhole ? null : derivedFee(held, native, fresh);
    const paid = fresh.find(({ hash, subtype }) => hash === fee?.hash && directionOf(subtype) === "out");
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
    // A movement that the balance may not know yet would count into the next difference.
    const isNewest = held === null || (native !== null && native.nativeAt >= held.nativeAt);
    const isSettled = native !== null && isNewest && fresh.every(({ at }) => at <= native.nativeAt);
    const kept = isSettled ? native : { native: null, nativeAt: null };
    const read = { tenant, walletId, network, asOf: triedAt, triedAt };
    await saveReading(tx, { ...read, tokenAddress: "", ...stateOf(whole), ...kept });
    for (const { token, walked } of byToken)
      await saveReading(tx, { ...read, tokenAddress: token.address, ...stateOf(walked) });
    if (fresh.length > 0) await publish(tx, { tenant, topic: "wallets", object: walletId });
  });
}

const Due = z.object({
  rows: z.array(
    z
      .object({ id: z.string(), address: z.string(), network: z.enum(NETWORKS) })
      .transform(({ id, ...one }): WalletNetwork => ({ walletId: id, ...one })),
  ),
});

/** Of one sweep; each takes a call or more. */
const MAX_HISTORIES = 12;

/** What moved since, then the company's own each minute, then a past not read to its end, then what holds anything and was never read. */
export async function historiesDue(store: Db, tenant: string): Promise<WalletNetwork[]> {
  const pairs = CHAIN_FAMILIES.flatMap((family) =>
    networksOf(family).map((network) => sql`(${family}::text, ${network}::text)`),
  );
  const isRested = sql`coalesce(reading.tried_at <= clock_timestamp() - interval '1 minute', true)`;
  const hasMoved = sql`(coalesce(balance.moved_at > coalesce(reading.as_of, '-infinity'), false)
    and (balance.moved_at > reading.tried_at or ${isRested}))`;
  const isOwnDue = sql`(coalesce(label.use = 'own', false) and ${isRested})`;
  const isOpen = sql`(coalesce(not reading.is_whole and reading.next_page > 0, false) and ${isRested})`;
  const isNew = sql`(reading.as_of is null and ${isRested}
    and coalesce(jsonb_path_exists(balance.entries, '$[*].balance ? (@ like_regex "[1-9]")'), false))`;
  const found = await store.execute(sql`
    select one.id, one.address, on_chain.network
    from ${wallet} as one
    join (values ${sql.join(pairs, sql`, `)}) as on_chain (family, network) on on_chain.family = one.family
    left join ${walletBalance} as balance
      on balance.tenant = one.tenant and balance.wallet_id = one.id and balance.network = on_chain.network
    left join ${chainReading} as reading on reading.tenant = one.tenant and reading.wallet_id = one.id
      and reading.network = on_chain.network and reading.token_address = ''
    left join ${walletLabel} as label on label.tenant = one.tenant and label.wallet_id = one.id
    where one.tenant = ${tenant} and (${hasMoved} or ${isOwnDue} or ${isOpen} or ${isNew})
    order by ${hasMoved} desc, ${isOwnDue} desc, ${isNew}, reading.tried_at nulls last, one.id, on_chain.network
    limit ${MAX_HISTORIES}`);
  return Due.parse(found).rows;
}
