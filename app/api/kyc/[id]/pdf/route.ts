import { exportCase } from "@/lib/kyc/queries";
import { download } from "@/lib/query";

export const GET = download((_, { id = "" }) => exportCase.answer(id));
