import { conflict, forbidden } from "@/lib/errors/denial";
import type { ApprovalState } from "@/lib/db/enums/approvals";

type Standing = { state: ApprovalState; isMine: boolean };

const notYours = forbidden("approval-not-yours");
const ended = conflict("approval-ended");

export const approvalCan = {
  propose: ({ isOpen }: { isOpen: boolean }) => (isOpen ? conflict("approval-open") : null),
  decide: ({ state, isMine }: Standing) => (state !== "PENDING" ? ended : isMine ? forbidden("approval-own") : null),
  withdraw: ({ state, isMine }: Standing) =>
    !isMine ? notYours : state === "PENDING" || state === "READY" ? null : ended,
  complete: ({ state, isMine }: Standing) => {
    if (!isMine) return notYours;
    if (state === "PENDING") return conflict("approval-undecided");
    if (state === "AUTHORISED") return conflict("approval-under-way");
    return state === "READY" ? null : ended;
  },
  comment: ({ isMine, mayDecide }: { isMine: boolean; mayDecide: boolean }) => (isMine || mayDecide ? null : notYours),
};
