import { and, eq, inArray } from "drizzle-orm";
import { createTranslator } from "next-intl";
import { type MovementRow, openMovements } from "@/lib/accounts/queries";
import { isBooked } from "@/lib/accounts/records";
import { amountKey, idKey } from "@/lib/contract/identity";
import type { Actor } from "@/lib/permission/grant";
import { type Cell, csvDecimal, csvLine } from "@/lib/text/csv";
import { db } from "@/lib/db/connection";
import { accountEntry } from "@/lib/db/tables/accounts";
import { AppError } from "@/lib/errors/app-error";
import { isDecimal, type Locale } from "@/lib/text/format";
import { civilDay, civilIso, dayOfIso, readIso, timeOfIso } from "@/lib/text/time";
import {
  hasTime,
  listHistories,
  movementState,
  movementsIn,
  networksWithoutTokens,
  type StoredHistory,
  type StoredMovement,
} from "@/lib/wallets/records";
import { type AssetBasis, movementDirection, movedAsset } from "@/lib/wallets/view";
import en from "@/messages/en.json";
import ptBR from "@/messages/pt-BR.json";
import { isMadeAfter, MADE_LATER, movementPlace } from "./records";
import { type Counted, REAIS } from "./totals";
import type { movementExport } from "@/lib/db/tables/movements";
import type { SourceKind } from "@/lib/db/enums/movements";

type Export = typeof movementExport.$inferSelect;

export type Part = { bytes: Uint8Array; counted: readonly Counted[] };

/** `fileName`: within a zip. `readAt`: when it is not current; `why`: it may lack entries. Throws `AppError`. */
export type SourceFile = { fileName: string; parts: AsyncGenerator<Part>; readAt?: Date; why?: string | null };

/** Documented in `docs/movements.md`: never renamed, only added to. */
export const CSV_COLUMNS = [
  "source",
  "source_id",
  "branch",
  "number",
  "asset",
  "network",
  "date",
  "at",
  "direction",
  "amount",
  "booked",
  "type",
  "status",
  "transaction_id",
  "description",
  "as_told",
  "token_address",
  "derived_fee",
  "asset_basis",
  "note",
  "told_fee",
  "own",
] as const;

/** Beside the table, so that a column's sum skips it. */
export const noteLine = (cells: readonly Cell[], locale: Locale): string =>
  csvLine(
    CSV_COLUMNS.map((name) => (name === "note" ? cells.map((cell) => cell ?? "").join(" | ") : null)),
    locale,
  );

/** Amounts in the file's sentences, in the notation of its cells. */
const amountIn = (text: string, locale: Locale): string => (isDecimal(text) ? csvDecimal(text, locale) : text);

function countedOf(row: MovementRow, isOwn: boolean): Counted {
  if ("fields" in row || row.direction === null || !isBooked(row) || !isDecimal(row.amount)) return { moved: null };
  // Nobody knows of which day it is.
  if (readIso(row.date) === null) return { moved: null };
  const side = row.direction === "CREDIT" ? "in" : "out";
  return { moved: { side, amount: row.amount.replace("-", "") }, isOwn };
}

type Holder = { ref: string; branch: string; number: string };
type AccountRow = { locale: Locale; isOwn: boolean };

const OWN = { true: "yes", false: null } as const;

