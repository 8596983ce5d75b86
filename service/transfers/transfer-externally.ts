import type { ExternalTransfer } from "@/lib/contract/accounts";
import type { Call } from "@/service/context";
import type { FirstAnswer } from "@/service/idempotency/first-answer";
import { reaisToCents } from "@/service/ledger/amount";
import { type Asking, orderOf } from "./order";
import { findOwn } from "./transfer-internally";

/**
 * Sends a TED to another institution (interface: Bank accounts › generateExternalTransferRequest). The source is known
 * by its account and its onboarding together. Gives the answer, the first one again under the same key. 404, 409, 422.
 */
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
  return call.transfers.submit(orderOf(call, { ...asking, details, from, to: null }));
}
