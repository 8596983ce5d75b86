export function utf8OrNull(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

export const UNREADABLE = /[^\P{Cc}\t\n\v\f\r]|\ufffd/u;

/** A write takes a megabyte, with its quotes and line ends escaped. */
const SENT_MOST_BYTES = 1_000_000;
const READ_MOST_BYTES = 4 * SENT_MOST_BYTES;

export const mayBeSendable = ({ size }: { size: number }): boolean => size <= READ_MOST_BYTES;

export const isSendable = (text: string): boolean =>
  new TextEncoder().encode(JSON.stringify(text)).length <= SENT_MOST_BYTES;

/** Letters in the wrong case for their neighbours do not count. */
const LETTERS = /[áàâãäéèêíóòôõöúùüçñ](?![A-Z])|(?<![a-z])[ÁÀÂÃÄÉÈÊÍÓÒÔÕÖÚÙÜÇÑ]/g;
const lettersIn = (text: string) => text.match(LETTERS)?.length ?? 0;

const decoded = (bytes: Uint8Array, encoding: string) => new TextDecoder(encoding).decode(bytes);

function utf16Of(bytes: Uint8Array): "utf-16le" | "utf-16be" | null {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  const head = bytes.subarray(0, 512);
  const zeros = (half: number) => head.filter((byte, at) => at % 2 === half && byte === 0).length;
  const most = head.length * 0.3;
  if (zeros(1) > most && zeros(0) === 0) return "utf-16le";
  return zeros(0) > most && zeros(1) === 0 ? "utf-16be" : null;
}

/** Old Windows and Mac spreadsheets do not name their encoding: the one that yields letters within words is meant. */
function byLetters(bytes: Uint8Array): string {
  const windows = decoded(bytes, "windows-1252");
  const mac = decoded(bytes, "macintosh");
  return lettersIn(mac) > lettersIn(windows) ? mac : windows;
}

/** An uploaded file as text: UTF-8, UTF-16, Windows-1252 or Mac Roman; null for anything else. */
export function readTextFile(bytes: Uint8Array): string | null {
  const utf16 = utf16Of(bytes);
  const text = utf16 === null ? (utf8OrNull(bytes) ?? byLetters(bytes)) : decoded(bytes, utf16);
  return UNREADABLE.test(text) ? null : text.replace(/^\ufeff/, "").normalize("NFC");
}
