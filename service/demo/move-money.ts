import { and, asc, eq, gt } from "drizzle-orm";
import { bankAccount } from "@/service/accounts/schema";
import { instant } from "@/service/clock";
import type { Call } from "@/service/context";
import { centsToReais } from "@/service/ledger/account";
import type { LedgerAccount } from "@/service/ledger/account";
import { post } from "@/service/ledger/books";
import { ledgerAccount } from "@/service/ledger/schema";
import { uuid } from "@/service/random";
import { transaction } from "@/service/store/transaction";
import type { Asking } from "@/service/transfers/order";
import { transferExternally } from "@/service/transfers/order";
import { transferInternally } from "@/service/transfers/order";
import { type Dice, someCents } from "./people";
import { inventDocuments } from "./people";
import { someName } from "./people";

const PAYERS_MINIMUM_CENTS = 50_000n;
const BIG_PAYERS_MINIMUM_CENTS = 1_300_000n;

type Payer = { account: LedgerAccount; onBoardingId: string };

async function payersWith({ db, tenant }: Call, leastCents: bigint): Promise<Payer[]> {
  const { id, holder, assetId, kind, balance } = ledgerAccount;
  const isPayer = and(
    eq(bankAccount.clientId, tenant.clientId),
    eq(bankAccount.status, "ACTIVE"),
    eq(kind, "available"),
    gt(balance, leastCents),
  );
  return db
    .select({ account: { id, holder, assetId, kind }, onBoardingId: bankAccount.onboardingId })
    .from(ledgerAccount)
    .innerJoin(bankAccount, eq(bankAccount.id, holder))
    .where(isPayer)
    .orderBy(asc(id))
    .limit(100);
}

/** PIX has no operation in the interface: it shows on the statement. */
async function pix(call: Call, dice: Dice, { account }: Payer): Promise<void> {
  const isIncoming = dice.chance(0.6);
  const description = isIncoming ? `PIX recebido de ${someName(dice)}` : `PIX enviado para ${someName(dice)}`;
  const cents = someCents(dice, 12, 380) * (isIncoming ? 1n : -1n);
  const lines = [
    { account, amount: cents },
    { account: call.accounts.world, amount: -cents },
  ];
  const movement = { id: uuid(call.random), type: "PIX", description, occurredAt: instant(call.clock), lines } as const;
  await transaction(call.db, (tx) => post(call, tx, movement));
}

/** Nobody waits for the answer. */
const unheard: Asking = { claim: null, answer: () => ({ status: 200, text: "" }) };

async function among(call: Call, dice: Dice, [payer, payee]: readonly [Payer, Payer]): Promise<void> {
  const [accountIdFrom, accountIdTo] = [payer.account.holder, payee.account.holder];
  const amount = centsToReais(someCents(dice, 12, 380));
  const order = { userId: "demo", accountIdFrom, accountIdTo, amount, description: "Reembolso" };
  await transferInternally(call, order, unheard);
}

async function elsewhere(call: Call, dice: Dice, { payer, cents }: { payer: Payer; cents: bigint }): Promise<void> {
  const [institutionCode, institutionIspb] = dice.pick([
    [1, "00000000"],
    [104, "00360305"],
    [237, "60746948"],
    [341, "60701190"],
  ] as const);
  const order = {
    userId: "demo",
    onBoardingId: payer.onBoardingId,
    idAccount: payer.account.holder,
    document: inventDocuments(dice).cpf(),
    accountCode: String(dice.int(10_000, 999_999)),
    branchCode: String(dice.int(1, 4_000)).padStart(4, "0"),
    institutionCode,
    institutionIspb,
    name: someName(dice),
    value: centsToReais(cents),
    bankAccountType: dice.pick(["CACC", "SVGS"] as const),
  };
  await transferExternally(call, order, unheard);
}

async function elsewhereHigh(call: Call, dice: Dice): Promise<void> {
  const rich = await payersWith(call, BIG_PAYERS_MINIMUM_CENTS);
  if (rich.length > 0) await elsewhere(call, dice, { payer: dice.pick(rich), cents: someCents(dice, 10_000, 12_500) });
}

export async function moveMoney(call: Call, dice: Dice): Promise<void> {
  const payers = await payersWith(call, PAYERS_MINIMUM_CENTS);
  if (payers.length < 2) return;
  const [payer, payee] = [dice.pick(payers), dice.pick(payers)];
  if (dice.chance(0.04)) return elsewhereHigh(call, dice);
  if (dice.chance(0.1)) return elsewhere(call, dice, { payer, cents: someCents(dice, 90, 450) });
  if (dice.chance(0.35) && payer.account.id !== payee.account.id) return among(call, dice, [payer, payee]);
  return pix(call, dice, payer);
}
