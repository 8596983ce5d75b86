import { route } from "@/lib/query";
import { SendFilter } from "@/lib/wallets/inputs";
import { listSends } from "@/lib/wallets/queries";

export const GET = route((search) => listSends.answer(SendFilter.parse(Object.fromEntries(search))));
