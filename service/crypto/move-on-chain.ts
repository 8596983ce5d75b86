import type { Network } from "@/lib/contract/crypto";
import type { Service } from "@/service/context";
import { findAccount, openAccounts, worldAccount } from "@/service/ledger/account";
import { fromUnits } from "@/service/ledger/amount";
import type { Asset } from "@/service/ledger/asset";
import type { LedgerAccount } from "@/service/ledger/movement";
import { post } from "@/service/ledger/post";
import { uuid } from "@/service/random";
import type { Tx } from "@/service/store/db";
import { blockAt, transactionHash } from "./chain";
import { chainEntry } from "./schema";
import type { Wallet } from "./wallet";

/** An address on the chain, and our wallet behind it when it is one. */
export type Party = { address: string; wallet: Wallet | null };

/** `units` are base units of the asset. */
export type ChainMove = { network: Network; asset: Asset; units: bigint; from: Party; to: Party; at: Date };
export type ChainReceipt = { txHash: string; blockNumber: number };

async function accountOf(tx: Tx, { wallet }: Party, { id: assetId }: Asset): Promise<LedgerAccount> {
  if (!wallet) return worldAccount(tx, assetId);
  const place = { holder: wallet.id, assetId, kind: "available" } as const;
  const [opened] = await openAccounts(tx, [place]);
  const account = opened ?? (await findAccount(tx, place));
  if (!account) throw new Error(`wallet ${wallet.id} cannot hold ${assetId}`);
  return account;
}

/** One transaction of the simulated chain: moves the asset in the ledger and writes it into our wallets' histories. */
export async function moveOnChain(service: Service, tx: Tx, move: ChainMove): Promise<ChainReceipt> {
  const { network, asset, units, from, to, at } = move;
  const receipt = { txHash: transactionHash(network, service.random), blockNumber: blockAt(network, at.getTime()) };
  const movementId = uuid(service.random);
  const lines = [
    { account: await accountOf(tx, from, asset), amount: -units },
    { account: await accountOf(tx, to, asset), amount: units },
  ];
  await post(service, tx, { id: movementId, type: "CHAIN", description: receipt.txHash, occurredAt: at, lines });
  const sides = [
    { wallet: from.wallet, subtype: "outgoing", counterAddress: to.address } as const,
    { wallet: to.wallet, subtype: "incoming", counterAddress: from.address } as const,
  ];
  await tx.insert(chainEntry).values(
    sides.flatMap(({ wallet, subtype, counterAddress }) =>
      wallet === null
        ? []
        : {
            walletId: wallet.id,
            movementId,
            network,
            assetId: asset.id,
            hash: receipt.txHash,
            blockNumber: receipt.blockNumber,
            subtype,
            amount: fromUnits(units, asset.decimals),
            counterAddress,
            occurredAt: at,
          },
    ),
  );
  return receipt;
}
