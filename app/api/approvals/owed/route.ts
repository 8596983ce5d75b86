import { countOwed } from "@/lib/approvals/queries";
import { route } from "@/lib/query";

export const GET = route(() => countOwed.answer());
