import {
  ArrowLeftRight,
  CircleHelp,
  Landmark,
  LayoutGrid,
  ListChecks,
  type LucideIcon,
  ScrollText,
  Settings,
  ShieldCheck,
  UserRoundPlus,
  Users,
  Wallet,
  Webhook,
} from "lucide-react";
import { getTranslations } from "next-intl/server";
import { denialOf } from "@/app/(console)/denial";
import type { Permission } from "@/lib/auth/permission";
import { NavItem } from "./nav-item";
import { SCREEN_GROUPS, type ScreenName } from "./screens";

// Drawn on the server: the browser gets what they look like, and not the code of each on every screen.
const ICONS: Record<ScreenName, LucideIcon> = {
  home: LayoutGrid,
  kyc: ShieldCheck,
  onboarding: UserRoundPlus,
  accounts: Landmark,
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

/** Every screen stays listed; one that is not for the person says who it is for. */
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
  return (
    <nav aria-label={t("navigation")} className="flex-1 space-y-4 overflow-y-auto px-2.5 py-2">
      {groups.map((group) => (
        <div key={group.name}>
          {group.name ? (
            <p className="mb-1 px-2.5 text-xs font-medium text-faint">{t(`groups.${group.name}`)}</p>
          ) : null}
          <ul className="space-y-px">
            {group.screens.map(({ name, href, denial }) => (
              <li key={name}>
                <NavItem href={href} label={t(name)} icon={<ScreenIcon screen={name} />} denial={denial} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
