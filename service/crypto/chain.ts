import { base58, hex } from "@scure/base";
import type { CryptoTransfer, Network } from "@/lib/contract/crypto";
import { actingFor, type Service } from "@/service/context";
import { invalid, unprocessable } from "@/service/error";
import {
  type Asset,
  assetIdOf,
  fromUnits,
  KNOWN_ASSETS,
  type LedgerAccount,
  type Line,
  toUnits,
  worldAccount,
} from "@/service/ledger/account";
import { openBooks } from "@/service/ledger/books";
import { type Random, uuid } from "@/service/random";
import type { Tx } from "@/service/store/transaction";
import { emit } from "@/service/webhooks/outbox";
import { canonicalAddress, familyOf } from "@/lib/contract/addresses";
import { chainEntry } from "@/service/store/schema";
import { type Wallet, masterWallet, walletAccount } from "./wallet";
import { canonicalToken } from "./token";

const REFERENCE_MS = Date.parse("2026-01-01T00:00:00Z");

/** At the reference time. */
const CHAINS: Readonly<Record<Network, { height: number; blockMs: number }>> = {
  ETHEREUM: { height: 24_136_000, blockMs: 12_000 },
  POLYGON: { height: 81_000_000, blockMs: 2_100 },
  BSC: { height: 73_900_000, blockMs: 750 },
  BITCOIN: { height: 930_300, blockMs: 600_000 },
  TRON: { height: 78_800_000, blockMs: 3_000 },
  SOLANA: { height: 390_500_000, blockMs: 400 },
  XRPL: { height: 101_200_000, blockMs: 4_000 },
};

export function blockAt(network: Network, atMs: number): number {
  const { height, blockMs } = CHAINS[network];
  return height + Math.floor((atMs - REFERENCE_MS) / blockMs);
}

/** Solana's is a signature, the XRP Ledger writes capitals. */
function transactionHash(network: Network, random: Random): string {
  switch (network) {
    case "ETHEREUM":
    case "POLYGON":
    case "BSC":
      return `0x${hex.encode(random(32))}`;
    case "SOLANA":
      return base58.encode(random(64));
    case "XRPL":
      return hex.encode(random(32)).toUpperCase();
    case "BITCOIN":
    case "TRON":
      return hex.encode(random(32));
  }
}

/** In whole native coins; constant. */
const FEES: Readonly<Record<Network, string>> = {
  ETHEREUM: "0.00042",
  POLYGON: "0.00063",
  BSC: "0.000021",
  BITCOIN: "0.0000141",
  TRON: "0.268",
  SOLANA: "0.000005",
  XRPL: "0.00001",
};

export function nativeAsset(network: Network): Asset {
  const id = assetIdOf(network, null);
  const native = KNOWN_ASSETS.find((asset) => asset.id === id);
  if (!native) throw new Error(`${network} has no native coin`);
  return native;
}

/** In base units of the native coin. Our assumption: small and constant. */
export function networkFee(network: Network): bigint {
  const fee = toUnits(FEES[network], nativeAsset(network).decimals);
  if (fee === null) throw new Error(`the fee of ${network} is finer than its coin`);
  return fee;
}

type Party = { address: string; wallet: Wallet | null };

/** `id` is the ledger's; `units` in base units of the asset, `fee` of the native coin. */
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

/** Amount and fee may concern one account, which gets one line. */
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

/** All or none. 422 when a sender has too little of the asset or for the fee. */
async function moveOnChain(service: Service, tx: Tx, moves: readonly ChainMove[]): Promise<ChainReceipt[]> {
  const planned: Planned[] = [];
  for (const move of moves) planned.push(await plan(service, tx, move));
  const accounts = planned.flatMap(({ lines, payer }) => [payer, ...lines.map(({ account }) => account)]);
  const books = await openBooks(tx, accounts);
  for (const { move, receipt, lines, payer } of planned) {
    if (move.fee > 0n && books.balanceOf(payer) < move.fee)
      throw unprocessable("Insufficient balance for the network fee");
    books.enter({ id: move.id, type: "CHAIN", description: receipt.txHash, occurredAt: move.at, lines });
  }
  await books.write();
  await tx.insert(chainEntry).values(planned.flatMap(entriesOf));
  return planned.map(({ receipt }) => receipt);
}

