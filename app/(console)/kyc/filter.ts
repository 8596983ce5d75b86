import type { KycView } from "@/lib/kyc/rules";

/** The views in the order of their tabs. */
export const KYC_VIEWS = ["open", "PENDING", "PROCESSING", "APPROVED", "REPROVED", "all"] as const satisfies KycView[];
