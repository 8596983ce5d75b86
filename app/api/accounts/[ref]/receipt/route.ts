import { exportReceipt } from "@/lib/accounts/queries";
import { EntryQuery } from "@/lib/accounts/inputs";
import { download } from "@/lib/query";

export const GET = download((search, { ref = "" }) =>
  exportReceipt.answer(ref, EntryQuery.parse(Object.fromEntries(search)), search.get("names")),
);
