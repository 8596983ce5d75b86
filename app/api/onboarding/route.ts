import { listOnboardings } from "@/lib/onboarding/queries";
import { OnboardingFilter } from "@/lib/onboarding/inputs";
import { route } from "@/lib/query";

export const GET = route((search) => listOnboardings.answer(OnboardingFilter.parse(Object.fromEntries(search))));
