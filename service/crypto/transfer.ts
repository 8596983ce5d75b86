import { eq } from "drizzle-orm";
import type { CryptoTransfer } from "@/lib/contract/crypto";
import { judge, type Verdict } from "@/service/antifraud/judge";
import type { Outcome } from "@/service/antifraud/outcome";
import { instant } from "@/service/clock";
import type { Call } from "@/service/context";
import { invalid, unprocessable } from "@/service/error";
import { toUnits } from "@/service/ledger/amount";
import { type Asset, findAsset } from "@/service/ledger/asset";
import { uuid } from "@/service/random";
import type { Tx } from "@/service/store/db";
import { transaction } from "@/service/store/transaction";
import { confirmOnChain } from "./confirm-on-chain";
import { detain } from "./detain";
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

async function moveOf({ clock, random, tenant }: Call, tx: Tx, order: TransferOrder): Promise<ChainMove> {
  const { network, fromAddress, to, token } = order;
  const asset = await findAsset(tx, network, token);
  const units = asset && measure(order, asset);
  const sender = await findWallet(tx, { address: fromAddress, network }, eq(wallet.clientId, tenant.clientId));
  // A token that nobody ever received is one that the sender has none of.
  if (!asset || units === null) throw unprocessable("Insufficient balance");
  return {
    id: uuid(random),
    network,
    asset,
    units,
    fee: networkFee(network),
    from: { address: sender.address, wallet: sender },
    to: { address: to, wallet: await walletAt(tx, to) },
    at: instant(clock),
  };
}

function verdictOn({ settings }: Call, { asset, units }: ChainMove): Verdict {
  return asset.tokenAddress === null ? judge(settings.antifraud.coins, units, asset.decimals) : "pass";
}

/**
 * Sends an asset from one of the tenant's wallets to any address (interface: Crypto wallets › POST /v1/crypto/transfer);
 * the network's fee comes out of the wallet's native coin beside the amount. An address of this installation receives it.
 * 400 naming the field, 404 for a wallet that is not the tenant's, 422 when it has too little; antifraud comes last.
 */
export async function transferCrypto(call: Call, input: CryptoTransfer): Promise<Outcome<{ txHash: string }>> {
  const order = readOrder(input);
  return transaction(call.db, async (tx) => {
    const move = await moveOf(call, tx, order);
    const verdict = verdictOn(call, move);
    if (verdict !== "pass") return detain(call, tx, { move, verdict });
    const { txHash } = await confirmOnChain(call, tx, move);
    return { kind: "done", done: { txHash } };
  });
}
