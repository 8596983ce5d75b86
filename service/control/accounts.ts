import { z } from "zod";
import { Credit, creditAccount } from "@/service/accounts/credit-account";
import { OnboardingDecision, steerOnboarding } from "@/service/accounts/steer-onboarding";
import { checkBooks } from "@/service/ledger/check";
import { control } from "./control";

export const accountControls = [
  control("POST /sandbox/onboardings/{onBoardingId}", OnboardingDecision, (service, input, { onBoardingId = "" }) =>
    steerOnboarding(service, onBoardingId, input),
  ),
  control("POST /sandbox/bank-accounts/{accountId}/credit", Credit, (service, input, { accountId = "" }) =>
    creditAccount(service, accountId, input),
  ),
  control("GET /sandbox/ledger/check", z.looseObject({}), ({ db }) => checkBooks(db)),
];
