import { getEntry } from "@/lib/accounts/queries";
import { EntryQuery } from "@/lib/accounts/inputs";
import { route } from "@/lib/query";

export const GET = route((search, { ref = "" }) => getEntry.answer(ref, EntryQuery.parse(Object.fromEntries(search))));
