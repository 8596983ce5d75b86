import { accountsIn, noteAccounts } from "@/lib/accounts/records";
import { watchOnboarding } from "@/lib/onboarding/watch";

/** The list of accounts that it reads also tells how each account stands. */
export const onboardingWatch = watchOnboarding((tenant, answer, at) => noteAccounts(tenant, accountsIn(answer), at));
