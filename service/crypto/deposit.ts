import { z } from "zod";
import { NETWORKS } from "@/lib/contract/crypto";
import { CryptoAmount, Required } from "@/lib/contract/shared";
import { instant } from "@/service/clock";
import type { Service } from "@/service/context";
import { invalid } from "@/service/error";
import { toUnits } from "@/service/ledger/amount";
import { findAsset } from "@/service/ledger/asset";
import type { Tx } from "@/service/store/db";
import { transaction } from "@/service/store/transaction";
import { actingFor } from "@/service/tenants/acting-for";
import { emit } from "@/service/webhooks/emit";
import { deriveAddress } from "./addresses/family";
import { type ChainMove, type ChainReceipt, moveOnChain } from "./move-on-chain";
import { canonicalToken } from "./token";
import { findWallet, masterWallet, type Wallet } from "./wallet";

export const Deposit = z.looseObject({
  network: z.enum(NETWORKS),
  address: Required,
  amount: CryptoAmount,
  tokenAddress: Required.optional(),
});
export type Deposit = z.output<typeof Deposit>;

type Arrival = { to: Wallet; deposit: Deposit; at: Date };
const ENTROPY_BYTES = 32;

/** Far beyond any supply, and far enough below the column's 78 digits for sums. */
const TOO_MANY_UNITS = 10n ** 60n;

/** What the deposit moves, in base units. 400 when the network has no such token or the amount too many decimals. */
async function measure(
  tx: Tx,
  { network, tokenAddress, amount }: Deposit,
): Promise<Pick<ChainMove, "asset" | "units">> {
  const contract = tokenAddress === undefined ? null : canonicalToken(network, tokenAddress);
  const asset = await findAsset(tx, network, contract);
  if (!asset) throw invalid("tokenAddress", `is no known token of ${network}`);
  const units = toUnits(amount, asset.decimals);
  if (units === null) throw invalid("amount", `has at most ${asset.decimals} decimals`);
  if (units >= TOO_MANY_UNITS) throw invalid("amount", "is more than a ledger account can hold");
  return { asset, units };
}

/** Forward wallets keep nothing: what arrives goes on to the tenant's master wallet. */
async function sweep(service: Service, tx: Tx, arrival: ChainMove): Promise<void> {
  const forward = arrival.to.wallet;
  if (forward?.isForwardPayment !== 1) return;
  const master = await masterWallet(tx, forward);
  if (!master) throw new Error(`wallet ${forward.id} has no master to sweep into`);
  await moveOnChain(service, tx, { ...arrival, from: arrival.to, to: { address: master.address, wallet: master } });
}

/** What arrives at a wallet: entered, and passed on when the wallet only forwards. */
export async function settleArrival(service: Service, tx: Tx, arrival: ChainMove): Promise<ChainReceipt> {
  const receipt = await moveOnChain(service, tx, arrival);
  await sweep(service, tx, arrival);
  return receipt;
}

/** A deposit of a stranger confirms on chain, in the caller's transaction, and is told by crypto-cash-in. */
export async function receiveDeposit(service: Service, tx: Tx, { to, deposit, at }: Arrival): Promise<ChainReceipt> {
  const { network, amount } = deposit;
  const stranger = deriveAddress(service.random(ENTROPY_BYTES), to.family, 0);
  const measured = await measure(tx, deposit);
  const parties = { from: { address: stranger, wallet: null }, to: { address: to.address, wallet: to } };
  const receipt = await settleArrival(service, tx, { network, at, ...measured, ...parties });
  const call = actingFor(service, to.clientId);
  const { symbol: asset, tokenAddress, decimals } = measured.asset;
  const payload = { walletId: to.id, network, address: to.address, asset, tokenAddress, decimals, amount, ...receipt };
  if (call) await emit(call, tx, { event: "crypto-cash-in", payload });
  return receipt;
}

/** A deposit confirms on the wallet, of any tenant, behind an address (assumption: control routes). */
export async function depositTo(service: Service, deposit: Deposit): Promise<ChainReceipt> {
  return transaction(service.db, async (tx) => {
    const to = await findWallet(tx, deposit);
    return receiveDeposit(service, tx, { to, deposit, at: instant(service.clock) });
  });
}
