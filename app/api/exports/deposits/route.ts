import { DepositFilter } from "@/lib/deposits/inputs";
import { exportDeposits } from "@/lib/deposits/queries";
import { download } from "@/lib/query";

export const GET = download((search) => exportDeposits.answer(DepositFilter.parse(Object.fromEntries(search))));
