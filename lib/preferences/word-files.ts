import { createHash } from "node:crypto";
import { isMany, joined, type MessageTree } from "./view";

/** By page or layout file; null in development and tests, where a page carries the whole catalogue. */
const KEYS: Readonly<Record<string, readonly string[]>> | null = JSON.parse(process.env["CLIENT_KEYS"] ?? "null");

function branch(all: MessageTree, [name = "", ...rest]: readonly string[]): MessageTree {
  const value = all[name];
  if (value === undefined) throw new Error(`no sentence is called ${name}`);
  return { [name]: rest.length === 0 || !isMany(value) ? value : branch(value, rest) };
}

const picked = (all: MessageTree, keys: readonly string[]): MessageTree =>
  keys.reduce((own: MessageTree, key) => joined(own, branch(all, key.split("."))), {});

const NAME_LENGTH = 12;

const nameOf = (text: string) => createHash("sha256").update(text).digest("base64url").slice(0, NAME_LENGTH);

/** A frame takes keys at once, so its words are in the HTML; a page's are a file that browsers keep. */
export const isFrame = (of: string): boolean => of.endsWith("layout");

/** `keys`: by page or layout; of layouts no file is made. */
export function createWordFiles(all: MessageTree, keys: NonNullable<typeof KEYS>) {
  const texts = new Map<string, string>();
  const names = new Map<string, string>();
  for (const [of, wanted] of Object.entries(keys)) {
    if (isFrame(of)) continue;
    const text = wanted.length === 0 ? null : JSON.stringify(picked(all, wanted));
    const name = text === null ? "" : nameOf(text);
    names.set(of, name);
    if (text !== null) texts.set(name, text);
  }
  return { names, texts };
}

type WordFiles = ReturnType<typeof createWordFiles>;

const made = new WeakMap<MessageTree, WordFiles>();

function filesOf(all: MessageTree): WordFiles | null {
  if (KEYS === null) return null;
  const files = made.get(all) ?? createWordFiles(all, KEYS);
  made.set(all, files);
  return files;
}

function known<Value>(value: Value | undefined, of: string): Value {
  if (value === undefined) throw new Error(`the build knows no page or layout ${of}`);
  return value;
}

/** The file with what a page's own browser code says; empty where it says nothing, null where there are no files. */
export function wordFileOf(all: MessageTree, of: string): string | null {
  const files = filesOf(all);
  return files === null ? null : known(files.names.get(of), of);
}

export const frameWordsOf = (all: MessageTree, of: string): MessageTree =>
  KEYS === null ? all : picked(all, known(KEYS[of], of));

export const wordFile = (all: MessageTree, name: string): string | null => filesOf(all)?.texts.get(name) ?? null;
