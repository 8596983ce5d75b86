import { listCases } from "@/lib/kyc/queries";
import { KycFilter } from "@/lib/kyc/inputs";
import { route } from "@/lib/query";

export const GET = route((search) => listCases.answer(KycFilter.parse(Object.fromEntries(search))));
