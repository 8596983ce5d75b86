import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Actor } from "@/lib/permission/grant";
import { AppError } from "@/lib/errors/app-error";
import type { Allowance } from "@/lib/provider/allowance";
import { provider } from "@/lib/provider/client";
import { getWalletHistory } from "@/lib/provider/operations";
import { familyOf } from "@/lib/contract/addresses";
import { type ChainEntry, EntryTelling, type Network } from "@/lib/contract/crypto";
import { addressKey, amountKey, idKey, tokenKey, transactionKey } from "@/lib/contract/identity";
import { stringifyJson } from "@/lib/contract/json";
import { isStorable, WholeNumber } from "@/lib/contract/shared";
import { type Db, db } from "@/lib/db/connection";
import { sha256 } from "@/lib/text/decode";
import { isDecimal } from "@/lib/text/format";
import { chainMovement, type chainReading } from "@/lib/db/tables/wallets";
import { chainStatusIn } from "./chain-state";
import { type ChainTime, chainTimeIn } from "./chain-time";
import type { WalletNetwork } from "./records";
import { movementDirection } from "./view";

const PAGE_LIMIT = 50;
/** Per query: the next reading continues from there. */
const MAX_PAGES = 6;

export type MovementRow = Omit<typeof chainMovement.$inferSelect, "value" | "day">;
type ReadingRow = typeof chainReading.$inferSelect;

type Essence = Pick<MovementRow, "hash" | "subtype" | "counterAddress" | "amount">;

/** `tokenAddress` null: a word without a contract. */
export type ToldAsset = Pick<MovementRow, "tokenAddress" | "asset">;

/** `spelling`: separates it from equal keys in other spellings. `time` null: unknown. `moved` and `fee` null: its entry tells none. */
export type ToldMovement = Essence &
  Pick<MovementRow, "key" | "blockNumber" | "status"> & {
    spelling: string;
    time: ChainTime | null;
    moved: ToldAsset | null;
    fee: string | null;
  };

export const movementKey = (network: Network, { hash, subtype, counterAddress, amount }: Essence): string =>
  sha256(
    JSON.stringify([
      transactionKey(network, hash),
      movementDirection(subtype) ?? idKey(subtype).toLowerCase(),
      addressKey(familyOf(network), counterAddress),
      amountKey(amount),
    ]),
  );

/** None before the first: some write 0 for a block that is still to come. */
function blockIn(told: unknown): string | null {
  const block = WholeNumber.safeParse(told).data ?? 0;
  return block > 0 ? String(block) : null;
}

const wordIn = (text: string): string | null => (isStorable(text) && idKey(text) !== "" ? idKey(text) : null);

function assetIn(entry: ChainEntry): ToldAsset | null {
  const told = EntryTelling.parse(entry);
  const moved = { tokenAddress: wordIn(told.tokenAddress), asset: wordIn(told.asset) };
  return moved.tokenAddress === null && moved.asset === null ? null : moved;
}

/** In the native coin; of what came in, its sender paid it. */
function feeIn(entry: ChainEntry, subtype: string): string | null {
  const { fee } = EntryTelling.parse(entry);
  const isPaid = movementDirection(subtype) === "out" && isDecimal(fee) && !fee.startsWith("-");
  return isPaid ? amountKey(fee) : null;
}

/** Null for an entry that cannot be stored, which counts as unread. */
function movementOf(network: Network, entry: ChainEntry): ToldMovement | null {
  const { hash, transactionSubtype: subtype, counterAddress, amount } = entry;
  const told = { hash: idKey(hash), subtype: idKey(subtype), counterAddress: idKey(counterAddress), amount };
  if (![hash, subtype, counterAddress, amount].every(isStorable)) return null;
  const time = chainTimeIn(entry.timestamp);
  const blockNumber = blockIn(entry.blockNumber);
  const status = chainStatusIn(entry);
  const spelling = JSON.stringify([hash, subtype, counterAddress, amount, time === null, status]);
  const more = { moved: assetIn(entry), fee: feeIn(entry, told.subtype) };
  return { ...told, key: movementKey(network, told), spelling, blockNumber, time, status, ...more };
}

/** The time after which everything was returned; null when unknown. */
type Reach = "all" | Date | null;

