import { eq } from "drizzle-orm";
import type { CryptoTransfer } from "@/lib/contract/crypto";
import {
  type AntifraudCase,
  judge,
  newCase,
  openCases,
  type Outcome,
  screen,
  type Screening,
} from "@/service/antifraud/case";
import { instant } from "@/service/clock";
import type { Call, Service } from "@/service/context";
import { invalid, unprocessable } from "@/service/error";
import { type Asset, findAsset, linesBetween, type Movement, toUnits } from "@/service/ledger/account";
import { openBooks, post } from "@/service/ledger/books";
import { uuid } from "@/service/random";
import { transaction, type Tx } from "@/service/store/transaction";
import { type ChainMove, confirmOnChain, nativeAsset, networkFee, readOrder, type TransferOrder } from "./chain";
import { wallet, type CryptoTransferDetails } from "@/service/store/schema";
import { findWallet, walletAccount, walletAt } from "./wallet";

type Step = { type: "HOLD" | "RELEASE"; details: CryptoTransferDetails };

async function heldAmount(
  { clock, random }: Service,
  tx: Tx,
  { type, details: { walletId: holder, network, to, units, fee } }: Step,
): Promise<Movement> {
  const assetId = nativeAsset(network).id;
  const available = await walletAccount(tx, { holder, assetId, kind: "available" });
  const blocked = await walletAccount(tx, { holder, assetId, kind: "blocked" });
  const total = BigInt(units) + BigInt(fee);
  const lines = type === "HOLD" ? linesBetween(available, blocked, total) : linesBetween(blocked, available, total);
  return { id: uuid(random), type, description: to, occurredAt: instant(clock), lines };
}

type Detained = { kind: "held" | "blocked"; case: AntifraudCase };

/** A held amount and its fee leave the balance until it is decided. 422 when the wallet has too little. */
async function detain(
  call: Call,
  tx: Tx,
  { move, screening }: { move: ChainMove; screening: "hold" | "block" },
): Promise<Detained> {
  const { network, units, fee, from, to } = move;
  if (!from.wallet) throw new Error("only a wallet's transfers are judged");
  const details = {
    kind: "crypto-transfer",
    walletId: from.wallet.id,
    network,
    to: to.address,
    units: String(units),
    fee: String(fee),
  } as const;
  const movement = await heldAmount(call, tx, { type: "HOLD", details });
  const accounts = movement.lines.map(({ account }) => account);
  const books = await openBooks(tx, accounts);
  books.check(movement);
  if (screening === "hold") books.enter(movement);
  await books.write();
  const opened = newCase(call, screening === "hold" ? "HELD" : "BLOCKED", details);
  await openCases(call, tx, [opened]);
  return { kind: screening === "hold" ? "held" : "blocked", case: opened };
}

type HeldCryptoTransfer = { id: string; details: CryptoTransferDetails };

export async function giveBackCryptoTransfer(service: Service, tx: Tx, { details }: HeldCryptoTransfer): Promise<void> {
  await post(tx, await heldAmount(service, tx, { type: "RELEASE", details }));
}

/** The movement has the case's id. The balance suffices, as the fee was held too. */
export async function releaseCryptoTransfer(service: Service, tx: Tx, held: HeldCryptoTransfer): Promise<void> {
  const { walletId, network, to, units, fee } = held.details;
  await giveBackCryptoTransfer(service, tx, held);
  const [sender] = await tx.select().from(wallet).where(eq(wallet.id, walletId));
  if (!sender) throw new Error(`wallet ${walletId} of a held transfer is gone`);
  await confirmOnChain(service, tx, {
    id: held.id,
    network,
    asset: nativeAsset(network),
    units: BigInt(units),
    fee: BigInt(fee),
    from: { address: sender.address, wallet: sender },
    to: { address: to, wallet: await walletAt(tx, to) },
    at: instant(service.clock),
  });
}

/** In base units. 400 when the request's scale differs from the asset's. */
function measure({ network, amount, token, decimals }: TransferOrder, asset: Asset): bigint {
  // On the XRP Ledger an issued currency has no fixed decimals: ours is the ledger's precision.
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
  // Nobody ever received this token, so the sender has none.
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

function outcomeOn({ settings }: Call, { asset, units }: ChainMove): Screening {
  return asset.tokenAddress === null ? judge(settings.antifraud.coins, units, asset.decimals) : "pass";
}

/** interface: Crypto wallets › POST /v1/crypto/transfer. 400 naming the field, 404, 422; antifraud comes last. */
export async function transferCrypto(call: Call, input: CryptoTransfer): Promise<Outcome<{ txHash: string }>> {
  const order = readOrder(input);
  return transaction(call.db, async (tx) => {
    const move = await moveOf(call, tx, order);
    const judged = outcomeOn(call, move);
    const screening = move.asset.tokenAddress === null ? screen(call, judged) : judged;
    if (screening !== "pass") {
      const detained = await detain(call, tx, { move, screening });
      if (judged === "pass") call.holds.use(call.tenant.clientId);
      return detained;
    }
    const { txHash } = await confirmOnChain(call, tx, move);
    return { kind: "done", done: { txHash } };
  });
}
