import { onboardingCheck } from "@/service/accounts/provider";
import { caseExpiry } from "@/service/antifraud/decide";
import { kycCheck } from "@/service/kyc/finish-check";
import type { JobKind } from "./job";

/** Every kind of planned work. */
export const jobKinds: readonly JobKind[] = [onboardingCheck, kycCheck, caseExpiry];
