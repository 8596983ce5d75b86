import { crc32 } from "node:zlib";
import { AppError } from "@/lib/errors/app-error";
import { type Cell, CSV_START, csvDecimal, csvLine } from "@/lib/text/csv";
import type { Locale } from "@/lib/text/format";
import { FILE_FORMAT } from "./format";
import { civilIso, TIME_ZONE } from "@/lib/text/time";
import { CSV_COLUMNS, noteLine } from "./sources";
import type { movementExport, movementSource } from "@/lib/db/tables/movements";
import { idOf, placeOf } from "./records";
import { listTotals } from "./view";
import type { AssetTotals, Coin, Totals } from "@/lib/db/enums/movements";

type Export = typeof movementExport.$inferSelect;
type Source = typeof movementSource.$inferSelect;

export type Contents = { wanted: Export; sources: readonly Source[]; totals: Totals };

const isWhole = ({ state, why }: Source) => state === "READ" && why === null;

const concerns = ({ kind, ref }: Source, { coin }: AssetTotals) => {
  if (coin === undefined || kind === "account") return coin === undefined && kind === "account";
  const { network } = placeOf(ref);
  return network === null || network === coin.network;
};

/** Each with how many sources may lack entries of it. */
export function withGaps(totals: Totals, sources: readonly Source[]): Totals {
  const gaps = sources.filter((source) => !isWhole(source));
  return Object.fromEntries(
    Object.entries(totals).map(([key, one]) => {
      const notWhole = gaps.filter((source) => concerns(source, one)).length;
      return [key, { ...one, ...(notWhole > 0 && { notWhole }) }];
    }),
  );
}

function basisOf({ asset, token, isLikely = false }: Coin): string {
  if (token !== null) return `token ${token}`;
  if (asset === null) return "asset not told";
  return isLikely ? `probably ${asset}: no token known` : "only asset of the network";
}

function totalCells(key: string, { coin, count, unsigned, notWhole, ...sums }: AssetTotals, locale: Locale): Cell[] {
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
  ];
}

/** What was asked for, how old it is, what it adds up to, and what could not be read. */
function controlRows({ wanted, sources, totals }: Contents): Cell[][] {
  const ages = sources
    .flatMap(({ readAt }) => readAt ?? [])
    .toSorted((one, other) => one.getTime() - other.getTime())
    .map(civilIso);
  const unread = sources.filter(({ state }) => state === "UNREAD");
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
  ];
}

export const csvHead = ({ wanted: { locale } }: Contents): Buffer =>
  Buffer.from(`${CSV_START}${csvLine(CSV_COLUMNS, locale)}`);

/** What it says of itself stands beside the table, as its last lines. */
export function csvNotes(contents: Contents): Buffer {
  const { locale } = contents.wanted;
  return Buffer.from(
    controlRows(contents)
      .map((cells) => noteLine(cells, locale))
      .join(""),
  );
}

const UTF8_NAMES = 0x0800;
const VERSION = 20;
/** The first of January 1980: the same contents give the same bytes. */
const DAY_ONE = 0x0021;

export type ZipEntry = { name: string; sizeBytes: number; crc: number };

function entryFields({ name, sizeBytes, crc }: ZipEntry): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(VERSION, 0);
  fields.writeUInt16LE(UTF8_NAMES, 2);
  fields.writeUInt16LE(DAY_ONE, 8);
  fields.writeUInt32LE(crc, 10);
  fields.writeUInt32LE(sizeBytes, 14);
  fields.writeUInt32LE(sizeBytes, 18);
  fields.writeUInt16LE(Buffer.byteLength(name), 22);
  return fields;
}

const ZIP_ENTRIES_MAX = 65_535;
const ZIP_BYTES_MAX = 2 ** 32 - 1;
const ZIP_FRAME_BYTES = 64 * 1024 * 1024;

/** `entries`: of sources, beside the control file. Throws invalid `movement-file-large`. */
export function refuseLargeZip({ entries, sizeBytes }: { entries: number; sizeBytes: number }): void {
  if (entries + 1 <= ZIP_ENTRIES_MAX && sizeBytes <= ZIP_BYTES_MAX - ZIP_FRAME_BYTES) return;
  throw new AppError("invalid", { code: "movement-file-large" });
}

/** Stored, not compressed: what follows are the bytes of the entry as they are. */
export const localHeader = (entry: ZipEntry): Buffer =>
  Buffer.concat([Buffer.from("PK\u0003\u0004", "latin1"), entryFields(entry), Buffer.from(entry.name)]);

function centralHeader(entry: ZipEntry, offset: number): Buffer {
  const version = Buffer.alloc(2);
  version.writeUInt16LE(VERSION, 0);
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(offset, 10);
  const signature = Buffer.from("PK\u0001\u0002", "latin1");
  return Buffer.concat([signature, version, entryFields(entry), rest, Buffer.from(entry.name)]);
}

/** The directory of the entries, which stand one after the other from the beginning; `commentBytes` follow it. */
export function zipEnd(entries: readonly ZipEntry[], commentBytes: number): Buffer {
  let offset = 0;
  const headers = entries.map((entry) => {
    const header = centralHeader(entry, offset);
    offset += localHeader(entry).length + entry.sizeBytes;
    return header;
  });
  const directory = Buffer.concat(headers);
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006", 0, "latin1");
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  end.writeUInt16LE(commentBytes, 20);
  return Buffer.concat([directory, end]);
}

/** First in the zip: what a CSV has at its head. */
export function controlFile(contents: Contents): { entry: ZipEntry; bytes: Buffer } {
  const { locale } = contents.wanted;
  const lines = controlRows(contents).map((cells) => csvLine(cells, locale));
  const bytes = Buffer.from([CSV_START, ...lines].join(""));
  return { entry: { name: "control.csv", sizeBytes: bytes.length, crc: crc32(bytes) }, bytes };
}
