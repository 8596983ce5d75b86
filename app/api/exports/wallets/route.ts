import { download } from "@/lib/query";
import { WalletFilter } from "@/lib/wallets/inputs";
import { exportWallets } from "@/lib/wallets/queries";

export const GET = download((search) => exportWallets.answer(WalletFilter.parse(Object.fromEntries(search))));
