import { and, asc, eq, gt } from "drizzle-orm";
import { bankAccount } from "@/service/accounts/schema";
import { instant } from "@/service/clock";
import type { Call } from "@/service/context";
import { worldAccount } from "@/service/ledger/account";
import { BRL } from "@/service/ledger/asset";
import type { LedgerAccount, Movement } from "@/service/ledger/movement";
import { post } from "@/service/ledger/post";
import { ledgerAccount } from "@/service/ledger/schema";
import { uuid } from "@/service/random";
import type { Tx } from "@/service/store/db";
import { transaction } from "@/service/store/transaction";
import { type Dice, someCents } from "./dice";
import { someName } from "./people";

/** Whoever pays has at least this much, more than the demo ever pays at once. */
const PAYERS_MINIMUM_CENTS = 50_000n;

async function accountsWith(call: Call, tx: Tx, leastCents: bigint): Promise<LedgerAccount[]> {
  const { id, holder, assetId, kind, balance } = ledgerAccount;
  return tx
    .select({ id, holder, assetId, kind })
    .from(ledgerAccount)
    .innerJoin(bankAccount, eq(bankAccount.id, holder))
    .where(
      and(
        eq(bankAccount.clientId, call.tenant.clientId),
        eq(bankAccount.status, "ACTIVE"),
        eq(kind, "available"),
        gt(balance, leastCents),
      ),
    )
    .orderBy(asc(id))
    .limit(100);
}

type Way = Pick<Movement, "type" | "description"> & { from: LedgerAccount; to: LedgerAccount };

async function someWay(call: Call, tx: Tx, dice: Dice): Promise<Way | null> {
  const payers = await accountsWith(call, tx, PAYERS_MINIMUM_CENTS);
  if (payers.length < 2) return null;
  const [payer, payee] = [dice.pick(payers), dice.pick(payers)];
  const world = await worldAccount(tx, BRL);
  if (payer.id !== payee.id && dice.chance(0.4))
    return { type: "INTERNAL", description: "Reembolso", from: payer, to: payee };
  return dice.chance(0.6)
    ? { type: "PIX", description: `PIX recebido de ${someName(dice)}`, from: world, to: payee }
    : { type: "PIX", description: `PIX enviado para ${someName(dice)}`, from: payer, to: world };
}

/** A PIX comes or goes, or money changes hands between two of the tenant's accounts. */
export async function moveMoney(call: Call, dice: Dice): Promise<void> {
  await transaction(call.db, async (tx) => {
    const way = await someWay(call, tx, dice);
    if (!way) return;
    const { from, to, ...head } = way;
    const cents = someCents(dice, 12, 380);
    const lines = [
      { account: from, amount: -cents },
      { account: to, amount: cents },
    ];
    await post(call, tx, { id: uuid(call.random), ...head, occurredAt: instant(call.clock), lines });
  });
}
