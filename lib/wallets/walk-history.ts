import { and, eq } from "drizzle-orm";
import type { Actor } from "@/lib/permission/grant";
import { AppError } from "@/lib/errors/app-error";
import { bank } from "@/lib/provider/client";
import { getWalletHistory } from "@/lib/provider/operations";
import type { ChainEntry } from "@/lib/contract/crypto";
import { stringifyJson } from "@/lib/contract/json";
import { isStorable, WholeNumber } from "@/lib/contract/shared";
import { type Db, db } from "@/lib/db/connection";
import { sha256 } from "@/lib/text/decode";
import { chainMovement, type chainReading } from "@/lib/db/tables/wallets";
import type { WalletNetwork } from "./records";

const PAGE_LIMIT = 50;
/** Of one question: the next reading goes on from there. */
const MAX_PAGES = 6;

export type MovementRow = typeof chainMovement.$inferSelect;
type ReadingRow = typeof chainReading.$inferSelect;

export type ToldMovement = Pick<
  MovementRow,
  "key" | "hash" | "subtype" | "counterAddress" | "amount" | "blockNumber" | "at"
>;

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

export type Walked = Pick<ReadingRow, "nextPage" | "isWhole" | "unread"> & { movements: ToldMovement[] };

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
export async function walkHistory(actor: Actor, question: Question, before: ReadingRow | undefined): Promise<Walked> {
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
export async function heedsToken(actor: Actor, question: Question): Promise<boolean> {
  const noToken = question.one.address;
  const told = await readPage(actor, { ...question, token: noToken }, 0).catch((error: unknown) => {
    if (error instanceof AppError && (error.kind === "invalid" || error.kind === "not-found")) return null;
    throw error;
  });
  return told === null || told.marks.length === 0;
}
