import { eq } from "drizzle-orm";
import { z } from "zod";
import { ENTRY_TYPES } from "@/lib/contract/accounts";
import { BrlAmount } from "@/lib/contract/shared";
import { instant } from "@/service/clock";
import type { Service } from "@/service/context";
import { notFound, unprocessable } from "@/service/error";
import { findAccount, worldAccount } from "@/service/ledger/account";
import { reaisToCents } from "@/service/ledger/amount";
import { BRL } from "@/service/ledger/asset";
import { linesBetween } from "@/service/ledger/movement";
import { post } from "@/service/ledger/post";
import { uuid } from "@/service/random";
import type { Tx } from "@/service/store/db";
import { transaction } from "@/service/store/transaction";
import { bankAccount } from "./schema";

export const Credit = z.looseObject({
  amount: BrlAmount,
  type: z.enum(ENTRY_TYPES).default("PIX"),
  description: z.string().max(500).default("Crédito recebido"),
});

/** The two ledger accounts of a movement between an open account, of any tenant, and the world. 404, 422 when closed. */
async function sidesOf(tx: Tx, accountId: string) {
  const [account] = await tx.select().from(bankAccount).where(eq(bankAccount.id, accountId));
  const available = await findAccount(tx, { holder: accountId, assetId: BRL, kind: "available" });

  if (!account || !available) throw notFound("The banking account was not found");
  if (account.status === "CLOSED") throw unprocessable("The banking account is closed");
  return { available, world: await worldAccount(tx, BRL) };
}

/** Money arrives from outside (assumption: control routes). */
export async function creditAccount(
  service: Service,
  accountId: string,
  { amount, type, description }: z.output<typeof Credit>,
): Promise<{ transactionId: string }> {
  return transaction(service.db, async (tx) => {
    const { available, world } = await sidesOf(tx, accountId);
    const id = uuid(service.random);
    const cents = reaisToCents(amount);
    const lines = linesBetween(world, available, cents);
    await post(service, tx, { id, type, description, occurredAt: instant(service.clock), lines });
    return { transactionId: id };
  });
}
