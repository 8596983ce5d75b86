import { conflict } from "@/lib/errors/denial";
import { approvalCan } from "@/lib/approvals/can";

/** What may be done about an unknown outcome; `isOpen`: the provider is no longer asked. */
export const outcomeCan = {
  end: ({ isOpen, isProposed }: { isOpen: boolean; isProposed: boolean }) =>
    isOpen ? approvalCan.propose({ isOpen: isProposed }) : conflict("outcome-known"),
};
