import type { Service } from "@/service/context";
import { fromUnits } from "@/service/ledger/amount";
import type { Tx } from "@/service/store/db";
import { actingFor } from "@/service/tenants/acting-for";
import { emit } from "@/service/webhooks/emit";
import type { ChainMove, ChainReceipt } from "./move-on-chain";
import { settleArrival } from "./settle-arrival";

/** Tells the tenant whose wallet received by crypto-cash-in; what a stranger's address receives is told to nobody. */
async function announce(service: Service, tx: Tx, move: ChainMove & ChainReceipt): Promise<void> {
  const { network, asset, units, from, to, at, txHash, blockNumber } = move;
  const call = to.wallet && actingFor(service, to.wallet.clientId);
  if (!to.wallet || !call) return;
  const { id: walletId, reference, isForwardPayment } = to.wallet;
  const payload = {
    walletId,
    network,
    address: to.address,
    isForwardPayment,
    ...(reference === null ? {} : { reference }),
    asset: asset.symbol,
    tokenAddress: asset.tokenAddress,
    decimals: asset.decimals,
    amount: fromUnits(units, asset.decimals),
    fromAddress: from.address,
    txHash,
    blockNumber,
    timestamp: at.getTime(),
  };
  await emit(call, tx, { event: "crypto-cash-in", payload });
}

/** A transaction confirms on the simulated chain, in the caller's transaction, and its receiver is told (interface: Events). */
export async function confirmOnChain(service: Service, tx: Tx, move: ChainMove): Promise<ChainReceipt> {
  const receipt = await settleArrival(service, tx, move);
  await announce(service, tx, { ...move, ...receipt });
  return receipt;
}