/** Forward wallets send everything that arrives to the master wallet, at the provider's cost. */
async function sweepOf({ random }: Service, tx: Tx, arrival: ChainMove): Promise<ChainMove[]> {
  const forward = arrival.to.wallet;
  if (forward?.isForwardPayment !== 1) return [];
  const master = await masterWallet(tx, forward);
  if (!master) throw new Error(`wallet ${forward.id} has no master to sweep into`);
  const to = { address: master.address, wallet: master };
  return [{ ...arrival, id: uuid(random), fee: 0n, from: arrival.to, to }];
}

export async function settleArrival(service: Service, tx: Tx, arrival: ChainMove): Promise<ChainReceipt> {
  const [receipt] = await moveOnChain(service, tx, [arrival, ...(await sweepOf(service, tx, arrival))]);
  if (!receipt) throw new Error("the transaction was not written");
  return receipt;
}

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

/** In the caller's transaction (interface: Events). */
export async function confirmOnChain(service: Service, tx: Tx, move: ChainMove): Promise<ChainReceipt> {
  const receipt = await settleArrival(service, tx, move);
  await announce(service, tx, { ...move, ...receipt });
  return receipt;
}

/** Canonical forms; a null token is the native coin. */
export type TransferOrder = Pick<CryptoTransfer, "network" | "fromAddress" | "amount" | "decimals"> & {
  to: string;
  token: string | null;
};

/** EIP-155: `networkId` may name a network too. */
const CHAIN_IDS: Readonly<Partial<Record<Network, string>>> = { ETHEREUM: "1", POLYGON: "137", BSC: "56" };

/** Empty optional fields count as absent. */
function given(text: string | undefined): string | null {
  const trimmed = text?.trim() ?? "";
  return trimmed === "" ? null : trimmed;
}

function destinationOf({ network, fromAddress, to }: CryptoTransfer): string {
  const family = familyOf(network);
  const destination = canonicalAddress(family, to);
  if (destination === null) throw invalid("to", `is no address on ${network}`);
  if (destination === canonicalAddress(family, fromAddress)) throw invalid("to", "is the sending address itself");
  return destination;
}

function expectSameNetwork({ network, networkId }: CryptoTransfer): void {
  const named = given(networkId);
  if (named !== null && named.toUpperCase() !== network && named !== CHAIN_IDS[network])
    throw invalid("networkId", `names another network than ${network}`);
}

function issuedToken({ network, currency, issuer }: CryptoTransfer): string | null {
  const code = given(currency);
  const account = given(issuer);
  if (code === null && account === null) return null;
  if (network !== "XRPL") throw invalid(code === null ? "issuer" : "currency", "belongs to XRPL alone");
  if (code === null) throw invalid("currency", "is required with an issuer");
  if (account === null) throw invalid("issuer", "is required with a currency");
  if (canonicalAddress("XRPL", account) === null) throw invalid("issuer", "is no address on XRPL");
  const token = canonicalToken(network, `${code}.${account}`);
  if (token === null) throw invalid("currency", "is no currency code of XRPL");
  return token;
}

function tokenOf(input: CryptoTransfer): string | null {
  const issued = issuedToken(input);
  const contract = given(input.tokenAddress);
  if (contract === null) return issued;
  const token = canonicalToken(input.network, contract);
  if (token === null) throw invalid("tokenAddress", `can be no token of ${input.network}`);
  if (issued !== null && issued !== token)
    throw invalid("tokenAddress", "names another token than currency and issuer");
  return token;
}

/** 400 naming the field when the request contradicts itself or its network. */
export function readOrder(input: CryptoTransfer): TransferOrder {
  const { network, fromAddress, amount, decimals } = input;
  expectSameNetwork(input);
  const order = { network, fromAddress, to: destinationOf(input), amount, token: tokenOf(input) };
  return decimals === undefined ? order : { ...order, decimals };
}
