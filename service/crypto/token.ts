import type { Network } from "@/lib/contract/crypto";
import { canonicalAddress, familyOf } from "./addresses/family";

/** A token's contract in its one form: EVM addresses come in any case; one that is none stays as it was written. */
export function canonicalToken(network: Network, tokenAddress: string): string {
  return canonicalAddress(familyOf(network), tokenAddress) ?? tokenAddress;
}
