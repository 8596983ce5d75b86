import type { IconName } from "@/components/ui/icons";
import type { Permission } from "@/lib/permission/permission";

const GROUPS = [null, "work", "customers", "integration", "administration", "help"] as const;

type Screen = {
  /** The first segment of its path, and the message namespace with its `title`. */
  name: string;
  href: string;
  permission: Permission | null;
  icon: IconName;
  group: (typeof GROUPS)[number];
  isLab?: true;
};

/** The menu, titles, Ctrl K and the refusal page derive from this, in this order. */
const SCREENS = [
  { name: "home", href: "/", permission: null, icon: "layout-grid", group: null },
  { name: "kyc", href: "/kyc", permission: "kyc:read", icon: "shield-check", group: "work" },
  {
    name: "suspicions",
    href: "/suspicions",
    permission: "suspicions:handle",
    icon: "shield-alert",
    group: "work",
  },
  { name: "onboarding", href: "/onboarding", permission: "onboarding:read", icon: "user-round-plus", group: "work" },
  { name: "approvals", href: "/approvals", permission: "approvals:read", icon: "list-checks", group: "work" },
  { name: "outcomes", href: "/outcomes", permission: "outcomes:end", icon: "circle-help", group: "work" },
  {
    name: "position",
    href: "/position",
    permission: "wallets:read",
    icon: "chart-no-axes-column",
    group: "customers",
  },
  { name: "accounts", href: "/accounts", permission: "accounts:read", icon: "landmark", group: "customers" },
  { name: "transfers", href: "/transfers", permission: "transfers:read", icon: "send", group: "customers" },
  { name: "movements", href: "/movements", permission: "accounts:read", icon: "receipt-text", group: "customers" },
  { name: "wallets", href: "/wallets", permission: "wallets:read", icon: "purse", group: "customers" },
  { name: "coins", href: "/coins", permission: "wallets:read", icon: "arrow-up-right", group: "customers" },
  { name: "deposits", href: "/deposits", permission: "wallets:read", icon: "inbox", group: "customers" },
  { name: "paid", href: "/paid", permission: "deposits:ask", icon: "search", group: "customers" },
  { name: "webhooks", href: "/webhooks", permission: "webhooks:read", icon: "hook", group: "integration" },
  { name: "calls", href: "/calls", permission: "audit:read", icon: "arrow-left-right", group: "integration" },
  { name: "health", href: "/health", permission: "health:read", icon: "pulse", group: "integration" },
  { name: "provider", href: "/provider", permission: "audit:read", icon: "scale", group: "integration" },
  { name: "lab", href: "/lab", permission: "settings:manage", icon: "play", group: "integration", isLab: true },
  { name: "audit", href: "/audit", permission: "audit:read", icon: "scroll-text", group: "administration" },
  { name: "staff", href: "/staff", permission: "staff:manage", icon: "users", group: "administration" },
  { name: "alarms", href: "/alarms", permission: "audit:read", icon: "shield-alert", group: "administration" },
  { name: "access", href: "/access", permission: "audit:read", icon: "shield-check", group: "administration" },
  { name: "settings", href: "/settings", permission: "settings:manage", icon: "settings", group: "administration" },
  { name: "help", href: "/help", permission: null, icon: "file-text", group: "help" },
] as const satisfies readonly Screen[];

export type ScreenName = (typeof SCREENS)[number]["name"];

export const SCREEN_NAMES: readonly ScreenName[] = SCREENS.map(({ name }) => name);

export const screenGroups = ({ hasLab }: { hasLab: boolean }) =>
  GROUPS.map((group) => ({
    name: group,
    screens: SCREENS.filter((screen) => screen.group === group && (hasLab || !("isLab" in screen))),
  }));

/** Forms with their own title; Ctrl K offers those that start something new. */
const FORMS = [
  { name: "transferForm", href: "/transfers/new", permission: "transfers:create" },
  { name: "kycStart", href: "/kyc/new", permission: "kyc:start" },
  { name: "accountForm", href: "/onboarding/new", permission: "onboarding:create" },
  { name: "movementFiles", href: null, permission: "statement:export" },
  { name: "explorer", href: null, permission: "explorer:use" },
  { name: "sendForm", href: null, permission: "crypto-transfers:create" },
] as const satisfies readonly { name: string; href: string | null; permission: Permission }[];

export const BEGINNINGS = FORMS.flatMap((form) => (form.href === null ? [] : [form]));

const GUARDED = [...SCREENS.flatMap((screen) => (screen.permission === null ? [] : [screen])), ...FORMS];

export type GuardedScreen = (typeof GUARDED)[number]["name"];

/** Throws for an unknown screen. */
export function permissionFor(screen: GuardedScreen): Permission {
  const guarded = GUARDED.find(({ name }) => name === screen);
  if (guarded === undefined) throw new Error(`${screen} is no screen`);
  return guarded.permission;
}
