import { download } from "@/lib/query";
import { RefusedFilter } from "@/lib/webhooks/inputs";
import { exportRefused } from "@/lib/webhooks/queries";

export const GET = download((search) => exportRefused.answer(RefusedFilter.parse(Object.fromEntries(search))));
