import type { TransferDetails } from "@/service/antifraud/details";
import type { Service } from "@/service/context";
import type { AccountFacts } from "@/service/accounts/directory";
import { post } from "@/service/ledger/post";
import type { Tx } from "@/service/store/db";
import { externalTransfer } from "./schema";
import { transferMovement } from "./transfer-movement";

type Held = { id: string; details: TransferDetails };

async function factsOf({ accounts }: Service, tx: Tx, accountId: string): Promise<AccountFacts> {
  const facts = await accounts.find(accountId, tx);
  if (!facts) throw new Error(`account ${accountId} of a held transfer is gone`);
  return facts;
}

/** Carries a held transfer out; its transaction has the case's id. 422 when an account was closed meanwhile. */
export async function releaseTransfer(service: Service, tx: Tx, { id, details }: Held): Promise<void> {
  const { fromAccountId, toAccountId, recipient, type } = details;
  const { blocked } = await factsOf(service, tx, fromAccountId);
  const to = toAccountId === null ? service.accounts.world : (await factsOf(service, tx, toAccountId)).available;
  await post(service, tx, transferMovement(service, details, { id, type, from: blocked, to }));
  if (recipient) await tx.insert(externalTransfer).values({ transactionId: id, recipient });
}

/** Gives the held amount back to the account it came from. */
export async function giveBackTransfer(service: Service, tx: Tx, { details }: Held): Promise<void> {
  const { available, blocked } = await factsOf(service, tx, details.fromAccountId);
  await post(service, tx, transferMovement(service, details, { type: "RELEASE", from: blocked, to: available }));
}
