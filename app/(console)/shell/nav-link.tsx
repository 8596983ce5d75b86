"use client";

import Link from "next/link";
import { usePathname, useRouter } from "next/navigation";
import { type MouseEvent, type ReactNode } from "react";
import { cn } from "@/lib/cn";
import { NAV_ITEM_CLASS } from "./nav-item-class";

function closeDrawer(event: MouseEvent<HTMLAnchorElement>) {
  const drawer = event.currentTarget.closest("[popover]");
  if (drawer instanceof HTMLElement && drawer.matches(":popover-open")) drawer.hidePopover();
}

/** Fetches its screen on intent rather than for every link in sight. */
export function NavLink({ href, children }: { href: string; children: ReactNode }) {
  const path = usePathname();
  const router = useRouter();
  const isCurrent = href === "/" ? path === "/" : path === href || path.startsWith(`${href}/`);
  const prefetch = () => router.prefetch(href);
  return (
    <Link
      href={href}
      prefetch={false}
      aria-current={isCurrent ? "page" : undefined}
      onClick={closeDrawer}
      onFocus={prefetch}
      onPointerEnter={prefetch}
      className={cn(
        NAV_ITEM_CLASS,
        isCurrent
          ? "bg-raised font-medium text-ink shadow-control [&>svg]:text-accent"
          : "text-muted hover:bg-hover hover:text-ink",
      )}
    >
      {children}
    </Link>
  );
}
