import { route } from "@/lib/query";
import { SuspicionFilter } from "@/lib/suspicions/inputs";
import { listSuspicions } from "@/lib/suspicions/queries";

export const GET = route((search) => listSuspicions.answer(SuspicionFilter.parse(Object.fromEntries(search))));
