import { Landmark, LayoutGrid, type LucideIcon, ShieldCheck, UserRoundPlus, Wallet, Webhook } from "lucide-react";
import type { Permission } from "@/lib/auth/permission";

type Screen = {
  name: "home" | "kyc" | "onboarding" | "accounts" | "wallets" | "webhooks";
  href: string;
  icon: LucideIcon;
  permission: Permission | null;
};

type ScreenGroup = { name: "work" | "customers" | "system" | null; screens: Screen[] };

/** The navigation, in the order it is shown. */
export const SCREEN_GROUPS: ScreenGroup[] = [
  { name: null, screens: [{ name: "home", href: "/", icon: LayoutGrid, permission: null }] },
  {
    name: "work",
    screens: [
      { name: "kyc", href: "/kyc", icon: ShieldCheck, permission: "kyc:read" },
      { name: "onboarding", href: "/onboarding", icon: UserRoundPlus, permission: "onboarding:read" },
    ],
  },
  {
    name: "customers",
    screens: [
      { name: "accounts", href: "/accounts", icon: Landmark, permission: "accounts:read" },
      { name: "wallets", href: "/wallets", icon: Wallet, permission: "wallets:read" },
    ],
  },
  {
    name: "system",
    screens: [{ name: "webhooks", href: "/webhooks", icon: Webhook, permission: "webhooks:read" }],
  },
];
