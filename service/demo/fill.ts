import type { Call } from "@/service/context";
import { endAccount } from "@/service/accounts/close-account";
import { onboarding } from "@/service/accounts/schema";
import { wallet } from "@/service/crypto/schema";
import { kycProcess } from "@/service/kyc/schema";
import { worldAccount } from "@/service/ledger/account";
import { BRL } from "@/service/ledger/asset";
import { postAll } from "@/service/ledger/post";
import { uuid } from "@/service/random";
import type { Tx } from "@/service/store/db";
import { transaction } from "@/service/store/transaction";
import { seededDice } from "./dice";
import { inventDocuments } from "./documents";
import { KNOWN_HOLDER } from "./known";
import { fillKyc } from "./kyc";
import { fillOnboardings } from "./onboardings";
import { planStatements } from "./statements";
import { fillTrades } from "./trades";
import { fillWallets } from "./wallets";

const SEED = 20_260_310;

async function isEmpty(tx: Tx): Promise<boolean> {
  const counts = [await tx.$count(onboarding), await tx.$count(wallet), await tx.$count(kycProcess)];
  return counts.every((count) => count === 0);
}

/**
 * Fills an empty database for one tenant with people, companies, accounts, ninety days of movements, KYC processes,
 * wallets and trades; true when it did. The same each time but for ids, keys and dates, which are counted back from now.
 */
export async function fillDemo(call: Call): Promise<boolean> {
  return transaction(call.db, async (tx) => {
    if (!(await isEmpty(tx))) return false;
    const dice = seededDice(SEED);
    const documents = inventDocuments(dice, [KNOWN_HOLDER.documentNumber]);
    const { rows, accounts } = await fillOnboardings(call, tx, { dice, documents });
    const world = await worldAccount(tx, BRL);
    const scene = { accounts, world, nowMs: call.clock.now(), newId: () => uuid(call.random) };
    await postAll(call, tx, planStatements(dice, scene));
    for (const account of accounts) if (account.closing) await endAccount(tx, account, account.closing);
    await fillKyc(call, tx, { dice, documents, customers: rows });
    await fillWallets(call, tx, dice);
    await fillTrades(call, tx, dice);
    return true;
  });
}
