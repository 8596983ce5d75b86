import { onboardingCheck } from "@/service/accounts/provider";
import { caseExpiry } from "@/service/antifraud/decide";
import { kycCheck } from "@/service/kyc/start-kyc";
import type { JobKind } from "./run-due";

/** Every kind of planned work. */
export const jobKinds: readonly JobKind[] = [onboardingCheck, kycCheck, caseExpiry];
