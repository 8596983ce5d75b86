import { conflict } from "@/lib/errors/denial";
import { approvalCan } from "@/lib/approvals/can";

/** What may be done about a write whose end nobody knows; `isOpen`: nobody asks the provider any more. */
export const outcomeCan = {
  end: ({ isOpen, isProposed }: { isOpen: boolean; isProposed: boolean }) =>
    isOpen ? approvalCan.propose({ isOpen: isProposed }) : conflict("outcome-known"),
};
