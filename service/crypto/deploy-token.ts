import type { Network } from "@/lib/contract/crypto";
import { openAccounts } from "@/service/ledger/account";
import { type Asset, assetIdOf, findAsset, WORLD } from "@/service/ledger/asset";
import { ledgerAsset } from "@/service/ledger/schema";
import type { Tx } from "@/service/store/db";

/** `contract` is in its canonical form; what is left out becomes what is usual on the network. */
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

/** The token behind a contract; on the simulated chain one that nobody used yet is deployed by being used. */
export async function deployToken(tx: Tx, deployment: Deployment): Promise<Asset> {
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
