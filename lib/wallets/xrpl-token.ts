import { canonicalAddress } from "@/lib/contract/addresses";
import type { BalanceEntry, CryptoTransfer, Network } from "@/lib/contract/crypto";
import { findIn } from "@/lib/contract/open-answer";

type Issued = { currency: string; issuer: string };

/** Three characters of the ledger's set, or 160 bits. */
const CODE = /^(?:[A-Za-z0-9?!@#$%^&*<>(){}[\]|]{3}|[0-9A-Fa-f]{40})$/;

const isIssuer = (text: string) => canonicalAddress("XRPL", text) !== null;

/** The value that all agree on; null when absent or contradictory. */
function agreed(texts: readonly (string | undefined)[]): string | null {
  const told = new Set(texts.flatMap((text) => (text === undefined || text === "" ? [] : [text])));
  const [only = null, another] = told;
  return another === undefined ? only : null;
}

/** Not documented: currency and issuer by name, within `tokenAddress` in any order, or by the asset. */
export function issuedIn(entry: BalanceEntry): Issued | null {
  const { asset } = entry;
  const parts = (entry.tokenAddress ?? "").split(/[.:+/_-]/);
  const issuer = agreed([findIn(entry, "issuer")?.text, ...parts.filter(isIssuer)]);
  const told = [findIn(entry, "currency")?.text, ...parts.filter((part) => part !== "" && !isIssuer(part))];
  const isCode = CODE.test(asset);
  const currency = told.some(Boolean) ? agreed(told) : isCode ? asset : null;
  if (isCode && asset.length === currency?.length && asset !== currency) return null;
  if (issuer === null || currency === null || !isIssuer(issuer) || currency === "XRP") return null;
  return { currency, issuer };
}

/** A token of the XRP Ledger becomes `CURRENCY.issuer` when both are known. */
export function withToken<Entry extends BalanceEntry>(network: Network, entry: Entry): Entry {
  const issued = network === "XRPL" ? issuedIn(entry) : null;
  return issued === null ? entry : { ...entry, tokenAddress: `${issued.currency}.${issued.issuer}` };
}

export function tokenOf({
  tokenAddress,
  currency,
  issuer,
}: Pick<CryptoTransfer, "tokenAddress" | "currency" | "issuer">): string | null {
  return currency === undefined || issuer === undefined ? (tokenAddress ?? null) : `${currency}.${issuer}`;
}
