import { route } from "@/lib/query";
import { RefusedFilter } from "@/lib/webhooks/inputs";
import { listRefused } from "@/lib/webhooks/queries";

export const GET = route((search) => listRefused.answer(RefusedFilter.parse(Object.fromEntries(search))));
