import { z } from "zod";
import { CHAIN_FAMILIES, type ChainFamily, CryptoTransfer, FAMILY_NETWORKS, type Network } from "@/lib/contract/crypto";
import { lenient, SoughtId } from "@/lib/text/filter";
import { UnreadEntries } from "@/lib/text/shown-body";

/** Filter in the address; bad values become the default. */
export const WalletFilter = z.object({
  network: lenient(z.enum(CHAIN_FAMILIES)),
  /** Part of the address, or the id. */
  sought: lenient(SoughtId),
  page: z.coerce.number().int().min(1).catch(1),
});
export type WalletFilter = z.output<typeof WalletFilter>;

export const WALLETS_WATCH = "wallets";

export const WalletWalk = z
  .object({
    offset: z.int().min(0),
    had: z.array(z.string()),
    end: z.enum(["empty", "repeated"]).nullable(),
    unread: UnreadEntries,
    /** Of the last walk to the end; `front`: a hash of its first page. */
    length: z.int().min(0).catch(0),
    front: z.string().nullable().catch(null),
    walkedAt: z.iso.datetime().nullable().catch(null),
  })
  .catch({ offset: 0, had: [], end: null, unread: [], length: 0, front: null, walkedAt: null });

export type WalletWalk = z.output<typeof WalletWalk>;

export const CryptoOrder = z.object({
  ...CryptoTransfer.shape,
  intentId: z.uuid(),
});
export type CryptoOrder = z.output<typeof CryptoOrder>;

export function isFamily(name: string): name is ChainFamily {
  return CHAIN_FAMILIES.some((family) => family === name);
}

export function networksOf(family: string): readonly Network[] {
  return isFamily(family) ? FAMILY_NETWORKS[family] : [];
}
