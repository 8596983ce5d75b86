"use client";

import {
  ArrowLeftRight,
  Landmark,
  LayoutGrid,
  ListChecks,
  Lock,
  type LucideIcon,
  Settings,
  ScrollText,
  ShieldCheck,
  UserRoundPlus,
  Users,
  Wallet,
  Webhook,
} from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import type { MouseEvent } from "react";
import { DeniedButton } from "@/components/ui/denied-button";
import { cn } from "@/lib/cn";
import { OwedBadge } from "./owed-badge";
import type { ScreenName } from "./screens";

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
  settings: Settings,
};

const ITEM = "flex h-8 w-full items-center gap-2.5 rounded px-2.5 text-start outline-offset-[-2px]";

function closeDrawer(event: MouseEvent<HTMLAnchorElement>) {
  const drawer = event.currentTarget.closest("[popover]");
  if (drawer instanceof HTMLElement && drawer.matches(":popover-open")) drawer.hidePopover();
}

type NavItemProps = { screen: ScreenName; href: string; label: string; denial: string | null };

/** One entry of the navigation. A click that overtakes a prefetch leaves the screen blank until its data comes, so there is none. */
export function NavItem({ screen, href, label, denial }: NavItemProps) {
  const path = usePathname();
  const Icon = ICONS[screen];
  const icon = <Icon aria-hidden size={16} strokeWidth={1.75} />;
  if (denial !== null) {
    return (
      <DeniedButton isWide reason={denial} className={cn(ITEM, "cursor-not-allowed text-faint")}>
        {icon}
        {label}
        <Lock aria-hidden size={12} className="ml-auto" />
      </DeniedButton>
    );
  }
  const isCurrent = href === "/" ? path === "/" : path === href || path.startsWith(`${href}/`);
  return (
    <Link
      href={href}
      prefetch={false}
      aria-current={isCurrent ? "page" : undefined}
      onClick={closeDrawer}
      className={cn(
        ITEM,
        isCurrent
          ? "bg-raised font-medium text-ink shadow-control [&>svg]:text-accent"
          : "text-muted hover:bg-hover hover:text-ink",
      )}
    >
      {icon}
      {label}
      {screen === "approvals" ? <OwedBadge /> : null}
    </Link>
  );
}
