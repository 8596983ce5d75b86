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

export function createWordFiles(all: MessageTree, keys: NonNullable<typeof KEYS>) {
  const texts = new Map<string, string>();
  const names = new Map(
    Object.entries(keys).map(([of, wanted]) => {
      if (wanted.length === 0) return [of, ""];
      const text = JSON.stringify(picked(all, wanted));
      const name = nameOf(text);
      texts.set(name, text);
      return [of, name];
    }),
  );
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

/** The file with what a page's or layout's own browser code says; empty where it says nothing, null where there are no files. */
export function wordFileOf(all: MessageTree, of: string): string | null {
  const files = filesOf(all);
  if (files === null) return null;
  const name = files.names.get(of);
  if (name === undefined) throw new Error(`the build knows no page or layout ${of}`);
  return name;
}

export const frameWordsOf = (all: MessageTree, of: string): MessageTree => {
  if (KEYS === null) return all;
  const keys = KEYS[of];
  if (keys === undefined) throw new Error(`the build knows no layout ${of}`);
  return picked(all, keys);
};

export const wordFile = (all: MessageTree, name: string): string | null => filesOf(all)?.texts.get(name) ?? null;
