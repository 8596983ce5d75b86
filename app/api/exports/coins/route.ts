import { download } from "@/lib/query";
import { SendFilter } from "@/lib/wallets/inputs";
import { exportSends } from "@/lib/wallets/queries";

export const GET = download((search) => exportSends.answer(SendFilter.parse(Object.fromEntries(search))));
