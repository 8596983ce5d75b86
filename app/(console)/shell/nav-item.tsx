"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import type { MouseEvent, ReactNode } from "react";
import { DeniedButton } from "@/components/ui/denied-button";
import { cn } from "@/lib/cn";
import { OwedBadge } from "./owed-badge";

const ITEM = "flex h-8 w-full items-center gap-2.5 rounded px-2.5 text-start outline-offset-[-2px]";

function closeDrawer(event: MouseEvent<HTMLAnchorElement>) {
  const drawer = event.currentTarget.closest("[popover]");
  if (drawer instanceof HTMLElement && drawer.matches(":popover-open")) drawer.hidePopover();
}

type NavItemProps = { href: string; label: string; icon: ReactNode; denial: string | null };

/** One entry of the navigation. A click that overtakes a prefetch leaves the screen blank until its data comes, so there is none. */
export function NavItem({ href, label, icon, denial }: NavItemProps) {
  const path = usePathname();
  if (denial !== null) {
    return (
      <DeniedButton isWide reason={denial} className={cn(ITEM, "cursor-not-allowed text-faint")}>
        {icon}
        {label}
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
      {href === "/approvals" ? <OwedBadge /> : null}
    </Link>
  );
}
