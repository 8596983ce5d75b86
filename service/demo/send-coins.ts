import { and, asc, eq, gt, isNull } from "drizzle-orm";
import type { Call } from "@/service/context";
import { deriveAddress } from "@/service/crypto/addresses/family";
import { networkFee } from "@/service/crypto/network-fee";
import { wallet } from "@/service/crypto/schema";
import { transferCrypto } from "@/service/crypto/transfer";
import { fromUnits } from "@/service/ledger/amount";
import { ledgerAccount, ledgerAsset } from "@/service/ledger/schema";
import type { Dice } from "./dice";

const ENTROPY_BYTES = 32;

/** Below and above what antifraud lets pass unless its settings say otherwise. */
const [USUAL_COINS, LARGE_COINS] = [9n, 400n];

/** A wallet sends part of its coins to a stranger; now and then so many that antifraud holds them. */
export async function sendCoins(call: Call, dice: Dice): Promise<void> {
  const holdings = await call.db
    .select({ wallet, asset: ledgerAsset, balance: ledgerAccount.balance })
    .from(ledgerAccount)
    .innerJoin(wallet, eq(wallet.id, ledgerAccount.holder))
    .innerJoin(ledgerAsset, eq(ledgerAsset.id, ledgerAccount.assetId))
    .where(
      and(
        eq(wallet.clientId, call.tenant.clientId),
        eq(ledgerAccount.kind, "available"),
        isNull(ledgerAsset.tokenAddress),
        gt(ledgerAccount.balance, 0n),
      ),
    )
    .orderBy(asc(wallet.sequence), asc(ledgerAsset.id))
    .limit(100);
  if (holdings.length === 0) return;
  const { wallet: sender, asset, balance } = dice.pick(holdings);
  const { network } = asset;
  if (network === null || balance === null) return;
  const ceiling = (dice.chance(0.1) ? LARGE_COINS : USUAL_COINS) * 10n ** BigInt(asset.decimals);
  const spendable = balance - networkFee(network) < ceiling ? balance - networkFee(network) : ceiling;
  const units = (spendable * BigInt(dice.int(3, 60))) / 100n;
  if (units <= 0n) return;
  await transferCrypto(call, {
    network,
    fromAddress: sender.address,
    to: deriveAddress(call.random(ENTROPY_BYTES), sender.family, 0),
    amount: fromUnits(units, asset.decimals),
  });
}
