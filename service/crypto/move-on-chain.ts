import type { Network } from "@/lib/contract/crypto";
import type { Service } from "@/service/context";
import { unprocessable } from "@/service/error";
import { worldAccount } from "@/service/ledger/account";
import { fromUnits } from "@/service/ledger/amount";
import type { Asset } from "@/service/ledger/asset";
import { openBooks } from "@/service/ledger/books";
import type { LedgerAccount, Line } from "@/service/ledger/movement";
import type { Tx } from "@/service/store/db";
import { blockAt, transactionHash } from "./chain";
import { nativeAsset } from "./network-fee";
import { chainEntry } from "./schema";
import { type Wallet, walletAccount } from "./wallet";

/** An address on the chain, and our wallet behind it when it is one. */
export type Party = { address: string; wallet: Wallet | null };

/**
 * `id` is the ledger's; `units` are base units of the asset; `fee` is what the sender pays beside them, in base units of
 * the native coin.
 */
export type ChainMove = {
  id: string;
  network: Network;
  asset: Asset;
  units: bigint;
  fee: bigint;
  from: Party;
  to: Party;
  at: Date;
};
export type ChainReceipt = { txHash: string; blockNumber: number };

type Planned = { move: ChainMove; receipt: ChainReceipt; lines: Line[]; payer: LedgerAccount };

async function accountOf(tx: Tx, { wallet }: Party, assetId: string): Promise<LedgerAccount> {
  return wallet ? walletAccount(tx, { holder: wallet.id, assetId, kind: "available" }) : worldAccount(tx, assetId);
}

/** A native coin's amount and fee leave the same account, and may reach the same one: an account has one line. */
function merged(lines: readonly Line[]): Line[] {
  const sums = new Map<number, Line>();
  for (const { account, amount } of lines)
    sums.set(account.id, { account, amount: amount + (sums.get(account.id)?.amount ?? 0n) });
  return [...sums.values()].filter(({ amount }) => amount !== 0n);
}

async function plan(service: Service, tx: Tx, move: ChainMove): Promise<Planned> {
  const { network, asset, units, fee, from, to, at } = move;
  const nativeId = nativeAsset(network).id;
  const payer = await accountOf(tx, from, nativeId);
  const lines = merged([
    { account: await accountOf(tx, from, asset.id), amount: -units },
    { account: await accountOf(tx, to, asset.id), amount: units },
    { account: payer, amount: -fee },
    { account: await worldAccount(tx, nativeId), amount: fee },
  ]);
  const receipt = { txHash: transactionHash(network, service.random), blockNumber: blockAt(network, at.getTime()) };
  return { move, receipt, lines, payer };
}

/** What the histories of our wallets say of a transaction: the sender's side, and the receiver's. */
function entriesOf({ move, receipt }: Planned): (typeof chainEntry.$inferInsert)[] {
  const { id: movementId, network, asset, units, fee, from, to, at } = move;
  const common = {
    movementId,
    network,
    assetId: asset.id,
    hash: receipt.txHash,
    blockNumber: receipt.blockNumber,
    amount: fromUnits(units, asset.decimals),
    occurredAt: at,
  };
  const paid = fee === 0n ? null : fromUnits(fee, nativeAsset(network).decimals);
  const sent = from.wallet && { walletId: from.wallet.id, subtype: "outgoing" as const, fee: paid };
  const received = to.wallet && { walletId: to.wallet.id, subtype: "incoming" as const };
  return [
    ...(sent ? [{ ...common, ...sent, counterAddress: to.address }] : []),
    ...(received ? [{ ...common, ...received, counterAddress: from.address }] : []),
  ];
}

/**
 * Transactions of the simulated chain, one after the other, all or none: each moves its asset and its fee in the ledger
 * and is written into our wallets' histories. 422 when a sender has too little of the asset or for the fee.
 */
export async function moveOnChain(service: Service, tx: Tx, moves: readonly ChainMove[]): Promise<ChainReceipt[]> {
  const planned: Planned[] = [];
  for (const move of moves) planned.push(await plan(service, tx, move));
  const accounts = planned.flatMap(({ lines, payer }) => [payer, ...lines.map(({ account }) => account)]);
  const books = await openBooks(service, tx, accounts);
  for (const { move, receipt, lines, payer } of planned) {
    if (move.fee > 0n && books.balanceOf(payer) < move.fee)
      throw unprocessable("Insufficient balance for the network fee");
    books.enter({ id: move.id, type: "CHAIN", description: receipt.txHash, occurredAt: move.at, lines });
  }
  await books.write();
  await tx.insert(chainEntry).values(planned.flatMap(entriesOf));
  return planned.map(({ receipt }) => receipt);
}
