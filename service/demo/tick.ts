import { and, asc, desc, eq, gt, isNotNull, isNull, lte } from "drizzle-orm";
import {
  antifraudCase,
  bankAccount,
  chainEntry,
  externalTransfer,
  kycProcess,
  ledgerAccount,
  ledgerAsset,
  ledgerEntry,
  ledgerMovement,
  onboarding,
  wallet,
} from "@/service/store/schema";
import { instant } from "@/service/clock";
import type { Call } from "@/service/context";
import { centsToReais, type LedgerAccount, fromUnits } from "@/service/ledger/account";
import { post } from "@/service/ledger/books";
import { uuid } from "@/service/random";
import { transaction } from "@/service/store/transaction";
import { type Asking, returnTed, transferExternally, transferInternally } from "@/service/transfers/order";
import {
  type Dice,
  someCents,
  inventDocuments,
  someName,
  type Documents,
  someCompany,
  someCompanyName,
  somePerson,
} from "./people";
import { requestAccount } from "@/service/accounts/onboarding";
import { decideCase } from "@/service/control/decide-case";
import { deriveAddress } from "@/service/crypto/addresses/family";
import { networkFee } from "@/service/crypto/chain";
import { depositTo } from "@/service/crypto/deposit";
import { transferCrypto } from "@/service/crypto/transfer";
import { startCompanyKyc, startPersonKyc } from "@/service/kyc/start-kyc";
import { someMember } from "./kyc";
import { someDeposit } from "./wallets";

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
  await transaction(call.db, (tx) => post(tx, movement));
}

/** Nobody waits for the answer. */
const unread: Asking = { claim: null, answer: () => ({ status: 200, text: "" }) };

async function among(call: Call, dice: Dice, [payer, payee]: readonly [Payer, Payer]): Promise<void> {
  const accountIdFrom = payer.account.holder;
  const accountIdTo = payee.account.holder;
  const amount = centsToReais(someCents(dice, 12, 380));
  const order = { userId: "demo", accountIdFrom, accountIdTo, amount, description: "Reembolso" };
  await transferInternally(call, order, unread);
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
  await transferExternally(call, order, unread);
}

async function elsewhereHigh(call: Call, dice: Dice): Promise<void> {
  const rich = await payersWith(call, BIG_PAYERS_MINIMUM_CENTS);
  if (rich.length > 0) await elsewhere(call, dice, { payer: dice.pick(rich), cents: someCents(dice, 10_000, 12_500) });
}

export async function moveMoney(call: Call, dice: Dice): Promise<void> {
  const payers = await payersWith(call, PAYERS_MINIMUM_CENTS);
  if (payers.length < 2) return;
  const payer = dice.pick(payers);
  const payee = dice.pick(payers);
  if (dice.chance(0.04)) return elsewhereHigh(call, dice);
  if (dice.chance(0.1)) return elsewhere(call, dice, { payer, cents: someCents(dice, 90, 450) });
  if (dice.chance(0.35) && payer.account.id !== payee.account.id) return among(call, dice, [payer, payee]);
  return pix(call, dice, payer);
}

/** Long enough for people to see it waiting. */
const LOOKED_AT_AFTER_MS = 20 * 60_000;

export async function decideHeld(call: Call, dice: Dice): Promise<void> {
  const isWaiting = and(
    eq(antifraudCase.clientId, call.tenant.clientId),
    eq(antifraudCase.status, "HELD"),
    lte(antifraudCase.createdAt, new Date(call.clock.now() - LOOKED_AT_AFTER_MS)),
  );
  const [oldest] = await call.db.select().from(antifraudCase).where(isWaiting).orderBy(asc(antifraudCase.createdAt));
  if (oldest) await decideCase(call, oldest.id, { decision: dice.chance(0.8) ? "RELEASE" : "REJECT" });
}

const DAY_MS = 86_400_000;
const countReturned = ({ db }: Call) => db.$count(externalTransfer, isNotNull(externalTransfer.returnId));

