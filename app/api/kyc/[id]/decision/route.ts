import { getDecisionTerms } from "@/lib/kyc/queries";
import { route } from "@/lib/query";

export const GET = route((_, { id = "" }) => getDecisionTerms.answer(id));
