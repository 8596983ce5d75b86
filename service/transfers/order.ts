import { eq } from "drizzle-orm";
import { z } from "zod";
import type { ExternalTransfer, InternalTransfer } from "@/lib/contract/accounts";
import type { AccountFacts } from "@/service/accounts/directory";
import { type AntifraudCase, judge, newCase, type Outcome, screen } from "@/service/antifraud/case";
import { instant } from "@/service/clock";
import type { Call, Service } from "@/service/context";
import { conflict, notFound } from "@/service/error";
import type { Claim, FirstAnswer } from "@/service/idempotency/first-answer";
import { type LedgerAccount, linesBetween, type Movement, reaisToCents } from "@/service/ledger/account";
import { type Books, post } from "@/service/ledger/books";
import { uuid } from "@/service/random";
import { transaction, type Tx } from "@/service/store/transaction";
import {
  bankAccount,
  externalTransfer,
  ledgerAccount,
  ledgerEntry,
  type TransferDetails,
} from "@/service/store/schema";

type Way = Pick<Movement, "type"> & { id?: string; from: LedgerAccount; to: LedgerAccount };

function transferMovement(
  { clock, random }: Service,
  { cents, description }: Pick<TransferDetails, "cents" | "description">,
  { id = uuid(random), type, from, to }: Way,
): Movement {
  return { id, type, description, occurredAt: instant(clock), lines: linesBetween(from, to, BigInt(cents)) };
}

/** A decision whose movements are already in the books. */
export type Ruling = {
  answer: FirstAnswer;
  opened?: AntifraudCase;
  external?: typeof externalTransfer.$inferInsert;
};

type Page = Pick<Books, "check" | "enter">;

export type Order = {
  call: Call;
  claim: Claim | null;
  accounts: readonly LedgerAccount[];
  /** Throws the refusal without entering anything. */
  rule: (books: Page) => Ruling;
};

type Transferred = { transactionId: string };

export type Asking = { claim: Claim | null; answer: (outcome: Outcome<Transferred>) => FirstAnswer };

/** Undefined accounts do not exist; `to` null: another institution. */
type Transfer = Asking & {
  details: TransferDetails;
  from: AccountFacts | undefined;
  to: AccountFacts | undefined | null;
};

const CENTS_DECIMALS = 2;

type Sides = { from: AccountFacts; to: LedgerAccount };

function sidesOf({ accounts }: Call, { from, to }: Transfer): Sides | null {
  return from && to !== undefined ? { from, to: to === null ? accounts.world : to.available } : null;
}

/** Business rules before antifraud (our assumption). */
function orderOf(call: Call, transfer: Transfer): Order {
  const { claim, details, answer } = transfer;
  const sides = sidesOf(call, transfer);
  const judged = judge(call.settings.antifraud.reais, BigInt(details.cents), CENTS_DECIMALS);
  const planned = screen(call, judged);

  const rule = (books: Page): Ruling => {
    if (!sides) throw notFound("The banking account was not found");
    const { available, blocked } = sides.from;
    const screening = planned === "hold" ? screen(call, judged) : planned;
    const movement = transferMovement(call, details, { type: details.type, from: available, to: sides.to });
    if (screening !== "pass") books.check(movement);
    switch (screening) {
      case "pass": {
        books.enter(movement);
        const ruling = { answer: answer({ kind: "done", done: { transactionId: movement.id } }) };
        const { recipient } = details;
        return recipient ? { ...ruling, external: { transactionId: movement.id, recipient } } : ruling;
      }
      case "hold": {
        const opened = newCase(call, "HELD", details);
        books.enter(transferMovement(call, details, { type: "HOLD", from: available, to: blocked }));
        if (judged === "pass") call.holds.use(call.tenant.clientId);
        return { answer: answer({ kind: "held", case: opened }), opened };
      }
      case "block": {
        const opened = newCase(call, "BLOCKED", details);
        return { answer: answer({ kind: "blocked", case: opened }), opened };
      }
    }
  };
  const held = sides && planned === "hold" ? [sides.from.blocked] : [];
  return { call, claim, accounts: sides ? [sides.from.available, sides.to, ...held] : [], rule };
}

/** Another tenant's looks like one that does not exist. */
async function findOwn({ accounts, tenant }: Call, accountId: string): Promise<AccountFacts | undefined> {
  const facts = await accounts.find(accountId);
  return facts?.clientId === tenant.clientId ? facts : undefined;
}

