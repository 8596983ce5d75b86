import type { InternalTransfer } from "@/lib/contract/accounts";
import type { AccountFacts } from "@/service/accounts/directory";
import type { Call } from "@/service/context";
import type { FirstAnswer } from "@/service/idempotency/first-answer";
import { reaisToCents } from "@/service/ledger/amount";
import { type Asking, orderOf } from "./order";

/** The tenant's account of that id; another tenant's is as unknown as one that does not exist. */
export async function findOwn({ accounts, tenant }: Call, accountId: string): Promise<AccountFacts | undefined> {
  const facts = await accounts.find(accountId);
  return facts?.clientId === tenant.clientId ? facts : undefined;
}

/**
 * Moves money between two of the tenant's accounts (interface: Bank accounts › generateInternalTransferRequest). Gives
 * the answer, the first one again under the same key. 404, 409 for a key of another request, 422.
 */
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
  const [from, to] = [await findOwn(call, accountIdFrom), await findOwn(call, accountIdTo)];
  return call.transfers.submit(orderOf(call, { ...asking, details, from, to }));
}
