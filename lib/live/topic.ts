import type { Permission } from "@/lib/auth/permission";

/** What a screen can follow, and what its reader must be allowed. */
export const TOPIC_PERMISSIONS = {
  kyc: "kyc:read",
  onboarding: "onboarding:read",
  wallets: "wallets:read",
  transfers: "accounts:read",
  calls: "audit:read",
  audit: "audit:read",
  approvals: "approvals:read",
  outcomes: "outcomes:end",
  staff: "staff:manage",
  webhooks: "webhooks:read",
} as const satisfies Record<string, Permission>;

export type Topic = keyof typeof TOPIC_PERMISSIONS;
