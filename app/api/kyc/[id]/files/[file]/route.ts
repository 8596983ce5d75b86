import { openCaseFile } from "@/lib/kyc/queries";
import { download } from "@/lib/query";

export const GET = download((_, { id = "", file = "" }) => openCaseFile.answer(id, file));
