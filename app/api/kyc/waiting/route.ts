import { countWaitingCases } from "@/lib/kyc/queries";
import { route } from "@/lib/query";

export const GET = route(() => countWaitingCases.answer());
