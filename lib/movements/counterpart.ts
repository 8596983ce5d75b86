import type { Actor } from "@/lib/permission/grant";
import { maskDocument, namedDocument } from "@/lib/contract/document";
import { pasted } from "@/lib/contract/fold";
import { lookupHash } from "@/lib/db/seal";
import { nameKeyOf } from "@/lib/text/typed";
import type { CounterpartQuery } from "./inputs";

const ADDRESS = /^[\dA-Za-z:]{20,110}$/;

/** What an address of a page may name in place of what was typed: an address of a chain, or a keyed hash. */
export async function findCounterpartKey(
  _actor: Actor<"accounts:read">,
  { query }: CounterpartQuery,
): Promise<{ counterpart: string; restored?: string }> {
  const named = namedDocument(query);
  if (named.kind === "one") return { counterpart: lookupHash(named.document) };
  const [restored] = named.kind === "restored" ? named.documents : [];
  if (restored !== undefined) return { counterpart: lookupHash(restored), restored: maskDocument(restored) };
  const typed = pasted(query);
  return { counterpart: ADDRESS.test(typed) ? typed : lookupHash(nameKeyOf(query)) };
}
