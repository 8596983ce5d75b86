import type { Actor } from "@/lib/permission/grant";
import { documentAmong, isCnpj, isCpf } from "@/lib/contract/document";
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
  if (isCpf(document) || isCnpj(document)) return { counterpart: lookupHash(document) };
  const typed = pasted(query);
  return { counterpart: ADDRESS.test(typed) ? typed : lookupHash(nameKeyOf(query)) };
}
