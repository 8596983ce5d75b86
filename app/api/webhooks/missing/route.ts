import { route } from "@/lib/query";
import { MissingFilter } from "@/lib/webhooks/inputs";
import { listMissing } from "@/lib/webhooks/queries";

export const GET = route((search) => listMissing.answer(MissingFilter.parse(Object.fromEntries(search))));
