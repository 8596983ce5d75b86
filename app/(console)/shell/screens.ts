import type { IconName } from "@/components/ui/icons";
import type { Permission } from "@/lib/permission/permission";

export type ScreenName =
  | "home"
  | "approvals"
  | "outcomes"
  | "kyc"
  | "onboarding"
  | "accounts"
  | "transfers"
  | "movements"
  | "wallets"
  | "position"
  | "webhooks"
  | "calls"
  | "audit"
  | "staff"
  | "settings";

type Screen = { name: ScreenName; icon: IconName; href: string; permission: Permission | null };
type ScreenGroup = { name: "work" | "customers" | "integration" | "administration" | null; screens: Screen[] };

export const SCREEN_GROUPS: ScreenGroup[] = [
  { name: null, screens: [{ name: "home", icon: "layout-grid", href: "/", permission: null }] },
  {
    name: "work",
    screens: [
      { name: "kyc", icon: "shield-check", href: "/kyc", permission: "kyc:read" },
      { name: "onboarding", icon: "user-round-plus", href: "/onboarding", permission: "onboarding:read" },
      { name: "approvals", icon: "list-checks", href: "/approvals", permission: "approvals:read" },
      { name: "outcomes", icon: "circle-help", href: "/outcomes", permission: "outcomes:end" },
    ],
  },
  {
    name: "customers",
    screens: [
      { name: "position", icon: "chart-no-axes-column", href: "/position", permission: "wallets:read" },
      { name: "accounts", icon: "landmark", href: "/accounts", permission: "accounts:read" },
      { name: "transfers", icon: "send", href: "/transfers", permission: "transfers:read" },
      { name: "movements", icon: "receipt-text", href: "/movements", permission: "statement:export" },
      { name: "wallets", icon: "purse", href: "/wallets", permission: "wallets:read" },
    ],
  },
  {
    name: "integration",
    screens: [
      { name: "webhooks", icon: "hook", href: "/webhooks", permission: "webhooks:read" },
      { name: "calls", icon: "arrow-left-right", href: "/calls", permission: "audit:read" },
    ],
  },
  {
    name: "administration",
    screens: [
      { name: "audit", icon: "scroll-text", href: "/audit", permission: "audit:read" },
      { name: "staff", icon: "users", href: "/staff", permission: "staff:manage" },
      { name: "settings", icon: "settings", href: "/settings", permission: "settings:manage" },
    ],
  },
];

/** Where something new begins, by the namespace that has its title. */
export const BEGINNINGS = [
  { title: "transferForm", href: "/transfers/new", permission: "transfers:create" },
  { title: "kycStart", href: "/kyc/new", permission: "kyc:start" },
  { title: "accountForm", href: "/onboarding/new", permission: "onboarding:create" },
] as const satisfies readonly { title: string; href: string; permission: Permission }[];
