import { losslessNumber } from "@/lib/contract/json";
import { centsToReais } from "@/service/ledger/amount";
import type { Movement } from "@/service/ledger/movement";

/** A movement as one side sees it, by what it added to that side, in cents (interface: Resources › Statement entry). */
export function describeEntry({ id, type, description, occurredAt }: Omit<Movement, "lines">, cents: bigint) {
  return {
    transactionId: id,
    type,
    amount: losslessNumber(centsToReais(cents < 0n ? -cents : cents)),
    date: occurredAt.toISOString(),
    description,
    direction: cents < 0n ? "DEBIT" : "CREDIT",
  };
}
