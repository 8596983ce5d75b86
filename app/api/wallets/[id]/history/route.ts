import { download } from "@/lib/query";
import { exportHistory } from "@/lib/wallets/queries";
import { HistoryFilter } from "@/lib/wallets/inputs";

export const GET = download((search, { id = "" }) =>
  exportHistory.answer(id, HistoryFilter.parse(Object.fromEntries(search))),
);
