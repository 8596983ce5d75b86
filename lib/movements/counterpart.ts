import type { Actor } from "@/lib/permission/grant";
import { maskDocument, namedDocument } from "@/lib/contract/document";
import { isChainAddress } from "@/lib/contract/addresses";
import { NETWORKS } from "@/lib/contract/crypto";
import { lookupHash } from "@/lib/db/seal";
import { nameKeyOf } from "@/lib/text/typed";
import { pastedAddress } from "@/lib/wallets/inputs";
import type { CounterpartQuery } from "./inputs";

const isAddress = (text: string) => NETWORKS.some((network) => isChainAddress(network, text));

/** What an address of a page may name in place of what was typed: an address of a chain, or a keyed hash. */
export async function findCounterpartKey(
  _actor: Actor<"accounts:read">,
  { query }: CounterpartQuery,
): Promise<{ counterpart: string; restored?: string }> {
  const named = namedDocument(query);
  if (named.kind === "one") return { counterpart: lookupHash(named.document) };
  const [restored] = named.kind === "restored" ? named.documents : [];
  if (restored !== undefined) return { counterpart: lookupHash(restored), restored: maskDocument(restored) };
  const address = pastedAddress(query);
  return { counterpart: isAddress(address) ? address : lookupHash(nameKeyOf(query)) };
}
