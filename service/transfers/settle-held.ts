import type { TransferDetails } from "@/service/antifraud/details";
import { instant } from "@/service/clock";
import type { Service } from "@/service/context";
import type { AccountFacts } from "@/service/accounts/directory";
import type { LedgerAccount, Movement } from "@/service/ledger/movement";
import { post } from "@/service/ledger/post";
import { uuid } from "@/service/random";
import type { Tx } from "@/service/store/db";
import { externalTransfer } from "./schema";

type Held = { id: string; details: TransferDetails };

async function factsOf({ accounts }: Service, tx: Tx, accountId: string): Promise<AccountFacts> {
  const facts = await accounts.find(accountId, tx);
  if (!facts) throw new Error(`account ${accountId} of a held transfer is gone`);
  return facts;
}

type Way = Pick<Movement, "id" | "type"> & { from: LedgerAccount; to: LedgerAccount };

async function move(service: Service, tx: Tx, { details, from, to, ...head }: Way & Pick<Held, "details">) {
  const amount = BigInt(details.cents);
  const lines = [
    { account: from, amount: -amount },
    { account: to, amount },
  ];
  await post(service, tx, { ...head, description: details.description, occurredAt: instant(service.clock), lines });
}

/** Carries a held transfer out; its transaction has the case's id. 422 when an account was closed meanwhile. */
export async function releaseTransfer(service: Service, tx: Tx, { id, details }: Held): Promise<void> {
  const { fromAccountId, toAccountId, recipient, type } = details;
  const { blocked } = await factsOf(service, tx, fromAccountId);
  const to = toAccountId === null ? service.accounts.world : (await factsOf(service, tx, toAccountId)).available;
  await move(service, tx, { id, type, details, from: blocked, to });
  if (recipient) await tx.insert(externalTransfer).values({ transactionId: id, recipient });
}

/** Gives the held amount back to the account it came from. */
export async function giveBackTransfer(service: Service, tx: Tx, { details }: Held): Promise<void> {
  const { available, blocked } = await factsOf(service, tx, details.fromAccountId);
  await move(service, tx, { id: uuid(service.random), type: "RELEASE", details, from: blocked, to: available });
}
