import { getClosingTerms } from "@/lib/accounts/queries";
import { route } from "@/lib/query";

export const GET = route((_, { ref = "" }) => getClosingTerms.answer(ref));
