import type { TransferDetails } from "@/service/antifraud/details";
import { instant } from "@/service/clock";
import type { Service } from "@/service/context";
import { type LedgerAccount, linesBetween, type Movement } from "@/service/ledger/movement";
import { uuid } from "@/service/random";

type Way = Pick<Movement, "type"> & { id?: string; from: LedgerAccount; to: LedgerAccount };

/** A transfer's amount on one leg of its way; under an id of its own unless told. */
export function transferMovement(
  { clock, random }: Service,
  { cents, description }: TransferDetails,
  { id = uuid(random), type, from, to }: Way,
): Movement {
  return { id, type, description, occurredAt: instant(clock), lines: linesBetween(from, to, BigInt(cents)) };
}
