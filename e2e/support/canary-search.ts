import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Canary, formsOf, notedCanaries } from "./canary";
import { offences } from "./canary-rules";

/** Each line is one place: its name, a tab, and its content. */
export const SEEN = /^seen-\d+-\d+\.jsonl$/;

type Needle = { canary: Canary; bytes: Buffer };

const HASHED = 4;
const PREFIX = 8;
const GOLDEN = 0x9e_37_79_b1;
const LINE = 10;
const TAB = 9;
const ZERO = 48;
const NINE = 57;

const isDigit = (byte: number | undefined) => byte !== undefined && byte >= ZERO && byte <= NINE;

/** Eleven digits within a longer number are not a document. */
function standsAlone({ bytes, canary }: Needle, { text, at }: { text: Buffer; at: number }): boolean {
  if (!canary.kind.includes("document") || bytes.toString("latin1") !== canary.value) return true;
  return !isDigit(text[at - 1]) && !isDigit(text[at + bytes.length]);
}

/** Finds thousands of texts in one pass: a table tells which four bytes can start one. */
export function finder(canaries: readonly Canary[]) {
  const mayBegin = new Uint8Array(1 << 24);
  const byPrefix = new Map<string, Needle[]>();
  for (const canary of canaries) {
    for (const bytes of formsOf(canary.value).map((form) => Buffer.from(form))) {
      if (bytes.length < PREFIX) throw new Error(`a ${canary.kind} is too short to be looked for`);
      mayBegin[Math.imul(bytes.readUInt32LE(0), GOLDEN) >>> 8] = 1;
      const prefix = bytes.toString("latin1", 0, PREFIX);
      byPrefix.set(prefix, [...(byPrefix.get(prefix) ?? []), { canary, bytes }]);
    }
  }
  return function* find(text: Buffer): Generator<{ canary: Canary; at: number }> {
    let window = 0;
    for (let end = 0; end < text.length; end += 1) {
      window = (window >>> 8) | ((text[end] ?? 0) << 24);
      const at = end - HASHED + 1;
      if (at < 0 || mayBegin[Math.imul(window, GOLDEN) >>> 8] === 0) continue;
      for (const needle of byPrefix.get(text.toString("latin1", at, at + PREFIX)) ?? []) {
        const { bytes, canary } = needle;
        const isThere = text.compare(bytes, 0, bytes.length, at, at + bytes.length) === 0;
        if (isThere && standsAlone(needle, { text, at })) yield { canary, at };
      }
    }
  };
}

/** A provider's token, known by its form; nobody here holds one of the console's. */
const TOKEN = /eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}/g;
const ANY_TOKEN: Canary = { kind: "bearer token", value: "of whatever kind", shown: 0 };

function* tokens(text: Buffer): Generator<{ canary: Canary; at: number }> {
  for (const { index } of text.toString("latin1").matchAll(TOKEN)) yield { canary: ANY_TOKEN, at: index };
}

function lineAt(text: Buffer, at: number): { start: number; place: string } {
  const start = at === 0 ? 0 : text.lastIndexOf(LINE, at - 1) + 1;
  return { start, place: text.toString("utf8", start, text.indexOf(TAB, start)) };
}

/** The kind of a place: the words before the first specific name. */
const KIND =
  /^(?:answer|headers|cookies|address|file|log|built file|console database|service database|what a window|the stream)/;

function countSources(text: Buffer, places: Map<string, number>): void {
  for (let start = 0; start < text.length; start = text.indexOf(LINE, start) + 1) {
    const { place } = lineAt(text, start);
    const kind = KIND.exec(place)?.[0] ?? "other";
    places.set(kind, (places.get(kind) ?? 0) + 1);
  }
}

export type Outcome = { canaries: number; places: Map<string, number>; hits: string[] };

/** Compares everything seen with everything noted; hits are reported by kind and place, never by value. */
export function search(folder: string): Outcome {
  const canaries = notedCanaries(folder);
  const find = finder(canaries);
  const found = new Map<Canary, string[]>();
  const places = new Map<string, number>();
  for (const name of readdirSync(folder).filter((file) => SEEN.test(file))) {
    const text = readFileSync(join(folder, name));
    const once = new Set<string>();
    countSources(text, places);
    for (const source of [find(text), tokens(text)]) {
      for (const { canary, at } of source) {
        const { start, place } = lineAt(text, at);
        const key = `${start} ${canary.value}`;
        if (once.has(key)) continue;
        once.add(key);
        found.set(canary, [...(found.get(canary) ?? []), place]);
      }
    }
  }
  const hits = [...found].flatMap(([canary, at]) => offences(canary, at).map((place) => `${canary.kind}: ${place}`));
  return { canaries: canaries.length, places, hits };
}
