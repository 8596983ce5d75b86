import { listApprovals } from "@/lib/approvals/queries";
import { ApprovalFilter } from "@/lib/approvals/inputs";
import { route } from "@/lib/query";

export const GET = route((search) => listApprovals.answer(ApprovalFilter.parse(Object.fromEntries(search))));
