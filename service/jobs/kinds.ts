import { onboardingCheck } from "@/service/accounts/provider";
import { caseExpiry } from "@/service/antifraud/decide";
import { kycCheck } from "@/service/kyc/start-kyc";
import type { JobKind } from "./run-due";

export const jobKinds: readonly JobKind[] = [onboardingCheck, kycCheck, caseExpiry];