/** Returns the newest TED of a demo customer whose account is older than the demo's life; false when there is none. */
export async function sendBack(call: Call): Promise<boolean> {
  const isDemos = lte(bankAccount.createdAt, new Date(call.clock.now() - DAY_MS));
  const [sent] = await call.db
    .select({ id: externalTransfer.transactionId })
    .from(externalTransfer)
    .innerJoin(ledgerEntry, eq(ledgerEntry.movementId, externalTransfer.transactionId))
    .innerJoin(ledgerAccount, eq(ledgerAccount.id, ledgerEntry.accountId))
    .innerJoin(bankAccount, eq(bankAccount.id, ledgerAccount.holder))
    .where(and(eq(bankAccount.clientId, call.tenant.clientId), isNull(externalTransfer.returnId), isDemos))
    .orderBy(desc(ledgerEntry.occurredAt))
    .limit(1);
  if (sent) await returnTed(call, sent.id, { reason: "conta do favorecido não existe" });
  return sent !== undefined;
}

const ENTROPY_BYTES = 32;

/** Below and above the default antifraud threshold. */
const USUAL_COINS = 9n;
const LARGE_COINS = 400n;

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

export type Activity = {
  weight: number;
  /** The demo adds no more beyond this. */
  ceiling: number;
  count: (call: Call) => Promise<number>;
  happen: (call: Call, dice: Dice) => Promise<unknown>;
};

function someCpf(dice: Dice, documents: Documents): string {
  return dice.chance(0.3) ? documents.magicCpf(dice.pick(["001", "002", "002", "003", "004"])) : documents.cpf();
}

async function askForAccount(call: Call, dice: Dice): Promise<void> {
  const documents = inventDocuments(dice);
  const request = dice.chance(0.25)
    ? someCompany(dice, documents, documents.cnpj(dice.chance(0.3)))
    : somePerson(dice, someCpf(dice, documents));
  await requestAccount(call, request);
}

async function startKyc(call: Call, dice: Dice): Promise<void> {
  const documents = inventDocuments(dice);
  const options = {
    backgroundcheckModel: dice.pick(["BASIC", "MEDIUM", "COMPLETE"] as const),
    documentscopyFlag: dice.chance(0.5),
  };
  if (dice.chance(0.3)) {
    const vatNumber = documents.cnpj(dice.chance(0.3));
    const qsa = [someMember(dice, documents, "SOCIO_ADMINISTRADOR")];
    await startCompanyKyc(call, { ...options, vatNumber, legalName: someCompanyName(dice).businessName, qsa });
    return;
  }
  const { fullName: name, motherName, birthDate } = somePerson(dice, documents.cpf()).person;
  await startPersonKyc(call, { ...options, vatNumber: someCpf(dice, documents), name, motherName, birthDate });
}

async function deposit(call: Call, dice: Dice): Promise<void> {
  const ofTenant = eq(wallet.clientId, call.tenant.clientId);
  const wallets = await call.db.select().from(wallet).where(ofTenant).orderBy(asc(wallet.sequence)).limit(100);
  if (wallets.length === 0) return;
  const { family, address } = dice.pick(wallets);
  const { network, asset, units } = someDeposit(dice, family);
  const token = asset.tokenAddress === null ? {} : { tokenAddress: asset.tokenAddress };
  await depositTo(call, { network, address, amount: fromUnits(units, asset.decimals), ...token });
}

export const firstNews = [deposit, askForAccount, deposit] as const;

const ACTIVITIES: readonly Activity[] = [
  { weight: 50, ceiling: 30_000, count: ({ db }) => db.$count(ledgerMovement), happen: moveMoney },
  { weight: 20, ceiling: 1_000, count: ({ db }) => db.$count(kycProcess), happen: startKyc },
  { weight: 15, ceiling: 800, count: ({ db }) => db.$count(onboarding), happen: askForAccount },
  { weight: 15, ceiling: 3_000, count: ({ db }) => db.$count(chainEntry), happen: deposit },
  { weight: 8, ceiling: 3_000, count: ({ db }) => db.$count(chainEntry), happen: sendCoins },
  { weight: 6, ceiling: Infinity, count: async () => 0, happen: decideHeld },
  { weight: 2, ceiling: 40, count: countReturned, happen: sendBack },
];

/** Uses the interface's own operations. */
export async function tick(call: Call, dice: Dice, activities = ACTIVITIES): Promise<void> {
  if ((await countReturned(call)) === 0 && (await sendBack(call))) return;
  const activity = dice.pick(activities.flatMap((one) => Array.from({ length: one.weight }, () => one)));
  if ((await activity.count(call)) < activity.ceiling) await activity.happen(call, dice);
}
