import type { CryptoTransferDetails } from "@/service/antifraud/details";
import { instant } from "@/service/clock";
import type { Service } from "@/service/context";
import { linesBetween, type Movement } from "@/service/ledger/movement";
import { uuid } from "@/service/random";
import type { Tx } from "@/service/store/db";
import { nativeAsset } from "./network-fee";
import { walletAccount } from "./wallet";

type Step = { type: "HOLD" | "RELEASE"; details: CryptoTransferDetails };

/** What takes a held amount with its fee out of the wallet's balance (HOLD), or puts both back (RELEASE). */
export async function heldAmount(
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
