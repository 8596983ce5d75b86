import type { Actor } from "@/lib/permission/grant";
import { documentAmong, isDocument, mayHoldDocument, restoredDocuments } from "@/lib/contract/document";
import { normaliseDocument, pasted } from "@/lib/contract/fold";
import { lookupHash } from "@/lib/db/seal";
import { nameKeyOf } from "@/lib/text/typed";
import type { CounterpartQuery } from "./inputs";

const ADDRESS = /^[\dA-Za-z:]{20,110}$/;

/** What an address of a page may name in place of what was typed: an address of a chain, or a keyed hash. */
export async function findCounterpartKey(
  _actor: Actor<"accounts:read">,
  { query }: CounterpartQuery,
): Promise<{ counterpart: string }> {
  const document = normaliseDocument(documentAmong(query));
  const [read] = isDocument(document) ? [document] : restoredDocuments(query);
  if (read !== undefined) return { counterpart: lookupHash(read) };
  const typed = pasted(query);
  return { counterpart: ADDRESS.test(typed) && !mayHoldDocument(typed) ? typed : lookupHash(nameKeyOf(query)) };
}
