import { z } from "zod";
import { familyOf } from "@/lib/contract/addresses";
import { type Network, NETWORKS } from "@/lib/contract/crypto";
import { addressSpelling } from "@/lib/contract/identity";
import { decimalOf, unitsOf } from "@/lib/text/decimal";
import type { CryptoOrder } from "./inputs";

export type CoinOrder = Pick<
  CryptoOrder,
  "network" | "fromAddress" | "to" | "amount" | "tokenAddress" | "currency" | "issuer"
>;

/** The family's canonical spelling; an invalid address is returned as it is. */
export const spelt = (network: Network, address: string): string => addressSpelling(familyOf(network), address);

/** By value: `1.50` and `1.5` are one amount. */
export const amountValue = (amount: string): string => decimalOf(unitsOf(amount));

const Told = z.object({
  network: z.enum(NETWORKS),
  fromAddress: z.string(),
  to: z.string(),
  amount: z.string(),
  tokenAddress: z.string().optional(),
  currency: z.string().optional(),
  issuer: z.string().optional(),
});

/** A text that is equal for orders that may be one order given twice. */
export function fingerprintOf({ network, fromAddress, to, amount, ...asset }: CoinOrder): string {
  const { tokenAddress, currency, issuer } = asset;
  return JSON.stringify(
    Told.parse({
      network,
      fromAddress: spelt(network, fromAddress),
      to: spelt(network, to),
      amount: amountValue(amount),
      ...(tokenAddress !== undefined && { tokenAddress: spelt(network, tokenAddress) }),
      ...(currency !== undefined && { currency }),
      ...(issuer !== undefined && { issuer: spelt(network, issuer) }),
    }),
  );
}

export const coinOrderIn = (fingerprint: string): CoinOrder => Told.parse(JSON.parse(fingerprint));
