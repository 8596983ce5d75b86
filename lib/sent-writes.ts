import { closeAccount } from "@/lib/accounts/close";
import type { SentWrite } from "@/lib/approvals/define-write";
import { decideCase } from "@/lib/kyc/decide";
import { startCompany, startPerson } from "@/lib/kyc/start";
import { createAccount } from "@/lib/onboarding/create";
import { watchActor } from "@/lib/permission/grant";
import type { OutcomeName } from "@/lib/permission/writes";
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

export const SENT_WRITES: readonly SentWrite[] = Object.values(SENT).flat();

/** The write of this operation; undefined of those of a later version. */
export const writeSentBy = (operation: string | undefined): SentWrite | undefined =>
  SENT_WRITES.find(({ intent }) => intent.path === operation);

/** Writes whose sender died are no longer being sent: asks nobody. */
export const reconcileWrites = (tenant: string): Promise<void> =>
  intents.reconcile(
    watchActor("start", tenant, "outcomes:end"),
    SENT_WRITES.map(({ intent }) => intent),
  );
