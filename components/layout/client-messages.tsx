import { useMessages } from "next-intl";
import type { ReactNode } from "react";
import { WordsProvider } from "@/components/layout/deferred";
import { isMany, joined, type MessageTree } from "@/lib/preferences/view";

/** Built by file; null in development and tests, where all messages are sent. */
const KEYS: Readonly<Record<string, readonly string[]>> | null = JSON.parse(process.env["CLIENT_KEYS"] ?? "null");

function branch(all: MessageTree, [name = "", ...rest]: readonly string[]): MessageTree {
  const value = all[name];
  if (value === undefined) throw new Error(`no sentence is called ${name}`);
  return { [name]: rest.length === 0 || !isMany(value) ? value : branch(value, rest) };
}

const picked = (all: MessageTree, keys: readonly string[]): MessageTree =>
  keys.reduce((own: MessageTree, key) => joined(own, branch(all, key.split("."))), {});

/** `of`: the page or layout file, without its extension, whose browser code uses these messages. */
export function ClientMessages({ of, children }: { of: string; children: ReactNode }) {
  const all = useMessages();
  const keys = KEYS?.[of];
  if (KEYS !== null && keys === undefined) throw new Error(`the build knows no page or layout ${of}`);
  return <WordsProvider own={keys === undefined ? all : picked(all, keys)}>{children}</WordsProvider>;
}