function accountLine(row: MovementRow, { ref, branch, number }: Holder, { locale, isOwn }: AccountRow): string {
  const whose = ["account", ref, branch, number, REAIS, null];
  if ("fields" in row) {
    const told = row.fields.map(({ path, value }) => `${path}: ${value}`).join("; ");
    const blank = Array.from({ length: CSV_COLUMNS.indexOf("as_told") - whose.length }, () => null);
    return csvLine([...whose, ...blank, told, null, null, null, null, null, null], locale);
  }
  const { direction, directionWord, amount, date, type, status, transactionId, description } = row;
  const isExact = direction !== null && isDecimal(amount) && readIso(date) !== null;
  return csvLine(
    [
      ...whose,
      dayOfIso(date),
      timeOfIso(date),
      direction === null ? null : direction === "CREDIT" ? "in" : "out",
      isExact ? csvDecimal(amount.replace("-", ""), locale) : null,
      isBooked(row) ? "yes" : "no",
      type,
      status,
      transactionId,
      description,
      isExact ? null : `${amount} ${directionWord}`.trim(),
      null,
      null,
      null,
      null,
      null,
      OWN[`${isOwn}`],
    ],
    locale,
  );
}

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Which rows of an account have their other side in another one, by what is kept of both. */
async function ownAmong(tenant: string, accountRef: string, rows: readonly MovementRow[]) {
  const told = rows.flatMap((row) => ("fields" in row ? [] : [idKey(row.transactionId)]));
  const ids = [...new Set(told)].filter((id) => id !== "");
  const isOwn = and(eq(accountEntry.tenant, tenant), eq(accountEntry.accountRef, accountRef), accountEntry.isOwn);
  const { transactionId, direction, amount } = accountEntry;
  const kept =
    ids.length === 0
      ? []
      : await (
          await db()
        )
          .select({ transactionId, direction, amount })
          .from(accountEntry)
          .where(and(isOwn, inArray(transactionId, ids)));
  const marks = new Set(kept.map((one) => JSON.stringify([one.transactionId, one.direction, amountKey(one.amount)])));
  return (row: MovementRow): boolean =>
    !("fields" in row) &&
    marks.has(
      JSON.stringify([
        idKey(row.transactionId),
        row.direction === null ? null : row.direction === "CREDIT" ? "in" : "out",
        amountKey(row.amount.replace("-", "")),
      ]),
    );
}

async function readAccount(actor: Actor, ref: string, wanted: Export): Promise<SourceFile> {
  const { row, pages, ofx } = await openMovements(actor, ref, { from: wanted.fromDay, to: wanted.toDay });
  const { locale } = wanted;
  const fileName = `${row.branch}-${row.number}`.replaceAll(/[^\w-]+/g, "");
  async function* csvParts(): AsyncGenerator<Part> {
    for await (const rows of pages()) {
      const isOwn = await ownAmong(actor.tenant, ref, rows);
      const lines = rows.map((one) => accountLine(one, row, { locale, isOwn: isOwn(one) }));
      yield { bytes: bytesOf(lines.join("")), counted: rows.map((one) => countedOf(one, isOwn(one))) };
    }
  }
  async function* ofxParts(): AsyncGenerator<Part> {
    const say = createTranslator({ locale, messages: locale === "en" ? en : ptBR, namespace: "statement" });
    const writer = await ofx({ leftOut: (count) => say("ofx.leftOut", { count }), asTold: say("ofx.asTold") });
    yield { bytes: writer.head(), counted: [] };
    for await (const rows of pages()) {
      const isOwn = await ownAmong(actor.tenant, ref, rows);
      yield { bytes: writer.page(rows), counted: rows.map((one) => countedOf(one, isOwn(one))) };
    }
    yield { bytes: writer.end(), counted: [] };
  }
  const why = civilDay(new Date()) <= wanted.toDay ? "read-before-end" : null;
  return { fileName, parts: wanted.format === "csv" ? csvParts() : ofxParts(), why };
}

const isUnsigned = (amount: string) => isDecimal(amount) && !amount.startsWith("-");

function movedOf({ subtype, amount }: StoredMovement): Counted["moved"] {
  const side = movementDirection(subtype);
  return side === null || !isUnsigned(amount) ? null : { side, amount };
}

type Held = { history: StoredHistory; hasNoToken: boolean; locale: Locale };

function countedCoin(row: StoredMovement, { hasNoToken }: Held): Counted {
  const { network, tokenAddress: token } = row;
  const { asset, basis } = movedAsset(row, hasNoToken);
  const isLikely = basis === "likely";
  const moved = movementState(row) === "confirmed" ? movedOf(row) : null;
  return { coin: { network, asset, token, ...(isLikely && { isLikely }) }, moved, isOwn: row.isOwn };
}

