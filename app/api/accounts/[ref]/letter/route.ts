import { exportLetter } from "@/lib/accounts/queries";
import { download } from "@/lib/query";

export const GET = download((search, { ref = "" }) => exportLetter.answer(ref, search.get("names")));
