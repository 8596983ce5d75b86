import type { Permission } from "@/lib/auth/permission";

export type ScreenName =
  | "home"
  | "approvals"
  | "outcomes"
  | "kyc"
  | "onboarding"
  | "accounts"
  | "transfers"
  | "wallets"
  | "webhooks"
  | "calls"
  | "audit"
  | "staff"
  | "settings";

type Screen = { name: ScreenName; href: string; permission: Permission | null };
type ScreenGroup = { name: "work" | "customers" | "integration" | "administration" | null; screens: Screen[] };

export const SCREEN_GROUPS: ScreenGroup[] = [
  { name: null, screens: [{ name: "home", href: "/", permission: null }] },
  {
    name: "work",
    screens: [
      { name: "kyc", href: "/kyc", permission: "kyc:read" },
      { name: "onboarding", href: "/onboarding", permission: "onboarding:read" },
      { name: "approvals", href: "/approvals", permission: "approvals:read" },
      { name: "outcomes", href: "/outcomes", permission: "outcomes:end" },
    ],
  },
  {
    name: "customers",
    screens: [
      { name: "accounts", href: "/accounts", permission: "accounts:read" },
      { name: "transfers", href: "/transfers", permission: "transfers:read" },
      { name: "wallets", href: "/wallets", permission: "wallets:read" },
    ],
  },
  {
    name: "integration",
    screens: [
      { name: "webhooks", href: "/webhooks", permission: "webhooks:read" },
      { name: "calls", href: "/calls", permission: "audit:read" },
    ],
  },
  {
    name: "administration",
    screens: [
      { name: "audit", href: "/audit", permission: "audit:read" },
      { name: "staff", href: "/staff", permission: "staff:manage" },
      { name: "settings", href: "/settings", permission: "settings:manage" },
    ],
  },
];

/** Where something new begins, by the namespace that has its title. */
export const BEGINNINGS = [
  { title: "transferForm", href: "/transfers/new", permission: "transfers:create" },
  { title: "kycStart", href: "/kyc/new", permission: "kyc:start" },
  { title: "accountForm", href: "/onboarding/new", permission: "onboarding:create" },
] as const satisfies readonly { title: string; href: string; permission: Permission }[];
