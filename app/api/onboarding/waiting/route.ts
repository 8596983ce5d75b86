import { countWaitingOnboardings } from "@/lib/onboarding/queries";
import { route } from "@/lib/query";

export const GET = route(() => countWaitingOnboardings.answer());
