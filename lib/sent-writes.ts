import { closeAccount } from "@/lib/accounts/close";
import type { SentWrite } from "@/lib/approvals/define-write";
import { decideCase } from "@/lib/kyc/decide";
import { startCompany, startPerson } from "@/lib/kyc/start";
import { createAccount } from "@/lib/onboarding/create";
import { watchActor } from "@/lib/permission/grant";
import type { WatchName } from "@/lib/permission/watches";
import { type OutcomeName, type ReadWith, readWith } from "@/lib/permission/writes";
import { intents } from "@/lib/provider/intents/intent";
import { sendTed } from "@/lib/transfers/ted";
import { sendTransfer } from "@/lib/transfers/transfer";
import { createAddress, createWallet } from "@/lib/wallets/create";
import { sendCoins } from "@/lib/wallets/send-coins";

/** Every write that is sent to the provider, by its name in `WRITE_TERMS`. */
export const SENT = {
  "kyc.decision": [decideCase],
  "kyc.start": [startPerson, startCompany],
  "account.create": [createAccount],
  "transfer.internal": [sendTransfer],
  "transfer.external": [sendTed],
  "crypto.transfer": [sendCoins],
  "account.close": [closeAccount],
  "wallet.create": [createWallet],
  "wallet.address": [createAddress],
} as const satisfies { [Name in OutcomeName]: readonly (SentWrite & { name: Name })[] };

export const SENT_WRITES = Object.values(SENT).flatMap((writes) => [...writes]);

/** The write of this operation; undefined for one of a later version. */
export const writeSentBy = (operation: string | undefined): SentWrite | undefined =>
  SENT_WRITES.find(({ intent }) => intent.path === operation);

/** Ends the sending of writes whose sender died; makes no calls. */
export const reconcileWrites = (tenant: string): Promise<void> =>
  intents.reconcile(
    watchActor("start", tenant, "outcomes:end"),
    SENT_WRITES.map(({ intent }) => intent),
  );

export const recoverWrites = (watch: WatchName, tenant: string, area: ReadWith): Promise<void> =>
  intents.recover(
    watchActor(watch, tenant, area),
    SENT_WRITES.filter(({ name }) => readWith(name) === area).map(({ intent }) => intent),
  );
