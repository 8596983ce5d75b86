import { listWallets } from "@/lib/wallets/queries";
import { WalletFilter } from "@/lib/wallets/inputs";
import { route } from "@/lib/query";

export const GET = route((search) => listWallets.answer(WalletFilter.parse(Object.fromEntries(search))));
