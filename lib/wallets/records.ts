import type { Actor } from "@/lib/auth/grant";
import { bank } from "@/lib/bank/bank";
import { getWalletBalance } from "@/lib/bank/operations";
import type { BalanceEntry, Network, Wallet } from "@/lib/contract/crypto";
import { wallet, walletBalance } from "@/lib/store/schema";
import { type Db, db, type Tx } from "@/lib/store/store";

/** Keeps the wallets of one page of the provider's list. */
export async function saveWallets(tx: Db | Tx, tenant: string, listed: readonly Wallet[]): Promise<void> {
  const seenAt = new Date();
  for (const { id, address, network, coin, status, isForwardPayment, createdAt } of listed) {
    const values = { address, family: network, coin, status, isForwardPayment: isForwardPayment === 1, seenAt };
    await tx
      .insert(wallet)
      .values({ tenant, id, ...values, createdAt: new Date(createdAt) })
      .onConflictDoUpdate({ target: [wallet.tenant, wallet.id], set: values });
  }
}

export type WalletNetwork = { walletId: string; address: string; network: Network };

/** Reads one address on one network and keeps the answer; that it was tried is kept also when it fails. */
export async function refreshBalance(
  actor: Actor,
  { walletId, address, network }: WalletNetwork,
): Promise<BalanceEntry[]> {
  const store = await db();
  const keep = (values: Partial<typeof walletBalance.$inferInsert>) =>
    store
      .insert(walletBalance)
      .values({ tenant: actor.tenant, walletId, network, entries: [], ...values })
      .onConflictDoUpdate({
        target: [walletBalance.tenant, walletBalance.walletId, walletBalance.network],
        set: values,
      });
  const triedAt = new Date();
  await keep({ triedAt });
  const { data } = await bank.get(actor, getWalletBalance, { params: { address }, query: { network } });
  await keep({ entries: data, asOf: triedAt, triedAt });
  return data;
}
