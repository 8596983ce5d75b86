import { z } from "zod";
import { type Network, NETWORKS } from "@/lib/contract/crypto";
import { CryptoAmount, Required } from "@/lib/contract/shared";
import { instant } from "@/service/clock";
import type { Service } from "@/service/context";
import { invalid } from "@/service/error";
import { type Asset, assetIdOf, findAsset, openAccounts, toUnits, WORLD } from "@/service/ledger/account";
import { ledgerAsset } from "@/service/store/schema";
import { uuid } from "@/service/random";
import { transaction, type Tx } from "@/service/store/transaction";
import { deriveAddress } from "./addresses/family";
import { type ChainMove, type ChainReceipt, confirmOnChain, nativeAsset } from "./chain";
import { findWallet } from "./wallet";
import { canonicalToken } from "./token";

/** `contract` is canonical; defaults are the network's usual ones. */
type Deployment = { network: Network; contract: string; symbol: string | undefined; decimals: number | undefined };

/** A value on the XRP Ledger has 15 significant digits. */
const USUAL_DECIMALS: Readonly<Record<Network, number>> = {
  ETHEREUM: 18,
  POLYGON: 18,
  BSC: 18,
  BITCOIN: 8,
  TRON: 6,
  SOLANA: 6,
  XRPL: 15,
};

function usualSymbol({ network, contract }: Deployment): string {
  const [currency = ""] = contract.split(".");
  return network === "XRPL" && currency.length === 3 ? currency : "TOKEN";
}

/** On the simulated chain a token is deployed by its first use. */
async function deployToken(tx: Tx, deployment: Deployment): Promise<Asset> {
  const { network, contract, symbol = usualSymbol(deployment), decimals = USUAL_DECIMALS[network] } = deployment;
  const known = await findAsset(tx, network, contract);
  if (known) return known;
  const id = assetIdOf(network, contract);
  await tx.insert(ledgerAsset).values({ id, network, symbol, decimals, tokenAddress: contract }).onConflictDoNothing();
  await openAccounts(tx, [{ holder: WORLD, assetId: id, kind: "outside" }]);
  const deployed = await findAsset(tx, network, contract);
  if (!deployed) throw new Error(`${id} was not deployed`);
  return deployed;
}

export const Deposit = z.looseObject({
  network: z.enum(NETWORKS),
  address: Required,
  amount: CryptoAmount,
  tokenAddress: Required.optional(),
  symbol: Required.optional(),
  decimals: z.number().int().min(0).max(36).optional(),
});
export type Deposit = z.output<typeof Deposit>;

const ENTROPY_BYTES = 32;

/** Far beyond any supply, and far enough below the column's 78 digits for sums. */
const TOO_MANY_UNITS = 10n ** 60n;

async function assetOf(tx: Tx, { network, tokenAddress, symbol, decimals }: Deposit): Promise<Asset> {
  if (tokenAddress === undefined) return nativeAsset(network);
  const contract = canonicalToken(network, tokenAddress);
  if (contract === null) throw invalid("tokenAddress", `can be no token of ${network}`);
  return deployToken(tx, { network, contract, symbol, decimals });
}

/** In base units. 400 when the network cannot have the token or the amount has too many decimals. */
async function measure(tx: Tx, deposit: Deposit): Promise<Pick<ChainMove, "asset" | "units">> {
  const asset = await assetOf(tx, deposit);
  const units = toUnits(deposit.amount, asset.decimals);
  if (units === null) throw invalid("amount", `has at most ${asset.decimals} decimals`);
  if (units >= TOO_MANY_UNITS) throw invalid("amount", "is more than a ledger account can hold");
  return { asset, units };
}

/** Our assumption: control routes. 404 for an address without a wallet. */
export async function depositTo(service: Service, deposit: Deposit): Promise<ChainReceipt> {
  return transaction(service.db, async (tx) => {
    const wallet = await findWallet(tx, deposit);
    const stranger = deriveAddress(service.random(ENTROPY_BYTES), wallet.family, 0);
    return confirmOnChain(service, tx, {
      id: uuid(service.random),
      network: deposit.network,
      ...(await measure(tx, deposit)),
      fee: 0n,
      from: { address: stranger, wallet: null },
      to: { address: wallet.address, wallet },
      at: instant(service.clock),
    });
  });
}
