import { formatDecimal, type Locale } from "./format";

/** `231 ms`, from a second on `1,24 s`. */
export function formatDuration(ms: number, locale: Locale): string {
  if (Math.round(ms) < 1_000) return `${Math.round(ms)}\u00a0ms`;
  return `${formatDecimal((ms / 1_000).toFixed(2), locale, { minimumFractionDigits: 2 })}\u00a0s`;
}

const KIB = 1_024;
const MIB = 1_048_576;

/** `812 B`, `14 KB`, from a megabyte on `1,4 MB`. */
export function formatSize(bytes: number, locale: Locale): string {
  if (bytes < KIB) return `${bytes}\u00a0B`;
  if (bytes < MIB) return `${formatDecimal(Math.round(bytes / KIB).toString(), locale, {})}\u00a0KB`;
  return `${formatDecimal((bytes / MIB).toFixed(1), locale, {})}\u00a0MB`;
}

/** `0,8%`; 0 of 0 is 0. */
export function formatShare(part: number, whole: number, locale: Locale): string {
  const share = whole === 0 ? 0 : part / whole;
  return formatDecimal(share.toFixed(6), locale, { style: "percent", maximumFractionDigits: 1 });
}