export type Walked = Pick<ReadingRow, "nextPage" | "isWhole" | "unread"> & {
  movements: ToldMovement[];
  reach: Reach;
  unreadTexts: string[];
};

/** `awaited`: keys of stored, unsettled movements, for which the walk continues. With an allowance it ends when that does. */
export type Question = {
  one: WalletNetwork;
  token: string;
  isPatient: boolean;
  awaited: ReadonlySet<string>;
  allowance?: Allowance;
};

export const hashesOf = (network: Network, hash: string): string[] => {
  const key = transactionKey(network, hash).toLowerCase();
  return [key, `0x${key}`];
};

async function isStored(store: Db, tenant: string, { one, token }: Question, told: ToldMovement): Promise<boolean> {
  const { walletId, network } = one;
  const rows = await store
    .select()
    .from(chainMovement)
    .where(
      and(
        eq(chainMovement.tenant, tenant),
        eq(chainMovement.walletId, walletId),
        eq(chainMovement.network, network),
        inArray(sql`lower(${chainMovement.hash})`, hashesOf(network, told.hash)),
        isNull(chainMovement.droppedAt),
      ),
    );
  const own = told.moved?.tokenAddress ?? token;
  const isAsked = (row: MovementRow) => token === "" || tokenKey(network, row.tokenAddress) === tokenKey(network, own);
  return rows.some((row) => movementKey(network, row) === told.key && isAsked(row));
}

/** Whether everything stored was returned: otherwise a page that is not full may be the last one. */
async function areTold(
  store: Db,
  tenant: string,
  { one, token }: Question,
  marks: ReadonlySet<string>,
): Promise<boolean> {
  const { walletId, network } = one;
  const rows = await store
    .select()
    .from(chainMovement)
    .where(
      and(
        eq(chainMovement.tenant, tenant),
        eq(chainMovement.walletId, walletId),
        eq(chainMovement.network, network),
        isNull(chainMovement.droppedAt),
        token === "" ? undefined : eq(sql`lower(${chainMovement.tokenAddress})`, token.toLowerCase()),
      ),
    )
    .limit(PAGE_LIMIT + 1);
  return rows.length <= PAGE_LIMIT && rows.every((row) => marks.has(movementKey(network, row)));
}

type ToldPage = { marks: string[]; movements: ToldMovement[]; unreadTexts: string[] };

async function readPage(actor: Actor, { one, token, isPatient, allowance }: Question, page: number): Promise<ToldPage> {
  const { walletId, address, network } = one;
  const { answer } = await provider.get(actor, getWalletHistory, {
    params: { address },
    query: { network, page, pageSize: PAGE_LIMIT, ...(token !== "" && { tokenAddress: token }) },
    object: `wallet:${walletId}`,
    isPatient,
    allowance,
  });
  const told = answer.data.map((entry) => ({
    movement: "unread" in entry ? null : movementOf(network, entry),
    text: stringifyJson("unread" in entry ? entry.unread : entry),
  }));
  return {
    marks: told.map(({ movement, text }) => movement?.key ?? sha256(text)),
    movements: told.flatMap(({ movement }) => movement ?? []),
    unreadTexts: told.flatMap(({ movement, text }) => (movement === null ? [text.toLowerCase()] : [])),
  };
}

const timesIn = (movements: readonly ToldMovement[]): number[] =>
  movements.flatMap(({ time }) => (time === null ? [] : [time.at.getTime()]));

const isNewestFirst = (movements: readonly ToldMovement[]): boolean => {
  const times = timesIn(movements);
  return (times.at(0) ?? 0) >= (times.at(-1) ?? 0);
};

const isSorted = (times: readonly number[], isOrdered: (one: number, next: number) => boolean): boolean =>
  times.every((one, at) => at === 0 || isOrdered(times[at - 1] ?? one, one));

function reachOf(pages: ReadonlyMap<number, ToldPage>, isEnded: boolean): Reach {
  const numbers = [...pages.keys()].toSorted((one, other) => one - other);
  const gap = numbers.findLastIndex((number, at) => at > 0 && number !== (numbers[at - 1] ?? 0) + 1);
  const isFromFirst = gap === -1 && (numbers[0] ?? 0) === 0;
  if (isFromFirst && isEnded) return "all";
  const since = numbers.slice(Math.max(0, gap));
  const times = timesIn(since.flatMap((number) => pages.get(number)?.movements ?? []));
  const oldest = times.length === 0 ? null : new Date(Math.min(...times));
  if (isFromFirst) return isSorted(times, (one, next) => one >= next) ? oldest : null;
  return isEnded && isSorted(times, (one, next) => one <= next) ? oldest : null;
}

