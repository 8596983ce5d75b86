import { eq } from "drizzle-orm";
import type { CryptoTransfer } from "@/lib/contract/crypto";
import { instant } from "@/service/clock";
import type { Call } from "@/service/context";
import { invalid, unprocessable } from "@/service/error";
import { toUnits } from "@/service/ledger/amount";
import { type Asset, findAsset } from "@/service/ledger/asset";
import type { Tx } from "@/service/store/db";
import { transaction } from "@/service/store/transaction";
import { confirmOnChain } from "./confirm-on-chain";
import type { ChainMove } from "./move-on-chain";
import { networkFee } from "./network-fee";
import { readOrder, type TransferOrder } from "./order";
import { wallet } from "./schema";
import { findWallet, walletAt } from "./wallet";

/** The amount in base units. 400 when the request takes another scale for the asset's, or is finer than it. */
function measure({ network, amount, token, decimals }: TransferOrder, asset: Asset): bigint {
  // On the XRP Ledger an issued currency has no decimals to agree on: ours is the ledger's precision.
  const hasScale = network !== "XRPL" || token === null;
  if (hasScale && decimals !== undefined && decimals !== asset.decimals)
    throw invalid("decimals", `are ${asset.decimals} for ${asset.symbol} on ${network}`);
  const units = toUnits(amount, asset.decimals);
  if (units === null) throw invalid("amount", `has at most ${asset.decimals} decimals`);
  return units;
}

async function moveOf({ clock, tenant }: Call, tx: Tx, order: TransferOrder): Promise<ChainMove> {
  const { network, fromAddress, to, token } = order;
  const asset = await findAsset(tx, network, token);
  const units = asset && measure(order, asset);
  const sender = await findWallet(tx, { address: fromAddress, network }, eq(wallet.clientId, tenant.clientId));
  // A token that nobody ever received is one that the sender has none of.
  if (!asset || units === null) throw unprocessable("Insufficient balance");
  return {
    network,
    asset,
    units,
    fee: networkFee(network),
    from: { address: sender.address, wallet: sender },
    to: { address: to, wallet: await walletAt(tx, to) },
    at: instant(clock),
  };
}

/**
 * Sends an asset from one of the tenant's wallets to any address (interface: Crypto wallets › POST /v1/crypto/transfer);
 * the network's fee comes out of the wallet's native coin beside the amount. An address of this installation receives it.
 * 400 naming the field, 404 for a wallet that is not the tenant's, 422 when it has too little.
 */
export async function transferCrypto(call: Call, input: CryptoTransfer): Promise<{ txHash: string }> {
  const order = readOrder(input);
  return transaction(call.db, async (tx) => {
    const { txHash } = await confirmOnChain(call, tx, await moveOf(call, tx, order));
    return { txHash };
  });
}
