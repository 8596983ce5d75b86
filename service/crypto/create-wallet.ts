import { sql } from "drizzle-orm";
import { type CreateWallet, FAMILY_NETWORKS } from "@/lib/contract/crypto";
import { instant } from "@/service/clock";
import type { Call } from "@/service/context";
import { openAccounts } from "@/service/ledger/account";
import { assetIdOf } from "@/service/ledger/asset";
import { uuid } from "@/service/random";
import type { Tx } from "@/service/store/db";
import { transaction } from "@/service/store/transaction";
import { deriveAddress } from "./addresses/family";
import { wallet, walletDerivation } from "./schema";
import { loadSeed } from "./seed";
import { masterWallet, type Wallet } from "./wallet";

type Wanted = Pick<Wallet, "family" | "userId" | "isForwardPayment" | "reference">;

/** Takes the next address of the family; whoever comes next waits for this transaction, so no index is lost or doubled. */
async function nextIndex(tx: Tx, family: Wanted["family"]): Promise<number> {
  const [derivation] = await tx
    .insert(walletDerivation)
    .values({ family, count: 1 })
    .onConflictDoUpdate({ target: walletDerivation.family, set: { count: sql`${walletDerivation.count} + 1` } })
    .returning();
  return (derivation?.count ?? 1) - 1;
}

async function open(call: Call, tx: Tx, { family, userId, isForwardPayment, reference }: Wanted): Promise<Wallet> {
  const derivationIndex = await nextIndex(tx, family);
  const values = {
    id: uuid(call.random),
    clientId: call.tenant.clientId,
    family,
    derivationIndex,
    address: deriveAddress(await loadSeed(call, tx), family, derivationIndex),
    userId,
    isForwardPayment,
    reference,
    status: "ACTIVE" as const,
    createdAt: instant(call.clock),
  };
  const [made] = await tx.insert(wallet).values(values).returning();
  if (!made) throw new Error(`wallet ${values.id} was not written`);
  const natives = FAMILY_NETWORKS[family].map((network) => assetIdOf(network, null));
  await openAccounts(
    tx,
    natives.map((assetId) => ({ holder: made.id, assetId, kind: "available" })),
  );
  return made;
}

/** Opens a wallet in the caller's transaction: see `createWallet`. */
export async function openWallet(call: Call, tx: Tx, wanted: Wanted): Promise<Wallet> {
  const made = await open(call, tx, wanted);
  const { family, clientId } = made;
  if (made.isForwardPayment === 1 && !(await masterWallet(tx, { family, clientId })))
    await open(call, tx, { family, userId: null, isForwardPayment: 0, reference: null });
  return made;
}

/**
 * A new wallet of a chain family (interface: Crypto wallets). A tenant's first forward wallet brings the master wallet
 * that it is swept into, when there is no ordinary one yet (our assumption).
 */
export async function createWallet(call: Call, { network, userId, isForwardPayment }: CreateWallet): Promise<Wallet> {
  const kind = { isForwardPayment: isForwardPayment ?? 0, reference: null };
  const wanted = { family: network, userId: userId ?? null, ...kind };
  return transaction(call.db, (tx) => openWallet(call, tx, wanted));
}