const isSame = (one: readonly string[], other: readonly string[]): boolean => one.join() === other.join();

/**
 * Newest first, until a page ends with known entries; then on from the previous reading's last page. The order is not
 * documented: with another, new entries are on that page. An empty or repeated page is the end.
 */
export async function walkHistory(actor: Actor, question: Question, before: ReadingRow | undefined): Promise<Walked> {
  const store = await db();
  const pages = new Map<number, ToldPage>();
  const walked = (state: Pick<Walked, "nextPage" | "isWhole">, isEnded: boolean): Walked => {
    const all = [...pages.values()];
    const movements = all.flatMap((told) => told.movements);
    const unreadTexts = all.flatMap((told) => told.unreadTexts);
    const unread = Math.max(unreadTexts.length, before?.unread ?? 0);
    return { ...state, movements, unreadTexts, unread, reach: reachOf(pages, isEnded) };
  };
  let known: Pick<Walked, "nextPage" | "isWhole"> | null = null;
  const unfinished = (nextPage = Math.max(0, ...pages.keys())) => walked(known ?? { nextPage, isWhole: false }, false);
  // What was read is worth more than the failure of a page that nobody planned.
  const readNext = async (nth: number): Promise<ToldPage | null> =>
    readPage(actor, question, nth).catch((error: unknown) => {
      if (question.allowance === undefined || pages.size === 0 || !(error instanceof AppError)) throw error;
      return null;
    });
  let page = 0;
  for (let calls = 0; calls < MAX_PAGES; calls += 1) {
    const told = await readNext(page);
    // From the second page on, so that the watch goes on there.
    if (told === null) return unfinished(Math.max(1, ...pages.keys()));
    const first = pages.get(0);
    const seen = new Set([...pages.values()].flatMap(({ marks }) => marks));
    if (told.marks.every((mark) => seen.has(mark))) {
      const mayHaveMore = page === 1 && told.marks.length >= PAGE_LIMIT && isSame(told.marks, first?.marks ?? []);
      const nextPage = mayHaveMore ? 0 : Math.max(0, ...pages.keys());
      return walked({ nextPage, isWhole: !mayHaveMore }, !mayHaveMore);
    }
    // Repeated entries are equal ones, or shifted by new ones during the reading.
    if (told.marks.some((mark) => seen.has(mark))) {
      calls += 1;
      if (calls === MAX_PAGES) return unfinished();
      const again = await readNext(0);
      if (again === null) return unfinished(Math.max(1, ...pages.keys()));
      if (!isSame(again.marks, first?.marks ?? [])) {
        pages.clear();
        pages.set(0, again);
        page = 1;
        continue;
      }
    }
    pages.set(page, told);
    const oldest = told.movements.findLast(({ time }) => time !== null);
    const isKnown = oldest !== undefined && (await isStored(store, actor.tenant, question, oldest));
    if (isKnown && before?.isWhole === true && isNewestFirst(told.movements)) {
      known = { nextPage: before.nextPage, isWhole: true };
      const isFull = told.marks.length >= (first?.marks.length ?? PAGE_LIMIT);
      const marks = new Set([...seen, ...told.marks]);
      const isComplete = [...question.awaited].every((key) => marks.has(key));
      if (isComplete && (isFull || (await areTold(store, actor.tenant, question, marks)))) return walked(known, false);
    }
    page = isKnown && known === null ? Math.max(page + 1, before?.nextPage ?? 0) : page + 1;
  }
  return unfinished();
}

/** A provider that ignores the token also returns entries for this invalid one. */
export async function heedsToken(actor: Actor, question: Question): Promise<boolean> {
  const noToken = question.one.address;
  const told = await readPage(actor, { ...question, token: noToken }, 0).catch((error: unknown) => {
    if (error instanceof AppError && (error.kind === "invalid" || error.kind === "not-found")) return null;
    throw error;
  });
  return told === null || told.marks.length === 0;
}
