import type { KycStatus } from "@/lib/contract/kyc";

/** The queue's views, in the order of their tabs. Apart from the schemas, because the browser reads it. */
export const KYC_VIEWS = ["open", "PENDING", "PROCESSING", "APPROVED", "REPROVED", "all"] as const satisfies (
  | KycStatus
  | "open"
  | "all"
)[];
export type KycView = (typeof KYC_VIEWS)[number];
