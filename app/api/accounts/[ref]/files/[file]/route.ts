import { openAccountFile } from "@/lib/accounts/queries";
import { download } from "@/lib/query";

export const GET = download((_, { ref = "", file = "" }) => openAccountFile.answer(ref, file));
