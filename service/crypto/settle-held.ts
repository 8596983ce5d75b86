import { eq } from "drizzle-orm";
import type { CryptoTransferDetails } from "@/service/antifraud/details";
import { instant } from "@/service/clock";
import type { Service } from "@/service/context";
import { post } from "@/service/ledger/post";
import type { Tx } from "@/service/store/db";
import { confirmOnChain } from "./confirm-on-chain";
import { heldAmount } from "./held-amount";
import { nativeAsset } from "./network-fee";
import { wallet } from "./schema";
import { walletAt } from "./wallet";

type Held = { id: string; details: CryptoTransferDetails };

/** Gives the held amount and its fee back to the wallet they came from. */
export async function giveBackCryptoTransfer(service: Service, tx: Tx, { details }: Held): Promise<void> {
  await post(service, tx, await heldAmount(service, tx, { type: "RELEASE", details }));
}

/** Sends a held transfer on chain; its movement has the case's id. Nothing can be missing: the fee was held too. */
export async function releaseCryptoTransfer(service: Service, tx: Tx, held: Held): Promise<void> {
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
