"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { type ReactNode, type MouseEvent, useEffect } from "react";
import { buttonClass } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { useTranslations } from "next-intl";
import { usePathname } from "next/navigation";
import { useLive } from "@/components/live/live-provider";
import { createRefresher } from "@/components/live/refresher";
import { useQuietRead } from "@/components/live/use-read";
import { DeniedButton } from "@/components/ui/denied-button";
import { Icon, type IconName } from "@/components/ui/icons";
import type { Owed } from "@/lib/approvals/queries";

export function MenuLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link
      href={href}
      prefetch={false}
      className={cn(buttonClass("plain"), "w-full")}
      onClick={({ currentTarget }) => currentTarget.closest<HTMLElement>("[popover]")?.hidePopover()}
    >
      {children}
    </Link>
  );
}

const QUERY_KEY = ["approvals", "owed"];

function OwedBadge() {
  const t = useTranslations("owed");
  const read = useQuietRead();
  const client = useQueryClient();
  const { follow } = useLive();
  const { data } = useQuery({
    queryKey: QUERY_KEY,
    queryFn: ({ signal }) => read<Owed>("/api/approvals/owed", signal),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: "always",
    retry: false,
  });

  useEffect(() => {
    const { ask, end } = createRefresher(() => void client.refetchQueries({ queryKey: QUERY_KEY }));
    const unfollow = follow((signal) => {
      if (signal.kind === "reset" || (signal.kind === "changed" && signal.topic === "approvals")) ask();
    });
    return () => {
      unfollow();
      end();
    };
  }, [client, follow]);

  const count = data === undefined ? 0 : data.toDecide + data.news + data.toComplete;
  if (count === 0) return null;
  return (
    <span className="ml-auto rounded-full bg-accent px-1.5 text-xs font-medium text-accent-ink tabular-nums">
      <span aria-hidden>{count}</span>
      <span className="sr-only">{t("count", { count })}</span>
    </span>
  );
}

const ITEM = "nav-item";

function closeDrawer(event: MouseEvent<HTMLAnchorElement>) {
  const drawer = event.currentTarget.closest("[popover]");
  if (drawer instanceof HTMLElement && drawer.matches(":popover-open")) drawer.hidePopover();
}

type NavItemProps = { href: string; label: string; icon: IconName; denial: string | null };

/** No prefetch: a click that overtakes one leaves the screen blank. */
export function NavItem({ href, label, icon, denial }: NavItemProps) {
  const path = usePathname();
  if (denial !== null) {
    return (
      <DeniedButton isWide reason={denial} className={cn(ITEM, "cursor-not-allowed text-faint")}>
        <Icon of={icon} size={16} strokeWidth={1.75} />
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
      className={cn(ITEM, "nav-link")}
    >
      <Icon of={icon} size={16} strokeWidth={1.75} />
      {label}
      {href === "/approvals" ? <OwedBadge /> : null}
    </Link>
  );
}
