import { accountsIn, noteAccounts } from "@/lib/accounts/records";
import { watchOnboarding } from "@/lib/onboarding/watch";

/** The list of accounts that it reads also gives each account's status. */
export const onboardingWatch = watchOnboarding((tenant, answer, at) => noteAccounts(tenant, accountsIn(answer), at));
