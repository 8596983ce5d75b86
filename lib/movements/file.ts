import { crc32 } from "node:zlib";
import { AppError } from "@/lib/errors/app-error";
import { CSV_START, csvLine } from "@/lib/text/csv";
import { FILE_FORMAT } from "./format";
import { CSV_COLUMNS } from "./sources";
import type { movementExport, movementSource } from "@/lib/db/tables/movements";
import { idOf, placeOf } from "./records";
import { listTotals } from "./view";
import type { AssetTotals, Coin, Totals } from "@/lib/db/enums/movements";

type Export = typeof movementExport.$inferSelect;
type Source = typeof movementSource.$inferSelect;

export type Contents = { wanted: Export; sources: readonly Source[]; totals: Totals };

const line = (...cells: (string | number | null)[]) => csvLine(cells, "en");

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

function totalLine(key: string, { coin, count, in: came, out, unsigned, notWhole }: AssetTotals): string {
  const ofCoin = coin && [`network ${coin.network}`, basisOf(coin)];
  return line(
    "# total",
    coin === undefined ? key : coin.asset,
    `count ${count}`,
    `in ${came}`,
    `out ${out}`,
    `unsigned ${unsigned}`,
    ...(ofCoin ?? []),
    ...(notWhole === undefined ? [] : [`not whole ${notWhole}`]),
  );
}

/** What was asked for, how old it is, what it adds up to, and what could not be read. */
function headerLines({ wanted, sources, totals }: Contents): string {
  const ages = sources.flatMap(({ readAt }) => readAt?.toISOString() ?? []).toSorted();
  const unread = sources.filter(({ state }) => state === "UNREAD");
  const lacking = sources.filter(({ state, why }) => state === "READ" && why !== null);
  return [
    line("# format", FILE_FORMAT),
    line("# tenant", wanted.tenant),
    line("# export", wanted.id),
    line("# period", wanted.fromDay, wanted.toDay, "America/Sao_Paulo"),
    line("# sources", wanted.scope, sources.length),
    line("# read", ages.length, ages[0] ?? null, ages.at(-1) ?? null),
    line("# unread", unread.length),
    ...unread.map((one) => line("# not read", one.kind, idOf(one), one.label, one.why)),
    ...listTotals(totals).map(([key, one]) => totalLine(key, one)),
    ...lacking.map((one) =>
      line("# not whole", one.kind, idOf(one), one.label, one.why, one.readAt?.toISOString() ?? null),
    ),
  ].join("");
}

export const csvHead = (contents: Contents): Buffer =>
  Buffer.from(`${CSV_START}${headerLines(contents)}${line(...CSV_COLUMNS)}`);

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
  const bytes = Buffer.from(`${CSV_START}${headerLines(contents)}`);
  return { entry: { name: "control.csv", sizeBytes: bytes.length, crc: crc32(bytes) }, bytes };
}