const BASES: Readonly<Record<AssetBasis, string | null>> = {
  told: null,
  only: "only asset of the network",
  likely: "probable: no token known",
  untold: null,
};

function walletLine(row: StoredMovement, { history: { walletId, address }, hasNoToken, locale }: Held): string {
  const { network, tokenAddress, subtype, hash, counterAddress, status } = row;
  const moved = movedOf(row);
  const state = movementState(row);
  const { asset, basis } = movedAsset(row, hasNoToken);
  const isTimed = state !== "unconfirmed" && state !== "undated";
  return csvLine(
    [
      "wallet",
      walletId,
      null,
      address,
      asset,
      network,
      isTimed ? civilDay(row.at) : null,
      isTimed ? civilIso(row.at) : null,
      movementDirection(subtype),
      moved === null ? null : csvDecimal(moved.amount, locale),
      state === "confirmed" ? "yes" : "no",
      subtype,
      state === "confirmed" ? status : state,
      hash,
      counterAddress,
      moved === null ? `${row.amount} ${subtype}`.trim() : null,
      tokenAddress,
      row.derivedFee === null ? null : amountIn(row.derivedFee, locale),
      BASES[basis],
      null,
      row.toldFee === null ? null : amountIn(row.toldFee, locale),
      OWN[`${row.isOwn}`],
    ],
    locale,
  );
}

function droppedLine(row: StoredMovement, { history: { walletId }, hasNoToken, locale }: Held): string {
  const { asset } = movedAsset(row, hasNoToken);
  const moved = [amountIn(row.amount, locale), asset, row.tokenAddress, row.subtype].filter(Boolean).join(" ");
  return noteLine(
    ["# dropped", "wallet", walletId, row.network, row.hash, moved, hasTime(row) ? civilDay(row.at) : null],
    locale,
  );
}

function lackOf({ isWhole, unread, madeAt }: StoredHistory, asOf: Date, toDay: string): string | null {
  if (isMadeAfter(madeAt, toDay)) return null;
  if (!isWhole) return "unfinished";
  if (unread > 0) return "entries-unread";
  return civilDay(asOf) <= toDay ? "read-before-end" : null;
}

/** Reads the stored chain history, without calls. */
async function readWallet({ tenant }: Actor, ref: string, wanted: Export): Promise<SourceFile> {
  const store = await db();
  const { walletId, network } = movementPlace(ref);
  const histories = await listHistories(store, tenant, walletId);
  const history = histories.find((one) => one.network === network);
  if (history === undefined || network === null) throw new AppError("not-found");
  const { asOf, madeAt } = history;
  if (asOf === null)
    throw new AppError("not-found", { code: isMadeAfter(madeAt, wanted.toDay) ? MADE_LATER : "never-read" });
  const period = { from: wanted.fromDay, to: wanted.toDay };
  const place = { walletId, network };
  const hasNoToken = (await networksWithoutTokens(store, tenant, walletId)).has(network);
  async function* parts(its: Held): AsyncGenerator<Part> {
    for await (const rows of movementsIn(store, tenant, place, period)) {
      const text = rows.map((one) => walletLine(one, its)).join("");
      yield { bytes: bytesOf(text), counted: rows.map((one) => countedCoin(one, its)) };
    }
    for await (const rows of movementsIn(store, tenant, place, { ...period, isDropped: true }))
      yield { bytes: bytesOf(rows.map((one) => droppedLine(one, its)).join("")), counted: [] };
  }
  return {
    fileName: "",
    parts: parts({ history, hasNoToken, locale: wanted.locale }),
    readAt: asOf,
    why: lackOf(history, asOf, wanted.toDay),
  };
}

/** How each kind of source is read; a new kind is a row here. */
export const READERS: Readonly<Record<SourceKind, (actor: Actor, ref: string, wanted: Export) => Promise<SourceFile>>> =
  {
    account: readAccount,
    wallet: readWallet,
  };
