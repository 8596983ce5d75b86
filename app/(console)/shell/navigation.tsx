import {
  ArrowLeftRight,
  ChevronRight,
  CircleHelp,
  Landmark,
  LayoutGrid,
  ListChecks,
  Lock,
  type LucideIcon,
  ScrollText,
  Send,
  Settings,
  ShieldCheck,
  UserRoundPlus,
  Users,
  Wallet,
  Webhook,
} from "lucide-react";
import { useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { denialOf } from "@/app/(console)/denial";
import type { Permission } from "@/lib/auth/permission";
import { NavItem } from "./nav-item";
import { SCREEN_GROUPS, type ScreenName } from "./screens";

// Rendered on the server, so that the browser gets no icon code.
const ICONS: Record<ScreenName, LucideIcon> = {
  home: LayoutGrid,
  kyc: ShieldCheck,
  onboarding: UserRoundPlus,
  accounts: Landmark,
  transfers: Send,
  wallets: Wallet,
  webhooks: Webhook,
  calls: ArrowLeftRight,
  audit: ScrollText,
  staff: Users,
  approvals: ListChecks,
  outcomes: CircleHelp,
  settings: Settings,
};

function ScreenIcon({ screen }: { screen: ScreenName }) {
  const Icon = ICONS[screen];
  return <Icon aria-hidden size={16} strokeWidth={1.75} />;
}

export async function Navigation({ permissions }: { permissions: readonly Permission[] }) {
  const t = await getTranslations("shell");
  const groups = await Promise.all(
    SCREEN_GROUPS.map(async ({ name, screens }) => ({
      name,
      screens: await Promise.all(
        screens.map(async ({ permission, ...screen }) => ({
          ...screen,
          denial: permission === null ? null : await denialOf(permissions, permission),
        })),
      ),
    })),
  );
  const open = groups.map(({ name, screens }) => ({ name, items: screens.filter(({ denial }) => denial === null) }));
  const denied = groups.flatMap(({ screens }) => screens.filter(({ denial }) => denial !== null));
  return (
    <nav aria-label={t("navigation")} className="flex-1 space-y-4 overflow-y-auto px-2.5 py-2">
      {open.map(({ name, items }) =>
        items.length === 0 ? null : (
          <div key={name}>
            {name ? <p className="mb-1 px-2.5 text-xs font-medium text-faint">{t(`groups.${name}`)}</p> : null}
            <NavList items={items} />
          </div>
        ),
      )}
      {denied.length === 0 ? null : (
        <details className="group">
          <summary className="flex h-8 list-none items-center gap-2.5 rounded px-2.5 text-sm text-faint outline-offset-[-2px] hover:bg-hover hover:text-ink">
            <Lock aria-hidden size={12} className="mx-0.5" />
            {t("withoutAccess", { count: denied.length })}
            <ChevronRight aria-hidden size={12} className="ml-auto group-open:rotate-90" />
          </summary>
          <NavList items={denied} />
        </details>
      )}
    </nav>
  );
}

type NavListProps = { items: readonly { name: ScreenName; href: string; denial: string | null }[] };

function NavList({ items }: NavListProps) {
  const t = useTranslations("shell");
  return (
    <ul className="space-y-px">
      {items.map(({ name, href, denial }) => (
        <li key={name}>
          <NavItem href={href} label={t(name)} icon={<ScreenIcon screen={name} />} denial={denial} />
        </li>
      ))}
    </ul>
  );
}
