import type { Service } from "@/service/context";
import { uuid } from "@/service/random";
import type { Tx } from "@/service/store/db";
import { type ChainMove, type ChainReceipt, moveOnChain } from "./move-on-chain";
import { masterWallet } from "./wallet";

/** Forward wallets keep nothing: all that arrives goes on to the tenant's master wallet, at the provider's cost. */
async function sweepOf({ random }: Service, tx: Tx, arrival: ChainMove): Promise<ChainMove[]> {
  const forward = arrival.to.wallet;
  if (forward?.isForwardPayment !== 1) return [];
  const master = await masterWallet(tx, forward);
  if (!master) throw new Error(`wallet ${forward.id} has no master to sweep into`);
  const to = { address: master.address, wallet: master };
  return [{ ...arrival, id: uuid(random), fee: 0n, from: arrival.to, to }];
}

/** What goes to an address on chain: entered, and passed on when a wallet that only forwards is behind it. */
export async function settleArrival(service: Service, tx: Tx, arrival: ChainMove): Promise<ChainReceipt> {
  const [receipt] = await moveOnChain(service, tx, [arrival, ...(await sweepOf(service, tx, arrival))]);
  if (!receipt) throw new Error("the transaction was not written");
  return receipt;
}
