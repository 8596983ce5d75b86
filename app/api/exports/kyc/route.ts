import { exportCases } from "@/lib/kyc/queries";
import { KycFilter } from "@/lib/kyc/inputs";
import { download } from "@/lib/query";

export const GET = download((search) => exportCases.answer(KycFilter.parse(Object.fromEntries(search))));
