import { z } from "zod";
import { CHAIN_FAMILIES, type ChainFamily, CryptoTransfer, FAMILY_NETWORKS, type Network } from "@/lib/contract/crypto";
import { UnreadEntries } from "@/lib/text/shown-body";

/** The list's filter as it stands in the address; what does not fit becomes the default. */
export const WalletFilter = z.object({
  network: z.enum(CHAIN_FAMILIES).optional().catch(undefined),
  page: z.coerce.number().int().min(1).catch(1),
});
export type WalletFilter = z.output<typeof WalletFilter>;

export const WALLETS_WATCH = "wallets";

/** How far the walk through the provider's list has come, what it has had of it and could not read, and how the last whole one ended. */
export const WalletWalk = z
  .object({
    offset: z.int().min(0),
    had: z.array(z.string()),
    end: z.enum(["empty", "repeated"]).nullable(),
    unread: UnreadEntries,
  })
  .catch({ offset: 0, had: [], end: null, unread: [] });

/** A transfer from a wallet, as a form sends it. */
export const CryptoOrder = z.object({
  ...CryptoTransfer.shape,
  /** Made when the form opened. */
  intentId: z.uuid(),
});
export type CryptoOrder = z.output<typeof CryptoOrder>;

export function isFamily(name: string): name is ChainFamily {
  return CHAIN_FAMILIES.some((family) => family === name);
}

/** The networks an address of this family lives on; none for a family the interface does not know. */
export function networksOf(family: string): readonly Network[] {
  return isFamily(family) ? FAMILY_NETWORKS[family] : [];
}
