import { PassThrough, Readable } from "node:stream";
import { ZipFile } from "yazl";
import { isCoin } from "@/lib/contract/coins";
import { AppError } from "@/lib/errors/app-error";
import { type Cell, CSV_START, csvDecimal, csvLine } from "@/lib/text/csv";
import { isZero, type Locale } from "@/lib/text/format";
import { FILE_FORMAT } from "./format";
import { civilIso, TIME_ZONE } from "@/lib/text/time";
import { CSV_COLUMNS, noteLine } from "./sources";
import type { movementExport, movementSource } from "@/lib/db/tables/movements";
import { idOf, MADE_LATER, movementPlace } from "./records";
import { listTotals } from "./view";
import type { AssetTotals, Coin, Totals } from "@/lib/db/enums/movements";

type Export = typeof movementExport.$inferSelect;
type Source = typeof movementSource.$inferSelect;

export type Contents = { wanted: Export; sources: readonly Source[]; totals: Totals };

const isWhole = ({ state, why }: Source) => (state === "READ" && why === null) || why === MADE_LATER;

const concerns = ({ kind, ref }: Source, { coin }: AssetTotals) => {
  if (coin === undefined || kind === "account") return coin === undefined && kind === "account";
  const { network } = movementPlace(ref);
  return network === null || network === coin.network;
};

/** Each with the number of sources that may lack entries. */
export function withGaps(totals: Totals, sources: readonly Source[]): Totals {
  const gaps = sources.filter((source) => !isWhole(source));
  return Object.fromEntries(
    Object.entries(totals).map(([key, one]) => {
      const notWhole = gaps.filter((source) => concerns(source, one)).length;
      return [key, { ...one, ...(notWhole > 0 && { notWhole }) }];
    }),
  );
}

function basisOf({ network, asset, token, isLikely = false }: Coin): string {
  if (token !== null) return `token ${token}`;
  if (asset === null) return "asset not told";
  if (isLikely) return `probably ${asset}: no token known`;
  return network === "BITCOIN" && isCoin(network, { asset }) ? "only asset of the network" : "told by the provider";
}

function totalCells(
  key: string,
  { coin, count, unsigned, notWhole, own, ...sums }: AssetTotals,
  locale: Locale,
): Cell[] {
  const ofCoin = coin && [`network ${coin.network}`, basisOf(coin)];
  return [
    "# total",
    coin === undefined ? key : coin.asset,
    `count ${count}`,
    `in ${csvDecimal(sums.in, locale)}`,
    `out ${csvDecimal(sums.out, locale)}`,
    `unsigned ${unsigned}`,
    ...(ofCoin ?? []),
    ...(notWhole === undefined ? [] : [`not whole ${notWhole}`]),
    ...(own === undefined || (isZero(own.in) && isZero(own.out))
      ? []
      : [`own in at least ${csvDecimal(own.in, locale)}`, `own out at least ${csvDecimal(own.out, locale)}`]),
  ];
}

/** The request, the age of its data, its totals and its gaps. */
function controlRows({ wanted, sources, totals }: Contents): Cell[][] {
  const ages = sources
    .flatMap(({ readAt }) => readAt ?? [])
    .toSorted((one, other) => one.getTime() - other.getTime())
    .map(civilIso);
  const unread = sources.filter((one) => one.state === "UNREAD" && !isWhole(one));
  const madeLater = sources.filter(({ why }) => why === MADE_LATER);
  const lacking = sources.filter(({ state, why }) => state === "READ" && why !== null);
  return [
    ["# format", FILE_FORMAT],
    ["# tenant", wanted.tenant],
    ["# export", wanted.id],
    ["# period", wanted.fromDay, wanted.toDay, TIME_ZONE],
    ["# sources", wanted.scope, sources.length],
    ["# read", ages.length, ages[0] ?? null, ages.at(-1) ?? null],
    ["# unread", unread.length],
    ...unread.map((one) => ["# not read", one.kind, idOf(one), one.label, one.why]),
    ...listTotals(totals).map(([key, one]) => totalCells(key, one, wanted.locale)),
    ...lacking.map((one) => [
      "# not whole",
      one.kind,
      idOf(one),
      one.label,
      one.why,
      one.readAt === null ? null : civilIso(one.readAt),
    ]),
    ...madeLater.map((one) => ["# made later", one.kind, idOf(one), one.label]),
  ];
}

export const csvHead = ({ wanted: { locale } }: Contents): Buffer =>
  Buffer.from(`${CSV_START}${csvLine(CSV_COLUMNS, locale)}`);

/** The file's notes, as its last lines beside the table. */
export function csvNotes(contents: Contents): Buffer {
  const { locale } = contents.wanted;
  return Buffer.from(
    controlRows(contents)
      .map((cells) => noteLine(cells, locale))
      .join(""),
  );
}

const ZIP_ENTRIES_MAX = 65_535;
const ZIP_BYTES_MAX = 2 ** 32 - 1;
const ZIP_FRAME_BYTES = 64 * 1024 * 1024;

/** `entries`: files for sources, beside the control file. Throws invalid `movement-file-large`. */
export function refuseLargeZip({ entries, sizeBytes }: { entries: number; sizeBytes: number }): void {
  if (entries + 1 <= ZIP_ENTRIES_MAX && sizeBytes <= ZIP_BYTES_MAX - ZIP_FRAME_BYTES) return;
  throw new AppError("invalid", { code: "movement-file-large" });
}

/** First in the zip: what a CSV has at its top. */
function controlFile(contents: Contents): Buffer {
  const { locale } = contents.wanted;
  const lines = controlRows(contents).map((cells) => csvLine(cells, locale));
  return Buffer.from([CSV_START, ...lines].join(""));
}

/** Local midnight of 1 January 1980, so that the same contents give the same bytes. */
const ENTRY = { mtime: new Date(1980, 0, 1), forceDosTimestamp: true };

const nameInZip = ({ position, fileName }: Source) => `${String(position).padStart(5, "0")}-${fileName ?? ""}.ofx`;

type ZipSources = { piecesOf: (source: Source) => AsyncIterable<Uint8Array>; commentBytes: number };

/** The zip up to its comment, which takes `commentBytes` and will hold the signature of all bytes before it. */
export async function* zipOf(contents: Contents, { piecesOf, commentBytes }: ZipSources): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile();
  const output = zip.outputStream.pipe(new PassThrough());
  const fail = (error: Error) => output.destroy(error);
  zip.on("error", fail);
  zip.addBuffer(controlFile(contents), "control.csv", ENTRY);
  for (const source of contents.sources)
    if (source.state === "READ")
      zip.addReadStreamLazy(nameInZip(source), ENTRY, (begin) =>
        begin(null, Readable.from(piecesOf(source)).on("error", fail)),
      );
  zip.end({ comment: " ".repeat(commentBytes), forceZip64Format: false });
  let held = Buffer.alloc(0);
  for await (const piece of output) {
    const gathered = Buffer.concat([held, piece]);
    const given = Math.max(gathered.length - commentBytes, 0);
    yield gathered.subarray(0, given);
    held = gathered.subarray(given);
  }
}
