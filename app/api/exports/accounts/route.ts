import { exportAccounts } from "@/lib/accounts/queries";
import { AccountFilter } from "@/lib/accounts/inputs";
import { download } from "@/lib/query";

export const GET = download((search) => exportAccounts.answer(AccountFilter.parse(Object.fromEntries(search))));