/** interface: Bank accounts › generateInternalTransferRequest. Idempotent by key. 404, 409 for a key of another request, 422. */
export async function transferInternally(call: Call, input: InternalTransfer, asking: Asking): Promise<FirstAnswer> {
  const { accountIdFrom, accountIdTo, amount, description } = input;
  const details = {
    kind: "transfer",
    type: "INTERNAL",
    fromAccountId: accountIdFrom,
    toAccountId: accountIdTo,
    cents: String(reaisToCents(amount)),
    description: description ?? "Transferência entre contas",
  } as const;
  const from = await findOwn(call, accountIdFrom);
  const to = await findOwn(call, accountIdTo);
  return call.carryOut(orderOf(call, { ...asking, details, from, to }));
}

/** interface: Bank accounts › generateExternalTransferRequest. Idempotent by key. 404, 409, 422. */
export async function transferExternally(call: Call, input: ExternalTransfer, asking: Asking): Promise<FirstAnswer> {
  const { idAccount, onBoardingId, value, name, document, accountCode, branchCode } = input;
  const { institutionCode, institutionIspb, bankAccountType } = input;
  const details = {
    kind: "transfer",
    type: "TED",
    fromAccountId: idAccount,
    toAccountId: null,
    cents: String(reaisToCents(value)),
    description: `TED para ${name}`,
    recipient: { name, document, accountCode, branchCode, institutionCode, institutionIspb, bankAccountType },
  } as const;
  const facts = await findOwn(call, idAccount);
  const from = facts?.onboardingId === onBoardingId ? facts : undefined;
  return call.carryOut(orderOf(call, { ...asking, details, from, to: null }));
}

type HeldTransfer = { id: string; details: TransferDetails };

async function factsOf({ accounts }: Service, tx: Tx, accountId: string): Promise<AccountFacts> {
  const facts = await accounts.find(accountId, tx);
  if (!facts) throw new Error(`account ${accountId} of a held transfer is gone`);
  return facts;
}

/** The transaction has the case's id. 422 when an account was closed meanwhile. */
export async function releaseTransfer(service: Service, tx: Tx, { id, details }: HeldTransfer): Promise<void> {
  const { fromAccountId, toAccountId, recipient, type } = details;
  const { blocked } = await factsOf(service, tx, fromAccountId);
  const to = toAccountId === null ? service.accounts.world : (await factsOf(service, tx, toAccountId)).available;
  await post(tx, transferMovement(service, details, { id, type, from: blocked, to }));
  if (recipient) await tx.insert(externalTransfer).values({ transactionId: id, recipient });
}

export const TedReturn = z.strictObject({
  reason: z.string().min(1).max(200).default("dados do favorecido não conferem"),
});

/** Control route: the other institution returns the money. 404 for no TED, 409 for one already returned. */
export async function returnTed(
  service: Service,
  transactionId: string,
  { reason }: z.output<typeof TedReturn>,
): Promise<{ transactionId: string; originalTransactionId: string }> {
  return transaction(service.db, async (tx) => {
    const isIt = eq(externalTransfer.transactionId, transactionId);
    const [sent] = await tx.select().from(externalTransfer).where(isIt).for("update");
    if (!sent) throw notFound("The TED was not found");
    if (sent.returnId !== null) throw conflict("The TED was returned already");
    const [paid] = await tx
      .select({ accountId: bankAccount.id, amount: ledgerEntry.amount })
      .from(ledgerEntry)
      .innerJoin(ledgerAccount, eq(ledgerAccount.id, ledgerEntry.accountId))
      .innerJoin(bankAccount, eq(bankAccount.id, ledgerAccount.holder))
      .where(eq(ledgerEntry.movementId, transactionId));
    if (!paid) throw notFound("The TED was not found");
    const { available } = await factsOf(service, tx, paid.accountId);
    const details = { cents: String(-paid.amount), description: `Devolução de TED: ${reason}` };
    const movement = transferMovement(service, details, { type: "TED", from: service.accounts.world, to: available });
    await post(tx, movement);
    await tx.update(externalTransfer).set({ returnId: movement.id }).where(isIt);
    return { transactionId: movement.id, originalTransactionId: transactionId };
  });
}

export async function giveBackTransfer(service: Service, tx: Tx, { details }: HeldTransfer): Promise<void> {
  const { available, blocked } = await factsOf(service, tx, details.fromAccountId);
  await post(tx, transferMovement(service, details, { type: "RELEASE", from: blocked, to: available }));
}
