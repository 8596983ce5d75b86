import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { putCanaries } from "./seen.mjs";

const KINDS = [
  "secret",
  "document",
  "advertised document",
  "second factor",
  "recovery code",
  "invitation",
  "password",
  "session",
  "bearer token",
  "holder's token",
] as const;

/** A text allowed only where `canary-rules.ts` says; `shown`: how many answers may hold it. */
const Canary = z.object({ kind: z.enum(KINDS), value: z.string().min(8), shown: z.number() });
export type Canary = z.infer<typeof Canary>;
export type Kind = Canary["kind"];

const NAMES = /^canaries-\d+\.jsonl$/;

/** These are searched for from now on, and in everything recorded earlier. */
export const note = (kind: Kind, ...values: readonly string[]): void => putCanaries(kind, values, 0);

/** A permitted person requested it, so one more answer may hold it. */
export const noteShown = (kind: Kind, ...values: readonly string[]): void => putCanaries(kind, values, 1);

/** Everything noted, each once. */
export function notedCanaries(folder: string): Canary[] {
  const noted = new Map<string, Canary>();
  for (const name of readdirSync(folder).filter((file) => NAMES.test(file))) {
    for (const line of readFileSync(join(folder, name), "utf8").trimEnd().split("\n")) {
      const canary = Canary.parse(JSON.parse(line));
      const shown = canary.shown + (noted.get(canary.value)?.shown ?? 0);
      noted.set(canary.value, { ...canary, shown });
    }
  }
  return [...noted.values()];
}

/** A secret is recognised by its beginning; a document is whole or masked. */
const BEGINNING = 16;
const TELLING = 12;

/** The three possible base64 forms of a text within a longer one. */
function base64Forms(text: string): string[] {
  const bytes = Buffer.from(text);
  return [0, 1, 2].map((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const head = Math.ceil((before * 4) / 3);
    return whole.slice(head, Math.floor(((before + bytes.length) * 4) / 3));
  });
}

/** The escapes of HTML and JSON. */
const escaped = (text: string) => text.replaceAll("&", String.raw`\u0026`);
const inMarkup = (text: string) => text.replaceAll("&", "&amp;").replaceAll("+", "&#x2B;");

/** The text as it is, and raw, base64 at any offset, base64url, URL-encoded, hex and escaped. */
export function formsOf(canary: string): string[] {
  const base64 = base64Forms(canary);
  const webSafe = base64.map((form) => form.replaceAll("+", "-").replaceAll("/", "_"));
  const hex = Buffer.from(canary).toString("hex");
  const begun = canary.length > 2 * BEGINNING ? canary.slice(0, BEGINNING) : canary;
  const telling = canary.split(/[^\w-]+/).filter((run) => run.length >= TELLING);
  const plain = [begun, encodeURIComponent(canary), escaped(begun), inMarkup(begun), hex, hex.toUpperCase()];
  return [...new Set([...plain, ...telling, ...base64, ...webSafe])];
}
