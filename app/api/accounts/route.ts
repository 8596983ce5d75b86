import { listAccounts } from "@/lib/accounts/queries";
import { AccountFilter } from "@/lib/accounts/inputs";
import { route } from "@/lib/query";

export const GET = route((search) => listAccounts.answer(AccountFilter.parse(Object.fromEntries(search))));
