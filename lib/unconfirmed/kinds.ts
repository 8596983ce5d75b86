import { closureOutcome } from "@/lib/accounts/watch";
import { KYC_OUTCOMES } from "@/lib/kyc/watch";
import { requestOutcome } from "@/lib/onboarding/watch";
import type { OutcomeKind } from "@/lib/provider/intents/outcome-kind";
import { TRANSFER_OUTCOMES } from "@/lib/transfers/watch";
import { WALLET_OUTCOMES } from "@/lib/wallets/watch";

/** Every write of which it may stay unknown what became of it. */
export const OUTCOME_KINDS: readonly OutcomeKind[] = [
  ...KYC_OUTCOMES,
  requestOutcome,
  closureOutcome,
  ...TRANSFER_OUTCOMES,
  ...WALLET_OUTCOMES,
];

/** The kind of the writes of this operation; undefined of those that are no outcome's. */
export const outcomeKindOf = (operation: string | undefined): OutcomeKind | undefined =>
  OUTCOME_KINDS.find(({ intent }) => intent.path === operation);
