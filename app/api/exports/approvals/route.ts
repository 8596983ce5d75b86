import { ApprovalFilter } from "@/lib/approvals/inputs";
import { exportApprovals } from "@/lib/approvals/queries";
import { download } from "@/lib/query";

export const GET = download((search) => exportApprovals.answer(ApprovalFilter.parse(Object.fromEntries(search))));
