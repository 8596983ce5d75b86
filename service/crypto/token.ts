import type { Network } from "@/lib/contract/crypto";
import { canonicalAddress, familyOf } from "@/lib/contract/addresses";

/** Three characters of the ledger's set, or 160 bits that do not begin like those; `XRP` is the native coin alone. */
const XRPL_CURRENCY = /^(?!XRP$)(?:[A-Za-z0-9?!@#$%^&*<>(){}[\]|]{3}|(?!00)[0-9A-Fa-f]{40})$/;

/** `CURRENCY.issuer`, or null when the ledger cannot have it. */
function canonicalXrplToken(text: string): string | null {
  const [currency = "", issuer = "", ...rest] = text.split(".");
  if (rest.length > 0 || !XRPL_CURRENCY.test(currency) || canonicalAddress("XRPL", issuer) === null) return null;
  return `${currency.length === 3 ? currency : currency.toUpperCase()}.${issuer}`;
}

/** Null when the network cannot have such a token. */
export function canonicalToken(network: Network, text: string): string | null {
  if (network === "BITCOIN") return null;
  return network === "XRPL" ? canonicalXrplToken(text) : canonicalAddress(familyOf(network), text);
}
