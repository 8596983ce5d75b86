import { DepositFilter } from "@/lib/deposits/inputs";
import { listDeposits } from "@/lib/deposits/queries";
import { route } from "@/lib/query";

export const GET = route((search) => listDeposits.answer(DepositFilter.parse(Object.fromEntries(search))));
